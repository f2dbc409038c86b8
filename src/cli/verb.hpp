// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>

#include <lerp/base/crew.hpp>
#include <lerp/base/options.hpp>
#include <lerp/kg/dataset.hpp>

#include "cli/console.hpp"

namespace lerpp::cli {

/// The command line as a whole: verbs add themselves, the chosen one is run.
class Program {
 public:
  Program(Console& console, Crew& crew) : console_(console), crew_(crew) {}

  CLI::App& app() { return app_; }
  Console& console() { return console_; }
  Crew& crew() { return crew_; }

  /// A new verb below `parent` with the flags that every verb has. `action` is run when it is
  /// chosen.
  CLI::App* add(CLI::App& parent, const std::string& name, const std::string& help,
                const std::string& example, std::function<Result<void>()> action);
  /// A group of verbs, such as `generate`.
  CLI::App* add_group(const std::string& name, const std::string& help, const std::string& example);

  /// Marks a verb whose work several processes share. The others refuse to be started in several.
  void share(CLI::App* verb) { shared_.insert(verb); }

  /// Help that depends on what else was given, put below that of the verb.
  using Help = std::function<Result<std::string>()>;
  void explain(CLI::App* verb, Help help) { helps_[verb] = std::move(help); }

  int run(int count, char** words);

 private:
  Result<void> run_chosen();
  Error usage_error(const CLI::ParseError& error) const;
  /// Prints what was asked for in place of work: help or the version.
  int answer(const CLI::Success& asked);
  int show_help(const CLI::App& verb, const std::string& path);
  /// `lerp help VERB`
  int help_on(const std::vector<std::string>& words);
  std::string next_line() const;

  CLI::App app_{"lerp learns rules from a knowledge graph, predicts with them, and shows them.",
                "lerp"};
  Console& console_;
  Crew& crew_;
  std::set<const CLI::App*> shared_;
  std::map<const CLI::App*, Help> helps_;
  std::function<Result<void>()> chosen_;
};

/// "1e8" with all its digits; what is no such number stays as it is.
std::string whole_number(std::string text);

/// Gives every field of an options struct its flag, with help, range and default from the one place
/// where they are declared. `Options` must outlive the parsing.
template <class Options>
void add_flags(CLI::App& verb, Options& options) {
  Options::fields(options, [&](const Field& field, auto& value) {
    using Value = std::decay_t<decltype(value)>;
    const std::string flag = "--" + std::string(field.name);
    std::string help(field.help);
    if (const std::string allowed = field.allowed(); !allowed.empty()) help += " (" + allowed + ")";
    if constexpr (std::is_same_v<Value, bool>) {
      verb.add_flag(flag, value, help);
    } else {
      CLI::Option* option = verb.add_option(flag, value, help)->capture_default_str();
      if constexpr (std::is_integral_v<Value>) option->transform(whole_number, "");
    }
  });
}

/// Flags that several verbs share.
void add_threads(CLI::App& verb, unsigned& threads);
/// How data is read: columns, literals and limits.
void add_read_flags(CLI::App& verb, LoadOptions& options);
/// The same, and the threads and names.
void add_load_flags(CLI::App& verb, LoadOptions& options);
/// The dataset that a verb works on, with the flags of its loading.
void add_data(CLI::App& verb, std::string& data, LoadOptions& options);
void add_write_format(CLI::App& verb, std::string& format);
WriteFormat write_format(std::string_view name);

// The verbs, each in its own file.
void add_demo(Program& program);
void add_stats(Program& program);
void add_generate(Program& program);
void add_import(Program& program);
void add_baseline(Program& program);
void add_train(Program& program);
void add_resume(Program& program);
void add_eval(Program& program);
void add_distill(Program& program);
void add_picture(Program& program);
void add_paper(Program& program);
void add_sweep(Program& program);
void add_report(Program& program);
void add_predict(Program& program);
void add_explain(Program& program);
void add_complete(Program& program);
void add_doubt(Program& program);
void add_score(Program& program);
void add_embed(Program& program);
void add_rules(Program& program);
void add_functions(Program& program);
void add_export(Program& program);
void add_apply(Program& program);
void add_events(Program& program);
void add_serve(Program& program);
void add_bench(Program& program);
void add_completion(Program& program);
void add_manual(Program& program);

}  // namespace lerpp::cli
