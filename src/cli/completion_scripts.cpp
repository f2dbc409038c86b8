// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/verb_tree.hpp"

/// The scripts have the same shape: they find the verb that the line has named so far, then offer
/// what that verb has declared.
namespace lerpp::cli {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::string in_quotes(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> words_of(const DescribedVerb& verb) {
  std::vector<std::string> words;
  for (const DescribedVerb& below : verb.verbs) words.push_back(below.name);
  for (const DescribedOption& flag : verb.flags) words.push_back(flag.name);
  return words;
}

/// "lerp demo" | "lerp generate" | …, all but the program itself.
std::string patterns(const DescribedVerb& program) {
  std::string out;
  each_verb(program, [&](const DescribedVerb& verb) {
    if (&verb != &program) out += (out.empty() ? "\"" : " | \"") + verb.path + '"';
  });
  return out;
}

/// Brackets and colons mean something to zsh's _arguments and _describe.
std::string zsh_text(const std::string& text) {
  std::string out = replaced(text, "\\", "\\\\");
  for (const char* sign : {"[", "]", ":"}) out = replaced(out, sign, std::string("\\") + sign);
  return out;
}

std::string zsh_flag(const DescribedOption& flag) {
  std::string out = flag.name + (flag.value.empty() ? "" : "=") + "[" + zsh_text(flag.help) + "]";
  if (!flag.value.empty()) {
    out += ":" + zsh_text(flag.value) + ":";
    out += flag.choices.empty() ? "_files" : "(" + joined(flag.choices) + ")";
  }
  return in_quotes(out);
}

/// Inside quotes fish gives a meaning to the quote and the backslash alone.
std::string fish_text(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

}  // namespace

std::string bash_completion(const DescribedVerb& program) {
  std::string values;
  std::string words;
  each_verb(program, [&](const DescribedVerb& verb) {
    for (const DescribedOption& flag : verb.flags) {
      if (flag.value.empty()) continue;
      const std::string reply =
          flag.choices.empty() ? "-f" : fmt::format("-W \"{}\"", joined(flag.choices));
      values += fmt::format(
          "    \"{} {}\") mapfile -t COMPREPLY < <(compgen {} -- \"$word\"); return ;;\n",
          verb.path, flag.name, reply);
    }
    words += fmt::format("    \"{}\") offered=\"{}\" ;;\n", verb.path, joined(words_of(verb)));
  });
  return fmt::format(R"(# bash completion for lerp, made by "lerp completion bash"
_lerp() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} at=lerp offered="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at ${{COMP_WORDS[i]}}" in
      {}) at+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$at $before" in
{}  esac
  case "$at" in
{}  esac
  if [[ $word == -* || $offered != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -o filenames -F _lerp lerp
)",
                     patterns(program), values, words);
}

std::string zsh_completion(const DescribedVerb& program) {
  std::string cases;
  each_verb(program, [&](const DescribedVerb& verb) {
    cases += fmt::format("    (\"{}\")\n", verb.path);
    if (!verb.verbs.empty()) {
      cases += "      offered=(\n";
      for (const DescribedVerb& below : verb.verbs)
        cases += "        " + in_quotes(below.name + ":" + zsh_text(below.help)) + "\n";
      cases += "      )\n      _describe verb offered\n";
    }
    cases += "      _arguments";
    for (const DescribedOption& flag : verb.flags) cases += " \\\n        " + zsh_flag(flag);
    if (verb.verbs.empty()) cases += " \\\n        '*:file:_files'";
    cases += "\n      ;;\n";
  });
  return fmt::format(R"(#compdef lerp
# zsh completion for lerp, made by "lerp completion zsh"
_lerp() {{
  local at=lerp
  local -a offered
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at ${{words[i]}}" in
      ({}) at+=" ${{words[i]}}" ;;
    esac
  done
  case "$at" in
{}  esac
}}
if [[ $funcstack[1] == _lerp ]]; then _lerp "$@"; else compdef _lerp lerp; fi
)",
                     patterns(program), cases);
}

std::string fish_completion(const DescribedVerb& program) {
  std::string lines;
  each_verb(program, [&](const DescribedVerb& verb) {
    const std::string here = fmt::format("complete -c lerp -n '__lerp_at \"{}\"'", verb.path);
    for (const DescribedVerb& below : verb.verbs)
      lines += fmt::format("{} -f -a {} -d {}\n", here, below.name, fish_text(below.help));
    for (const DescribedOption& flag : verb.flags) {
      lines += fmt::format("{} -l {} -d {}", here, flag.name.substr(2), fish_text(flag.help));
      if (!flag.choices.empty()) {
        lines += " -x -a " + fish_text(joined(flag.choices));
      } else if (!flag.value.empty()) {
        lines += " -r";
      }
      lines += '\n';
    }
  });
  return fmt::format(R"(# fish completion for lerp, made by "lerp completion fish"
function __lerp_at
  set -l at lerp
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case {}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
{})",
                     replaced(patterns(program), " | ", " "), lines);
}

}  // namespace lerpp::cli
