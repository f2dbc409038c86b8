// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/verb_tree.hpp"

namespace lerpp::cli {
namespace {

/// Backslashes and hyphens have a meaning of their own, and so has a full stop that begins a line.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\n') {
      out += ' ';
    } else {
      if ((c == '.' || c == '\'') && out.empty()) out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string section(const std::string& title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}", title, text);
}

std::string entry(const DescribedOption& option) {
  const std::string value =
      option.value.empty() || !option.name.starts_with("--") ? "" : " \\fI" + option.value + "\\fR";
  std::string out =
      fmt::format(".TP\n\\fB{}\\fR{}\n{}", roff(option.name), value, roff(option.help));
  if (!option.choices.empty())
    out += fmt::format(" (one of {})", roff(fmt::format("{}", fmt::join(option.choices, ", "))));
  if (!option.standard.empty()) out += fmt::format(" [{}]", roff(option.standard));
  return out + "\n";
}

std::string synopsis(const DescribedVerb& verb) {
  std::string out = fmt::format(".B {}\n", roff(verb.path));
  if (!verb.verbs.empty()) out += ".I VERB\n";
  if (!verb.flags.empty()) out += "[options]\n";
  for (const DescribedOption& argument : verb.arguments)
    out += fmt::format(".I {}\n", roff(argument.name));
  return out;
}

}  // namespace

std::string man_page_name(const DescribedVerb& verb) {
  std::string name = verb.path;
  for (char& c : name) c = c == ' ' ? '-' : c;
  return name;
}

std::string man_page(const DescribedVerb& verb, const std::string& version) {
  const std::string name = man_page_name(verb);
  std::string verbs;
  for (const DescribedVerb& below : verb.verbs) {
    verbs += fmt::format(".TP\n\\fB{}\\fR\n{}. See {}(1).\n", roff(below.name), roff(below.help),
                         roff(man_page_name(below)));
  }
  std::string options;
  for (const DescribedOption& argument : verb.arguments) options += entry(argument);
  for (const DescribedOption& flag : verb.flags) options += entry(flag);
  std::string upper = name;
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string out =
      fmt::format(".TH \"{}\" 1 \"\" \"{}\" \"User Commands\"\n", roff(upper), version);
  out += section("NAME", fmt::format("{} \\- {}\n", roff(name), roff(verb.help)));
  out += section("SYNOPSIS", synopsis(verb));
  out += section("VERBS", verbs);
  out += section("OPTIONS", options);
  if (!verb.example.empty() && verb.name != "lerp")
    out += section("EXAMPLE", fmt::format(".nf\n{}\n.fi\n", roff(verb.example)));
  out += section("EXIT STATUS",
                 "0 for success, 1 for a failure, 2 for wrong usage, 130 after Ctrl\\-C, 143 after "
                 "SIGTERM.\n");
  if (verb.name != "lerp") out += section("SEE ALSO", "lerp(1)\n");
  return out;
}

}  // namespace lerpp::cli
