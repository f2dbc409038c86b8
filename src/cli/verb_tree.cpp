// SPDX-License-Identifier: Apache-2.0
#include "cli/verb_tree.hpp"

#include <sstream>

namespace lerpp::cli {
namespace {

/// "TEXT:{valid,test}" allows valid and test.
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.rfind('}');
  std::vector<std::string> choices;
  if (open == std::string::npos || close == std::string::npos || close < open) return choices;
  std::istringstream inside(type.substr(open + 1, close - open - 1));
  for (std::string one; std::getline(inside, one, ',');) choices.push_back(one);
  return choices;
}

DescribedOption described(const CLI::Option& option) {
  DescribedOption result;
  const std::vector<std::string>& names = option.get_lnames();
  result.name = names.empty() ? option.get_name(true) : "--" + names.front();
  result.help = option.get_description();
  if (option.get_items_expected_max() == 0) return result;
  const std::string type = option.get_type_name();
  result.value = type.substr(0, type.find_first_of(" :[{"));
  if (result.value.empty()) result.value = "VALUE";
  result.choices = choices_of(type);
  result.standard = option.get_default_str();
  return result;
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  text = text.substr(text.find_last_of('\n') + 1);
  return text.substr(std::min(text.size(), text.find_first_not_of(' ')));
}

}  // namespace

DescribedVerb describe(const CLI::App& app, const std::string& parent) {
  DescribedVerb result;
  result.name = app.get_name();
  result.path = parent.empty() ? result.name : parent + " " + result.name;
  result.help = app.get_description();
  result.example = last_line(app.get_footer());
  for (const CLI::Option* option : app.get_options({})) {
    if (option->get_group().empty()) continue;
    (option->get_lnames().empty() ? result.arguments : result.flags).push_back(described(*option));
  }
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (!verb->get_group().empty()) result.verbs.push_back(describe(*verb, result.path));
  }
  return result;
}

}  // namespace lerpp::cli
