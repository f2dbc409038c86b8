// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

/// What the verbs have declared, as plain data: completions and man pages are written from it.
namespace lerpp::cli {

struct DescribedOption {
  std::string name;  ///< "--split", or "DATA" where it stands by its place
  std::string help;
  std::string value;                 ///< what it takes, such as FILE; empty for a switch
  std::vector<std::string> choices;  ///< where only these are allowed
  std::string standard;              ///< its default, empty where it has none
};

struct DescribedVerb {
  std::string path;  ///< "lerp generate family"
  std::string name;  ///< the last word of it
  std::string help;
  std::string example;  ///< a command, or what else stands at the end of the help
  std::vector<DescribedOption> arguments;
  std::vector<DescribedOption> flags;
  std::vector<DescribedVerb> verbs;
};

/// The verb and all below it, less what is hidden from help.
DescribedVerb describe(const CLI::App& app, const std::string& parent = "");

/// Calls visit(verb) for the verb and all below it, each before those below it.
template <class Visit>
void each_verb(const DescribedVerb& verb, const Visit& visit) {
  visit(verb);
  for (const DescribedVerb& below : verb.verbs) each_verb(below, visit);
}

/// The scripts that complete verbs, flags and their values on TAB.
std::string bash_completion(const DescribedVerb& program);
std::string zsh_completion(const DescribedVerb& program);
std::string fish_completion(const DescribedVerb& program);

/// A man page; its name is the path with hyphens, "lerp-generate-family".
std::string man_page_name(const DescribedVerb& verb);
std::string man_page(const DescribedVerb& verb, const std::string& version);

}  // namespace lerpp::cli
