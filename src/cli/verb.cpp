#include "cli/verb.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

namespace lerpp::cli {

CLI::App* Program::add(CLI::App& parent, const std::string& name, const std::string& help,
                       const std::string& example, std::function<Result<void>()> action) {
  CLI::App* verb = parent.add_subcommand(name, help);
  verb->footer("Example:\n  " + example);
  verb->add_option("--json", console_.json,
                   "write the machine-readable result to this file, or - for standard output")
      ->type_name("FILE");
  verb->add_flag("--quiet", console_.quiet, "print nothing but errors");
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

Error Program::usage_error(const CLI::ParseError& error) const {
  // The verb as far as it was understood: "lerp generate family".
  const CLI::App* verb = &app_;
  std::string path = "lerp";
  while (!verb->get_subcommands().empty()) {
    verb = verb->get_subcommands().front();
    path += " " + verb->get_name();
  }
  std::string what = error.what();
  const std::vector<std::string> extras = app_.remaining(true);
  if (!extras.empty() && !extras.front().starts_with("-") && !verb->get_subcommands({}).empty()) {
    what = fmt::format("there is no '{} {}'", path, extras.front());
  }
  // CLI11 ends some sentences and adds lines of hints to others.
  what = what.substr(0, what.find('\n'));
  while (what.ends_with('.')) what.pop_back();
  return {what, "", "see " + path + " --help", ErrorKind::usage};
}

int Program::run(int count, char** words) {
  app_.set_version_flag("--version", "lerp " LERP_VERSION);
  app_.require_subcommand(1);
  app_.footer("Each verb has --help with an example. docs/ has a page for each.");
  try {
    app_.parse(count, words);
  } catch (const CLI::Success& asked) {
    return crew_.leads() ? app_.exit(asked) : 0;
  } catch (const CLI::ParseError& error) {
    if (crew_.leads()) console_.complain(usage_error(error));
    return 2;
  }
  if (!crew_.leads()) {
    console_.quiet = true;
    console_.json.clear();
  }
  crew_.watch(console_.observer().stop, [this](const Error& error) { console_.complain(error); });
  const Result<void> result = crew_.finish(run_chosen());
  if (result) return 0;
  if (crew_.speaks()) console_.complain(result.error());
  const int status = exit_status(result.error());
  crew_.leave(status);
  return status;
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

void add_load_flags(CLI::App& verb, LoadOptions& options) {
  add_threads(verb, options.threads);
  verb.add_option("--names", options.names,
                  "a file of human texts for names, a name and a text a line")
      ->type_name("FILE");
}

void add_data(CLI::App& verb, std::string& data, LoadOptions& options) {
  verb.add_option("DATA", data, "a dataset folder or file")->required();
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
