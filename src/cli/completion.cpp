// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include <lerp/base/files.hpp>
#include <lerp/base/version.hpp>

#include "cli/verb.hpp"
#include "cli/verb_tree.hpp"

namespace lerpp::cli {
namespace {

struct CompletionArguments {
  std::string shell;
  std::string out;
};

Result<void> run_completion(Program& program, const CompletionArguments& arguments) {
  const DescribedVerb verbs = describe(program.app());
  if (!arguments.out.empty()) {
    const std::filesystem::path folder = arguments.out;
    std::filesystem::create_directories(folder);
    LERP_CHECK(write_file(folder / "lerp.bash", bash_completion(verbs)));
    LERP_CHECK(write_file(folder / "_lerp", zsh_completion(verbs)));
    LERP_CHECK(write_file(folder / "lerp.fish", fish_completion(verbs)));
    return {};
  }
  if (arguments.shell.empty())
    return fail("no shell is named", "", "say one of bash, zsh, fish", ErrorKind::usage);
  program.console().print(arguments.shell == "bash"  ? bash_completion(verbs)
                          : arguments.shell == "zsh" ? zsh_completion(verbs)
                                                     : fish_completion(verbs));
  return {};
}

Result<void> run_manual(Program& program, const std::string& out) {
  const std::filesystem::path folder = out;
  std::filesystem::create_directories(folder);
  const std::string source = "lerp " + std::string(program_version);
  Result<void> done;
  each_verb(describe(program.app()), [&](const DescribedVerb& verb) {
    if (!done) return;
    done = write_file(folder / (man_page_name(verb) + ".1"), man_page(verb, source));
  });
  return done;
}

}  // namespace

void add_completion(Program& program) {
  auto arguments = std::make_shared<CompletionArguments>();
  CLI::App* verb = program.add(
      program.app(), "completion", "Prints a script that completes verbs and options on TAB",
      "lerp completion bash > ~/.local/share/bash-completion/completions/lerp",
      [&program, arguments] { return run_completion(program, *arguments); });
  verb->add_option("SHELL", arguments->shell, "bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  verb->add_option("--out", arguments->out, "write those of all shells into this folder")
      ->type_name("DIR");
}

/// For those who package lerp, and no part of its help.
void add_manual(Program& program) {
  auto out = std::make_shared<std::string>();
  CLI::App* verb =
      program.add(program.app(), "manual", "Writes the man pages into a folder", "lerp manual man1",
                  [&program, out] { return run_manual(program, *out); });
  verb->add_option("OUT", *out, "the folder")->required();
  verb->group("");
}

}  // namespace lerpp::cli
