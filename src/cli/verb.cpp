// SPDX-License-Identifier: Apache-2.0
#include "cli/verb.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>

#include <fmt/format.h>

#include <lerp/base/memory.hpp>
#include <lerp/base/text.hpp>
#include <lerp/base/version.hpp>

#include "cli/last_resort.hpp"
#include "cli/next_steps.hpp"

namespace lerpp::cli {

CLI::App* Program::add(CLI::App& parent, const std::string& name, const std::string& help,
                       const std::string& example, std::function<Result<void>()> action) {
  CLI::App* verb = parent.add_subcommand(name, help);
  verb->footer("Example:\n  " + example);
  verb->add_option("--json", console_.json,
                   "write the machine-readable result to this file, or - for standard output")
      ->type_name("FILE");
  verb->add_flag("--quiet", console_.quiet, "print nothing but errors");
  verb->add_option_function<std::string>(
          "--memory",
          [](const std::string& text) {
            const Result<std::uint64_t> bytes = parse_size(text);
            if (!bytes) throw CLI::ValidationError("--memory", to_string(bytes.error()));
            if (!limit_memory(*bytes)) {
              throw CLI::ValidationError("--memory", "this system cannot limit it: leave it out");
            }
          },
          "use fewer threads, or end with a sentence, rather than take more: 500M, 4GiB")
      ->type_name("SIZE");
  verb->callback([this, action = std::move(action)] { chosen_ = action; });
  return verb;
}

CLI::App* Program::add_group(const std::string& name, const std::string& help,
                             const std::string& example) {
  CLI::App* group = app_.add_subcommand(name, help);
  group->require_subcommand(1);
  group->footer("Example:\n  " + example);
  return group;
}

namespace {

/// The verb as far as it was understood, "lerp generate family".
struct Understood {
  const CLI::App* verb;
  std::string path = "lerp";

  explicit Understood(const CLI::App& app) : verb(&app) {
    while (!verb->get_subcommands().empty()) {
      verb = verb->get_subcommands().front();
      path += " " + verb->get_name();
    }
  }
};

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> flags_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// "did you mean train?", or where to look.
std::string remedy_for(const std::string& word, const std::vector<std::string>& known,
                       const std::string& path) {
  const std::string_view meant = nearest_word(word, known);
  return meant.empty() ? "see " + path + " --help" : fmt::format("did you mean {}?", meant);
}

Error no_verb(const CLI::App& app, const std::string& path, const std::string& word) {
  return {fmt::format("there is no '{} {}'", path, word), "", remedy_for(word, verbs_of(app), path),
          ErrorKind::usage};
}

}  // namespace

Error Program::usage_error(const CLI::ParseError& error) const {
  const Understood understood(app_);
  const auto& [verb, path] = understood;
  std::string what = error.what();
  const std::vector<std::string> extras = app_.remaining(true);
  if (!extras.empty() && !extras.front().starts_with("-") && !verb->get_subcommands({}).empty()) {
    return no_verb(*verb, path, extras.front());
  }
  if (!extras.empty() && extras.front().starts_with("--")) {
    const std::string flag = extras.front().substr(0, extras.front().find('='));
    return {fmt::format("{} has no option {}", path, flag), "",
            remedy_for(flag, flags_of(*verb), path), ErrorKind::usage};
  }
  // CLI11 ends some sentences and adds lines of hints to others.
  what = what.substr(0, what.find('\n'));
  while (what.ends_with('.')) what.pop_back();
  return {what, "", "see " + path + " --help", ErrorKind::usage};
}

int Program::show_help(const CLI::App& verb, const std::string& path) {
  // The name itself is added by help().
  const std::size_t name = path.find_last_of(' ');
  std::string text = verb.help(name == std::string::npos ? "" : path.substr(0, name));
  if (const auto help = helps_.find(&verb); help != helps_.end()) {
    const Result<std::string> more = help->second();
    if (!more) {
      console_.complain(more.error());
      return console_.exit_status(more.error());
    }
    text += *more;
  }
  console_.print(text);
  return console_.finished();
}

int Program::answer(const CLI::Success& asked) {
  if (!crew_.leads()) return 0;
  if (dynamic_cast<const CLI::CallForHelp*>(&asked) != nullptr) {
    const Understood understood(app_);
    const std::vector<std::string> extras = app_.remaining(true);
    if (!extras.empty() && !understood.verb->get_subcommands({}).empty()) {
      console_.complain(no_verb(*understood.verb, understood.path, extras.front()));
      return 2;
    }
    return show_help(*understood.verb, understood.path);
  }
  std::ostringstream text;
  app_.exit(asked, text, text);
  console_.print(text.str());
  return console_.finished();
}

int Program::help_on(const std::vector<std::string>& words) {
  const CLI::App* verb = &app_;
  std::string path = "lerp";
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> verbs = verb->get_subcommands({});
    const auto found = std::find_if(verbs.begin(), verbs.end(),
                                    [&](const CLI::App* some) { return some->check_name(word); });
    if (found == verbs.end()) {
      const Error error = no_verb(*verb, path, word);
      console_.complain(error);
      return console_.exit_status(error);
    }
    verb = *found;
    path += " " + verb->get_name();
  }
  return show_help(*verb, path);
}

int Program::run(int count, char** words) {
  const std::string version = fmt::format("lerp {}", program_version);
  app_.set_version_flag("--version", version);
  app_.require_subcommand(1);
  app_.footer("lerp help VERB shows a verb's options and an example. docs/ has a page for each.");
  std::vector<std::string> asked;
  CLI::App* help = app_.add_subcommand("help", "Shows the options of a verb, and an example");
  help->add_option("VERB", asked, "a verb, such as train or generate family");
  const CLI::App* told = app_.add_subcommand("version", "Says which lerp this is");
  try {
    app_.parse(count, words);
  } catch (const CLI::Success& success) {
    return answer(success);
  } catch (const CLI::ParseError& error) {
    if (crew_.leads()) console_.complain(usage_error(error));
    return 2;
  }
  if (help->parsed()) return help_on(asked);
  if (told->parsed()) {
    console_.print(version + "\n");
    return console_.finished();
  }
  if (!crew_.leads()) {
    console_.quiet = true;
    console_.json.clear();
  }
  crew_.watch(console_.observer().stop, [this](const Error& error) { console_.complain(error); });
  const Result<void> result = crew_.finish(run_chosen());
  if (result) {
    const int status = console_.finished();
    if (const std::string next = next_line(); status == 0 && !next.empty()) console_.hint(next);
    return status;
  }
  if (crew_.speaks()) console_.complain(result.error());
  const int status = console_.exit_status(result.error());
  crew_.leave(status);
  return status;
}

std::string Program::next_line() const {
  const Understood understood(app_);
  for (const char* name : {"OUT", "RUN", "DATA"}) {
    const CLI::Option* option = understood.verb->get_option_no_throw(name);
    if (option == nullptr || option->empty()) continue;
    const std::string steps = next_steps(understood.path, option->results().front());
    return steps.empty() ? steps : "next: " + steps;
  }
  return {};
}

Result<void> Program::run_chosen() {
  const CLI::App* verb = &app_;
  while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
  if (!crew_.alone() && !shared_.contains(verb)) {
    return fail(fmt::format("'{}' works in one process", verb->get_name()), "",
                "start it without mpirun", ErrorKind::usage);
  }
  try {
    return chosen_();
  } catch (const std::bad_alloc&) {
    throw;  // told by main(), since a verb is not all that can run out of memory
  } catch (const std::filesystem::filesystem_error& error) {
    return fail("the file or folder cannot be opened, " + error.code().message(),
                error.path1().string(), "check the path and its permissions");
  } catch (const std::exception& error) {
    return fail(error.what(), "", "please report this as a bug");
  }
}

std::string whole_number(std::string text) {
  if (text.find_first_of("eE") == std::string::npos) return text;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  constexpr double most = 1e18;
  if (code != std::errc() || stop != end || value < 0 || value > most ||
      value != std::floor(value)) {
    return text;
  }
  return std::to_string(static_cast<std::uint64_t>(value));
}

void add_threads(CLI::App& verb, unsigned& threads) {
  verb.add_option("--threads", threads,
                  "how many threads to use, at most one for each core; 0 is that many")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
}

void add_read_flags(CLI::App& verb, LoadOptions& options) {
  ReadChoices::fields(options.choices, [&](const Field& field, auto& value) {
    // Only what learns holds facts out.
    if (field.name.starts_with("holdout")) return;
    const std::string flag = "--" + std::string(field.name);
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, bool>) {
      verb.add_flag(flag, value, std::string(field.help));
    } else {
      verb.add_option(flag, value, std::string(field.help));
    }
  });
  options.max_input = machine_memory();  // said, so that errors name the flag
  verb.add_option_function<std::string>(
          "--max-input",
          [&options](const std::string& text) {
            const Result<std::uint64_t> bytes = parse_size(text);
            if (!bytes) throw CLI::ValidationError("--max-input", to_string(bytes.error()));
            options.max_input = *bytes;
          },
          "refuse a file that holds or inflates to more: 500M, 64G; the machine's memory where "
          "left "
          "out")
      ->type_name("SIZE");
}

void add_load_flags(CLI::App& verb, LoadOptions& options) {
  add_threads(verb, options.threads);
  add_read_flags(verb, options);
  verb.add_option("--names", options.names,
                  "a file of human texts for names, a name and a text a line")
      ->type_name("FILE");
}

void add_data(CLI::App& verb, std::string& data, LoadOptions& options) {
  verb.add_option("DATA", data, "a dataset folder or file, or - for standard input")->required();
  add_load_flags(verb, options);
}

void add_write_format(CLI::App& verb, std::string& format) {
  verb.add_option("--format", format, "how to write the facts: tsv or ntriples")
      ->capture_default_str()
      ->check(CLI::IsMember({"tsv", "ntriples"}));
}

WriteFormat write_format(std::string_view name) {
  return name == "ntriples" ? WriteFormat::ntriples : WriteFormat::tsv;
}

}  // namespace lerpp::cli
