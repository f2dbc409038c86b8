// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include <lerp/base/parallel.hpp>
#include <lerp/embed/study.hpp>

#include "base/clock.hpp"

namespace lerpp {
namespace {

/// One list of values of an option.
struct Choice {
  std::string name;
  std::vector<std::string> values;
};

Result<Choice> parse_choice(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    return fail(fmt::format("'{}' gives no values", text), "", "write name=value,value",
                ErrorKind::usage);
  }
  Choice choice{text.substr(0, equals), {}};
  for (std::size_t at = equals + 1; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    choice.values.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return choice;
}

/// Whether a variant's loss has this option at all: others need not be tried twice.
bool matters(std::string_view variant, std::string_view option) {
  if (option == "gamma") return variant == "entropy";
  if (option == "eta" || option == "width" || option == "depth") return variant != "transe";
  return true;
}

struct Setting {
  EmbedOptions options;
  std::string text;
};

/// One run of the study.
struct Job {
  EmbedOptions options;
  std::string settings;  ///< that were tried, as in Setting

  /// "entropy-margin=1-rate=0.03-seed2"
  std::string folder() const {
    std::string name = options.variant;
    if (!settings.empty()) name += "-" + settings;
    std::replace(name.begin(), name.end(), ' ', '-');
    return fmt::format("{}-seed{}", name, options.seed);
  }
};

/// All combinations of the choices that matter.
Result<std::vector<Setting>> combinations(const EmbedOptions& options,
                                          std::span<const Choice> choices) {
  std::vector<Setting> settings = {{options, ""}};
  for (const Choice& choice : choices) {
    if (!matters(options.variant, choice.name)) continue;
    std::vector<Setting> longer;
    for (const Setting& setting : settings) {
      for (const std::string& value : choice.values) {
        Setting next = setting;
        LERP_CHECK(set_option(next.options, choice.name, value));
        next.text += fmt::format("{}{}={}", next.text.empty() ? "" : " ", choice.name, value);
        longer.push_back(std::move(next));
      }
    }
    settings = std::move(longer);
  }
  return settings;
}

/// Many runs, each on one thread, as many at a time as there are workers.
class Runner {
 public:
  Runner(const Dataset& dataset, const EmbedStudyOptions& study, unsigned threads,
         const Observer& observer)
      : dataset_(dataset), study_(study), workers_(worker_count(threads)), observer_(observer) {}

  Result<std::vector<Embedded>> run(std::string_view stage, std::vector<Job> jobs) const {
    std::vector<Embedded> results(jobs.size());
    if (jobs.empty()) return results;
    std::mutex mutex;
    std::size_t done = 0;
    Result<void> outcome;
    const std::uint64_t total =
        std::accumulate(jobs.begin(), jobs.end(), std::uint64_t{0},
                        [](std::uint64_t sum, const Job& job) { return sum + job.options.epochs; });
    const auto count_epoch = [&] {
      const std::scoped_lock lock(mutex);
      observer_.report({stage, ++done, total, "epochs", {}});
    };
    run_blocks(jobs.size(), 1, std::min<unsigned>(workers_, static_cast<unsigned>(jobs.size())),
               [&](unsigned, std::size_t job, std::size_t) {
                 {
                   const std::scoped_lock lock(mutex);
                   if (!outcome) return;
                 }
                 jobs[job].options.threads = 1;
                 Result<Embedded> one = learn(jobs[job], count_epoch);
                 const std::scoped_lock lock(mutex);
                 if (one) {
                   results[job] = std::move(*one);
                 } else if (outcome) {
                   outcome = tl::unexpected<Error>(std::move(one.error()));
                 }
               });
    if (!outcome) return forward_error(outcome);
    return results;
  }

 private:
  Result<Embedded> learn(const Job& job, const std::function<void()>& count_epoch) const {
    if (study_.folder.empty()) {
      EmbedHooks hooks;
      hooks.epoch = [&](const EmbedEpoch&) -> Result<void> {
        count_epoch();
        return {};
      };
      return embed(dataset_, job.options, observer_.silent(), hooks);
    }
    // A line is said after each epoch.
    const auto say = [&](const std::string& /*line*/) { count_epoch(); };
    return embed_run_again(dataset_, study_.data, job.options, study_.folder / job.folder(),
                           observer_.silent(), say);
  }

  const Dataset& dataset_;
  const EmbedStudyOptions& study_;
  unsigned workers_;
  const Observer& observer_;
};

double valid_mrr(const Embedded& run) {
  return run.valid ? run.valid->both.realistic.mrr : 0;
}

}  // namespace

Result<EmbedStudy> embed_study(const Dataset& dataset, const EmbedOptions& options,
                               const EmbedStudyOptions& study, const Observer& observer) {
  const Clock::time_point start = Clock::now();
  std::vector<Choice> choices;
  for (const std::string& text : study.tried) {
    LERP_TRY(choice, parse_choice(text));
    choices.push_back(std::move(choice));
  }
  std::vector<std::string> names = {options.variant};
  if (options.variant == "all") names = {"transe", "lerp", "entropy"};
  const Runner runner(dataset, study, options.threads, observer);
  EmbedStudy result;
  result.dataset = dataset.name;

  // Every variant tries the same; then every seed of every variant.
  std::vector<std::vector<Setting>> settings;
  std::vector<Job> jobs;
  for (const std::string& name : names) {
    EmbedOptions own = options;
    own.variant = name;
    LERP_TRY(all, combinations(own, choices));
    for (const Setting& setting : all) {
      LERP_CHECK(check_options(setting.options));
      if (all.size() > 1) jobs.push_back({setting.options, setting.text});
    }
    result.variants.push_back({name, {}, own, {}});
    settings.push_back(std::move(all));
  }
  if (!jobs.empty() && dataset[Split::valid].empty()) {
    return fail("there are no validation facts to choose by", dataset.name,
                "give the options instead of trying them");
  }
  LERP_TRY(trials, runner.run("trying", std::move(jobs)));
  std::size_t at = 0;
  std::vector<Job> finals;
  for (std::size_t v = 0; v < names.size(); ++v) {
    EmbedStudy::Variant& variant = result.variants[v];
    variant.chosen = settings[v].front().options;
    std::string chosen = settings[v].size() == 1 ? "" : settings[v].front().text;
    double best = -1;
    for (const Setting& setting : settings[v]) {
      if (settings[v].size() == 1) break;
      const Embedded& trial = trials[at++];
      variant.trials.push_back({setting.text, valid_mrr(trial), trial.best_epoch});
      if (valid_mrr(trial) <= best) continue;
      best = valid_mrr(trial);
      variant.chosen = setting.options;
      chosen = setting.text;
    }
    for (std::uint32_t seed = 0; seed < study.seeds; ++seed) {
      finals.push_back({variant.chosen, chosen});
      finals.back().options.seed += seed;
    }
  }
  LERP_TRY(runs, runner.run("learning", std::move(finals)));
  for (std::size_t i = 0; i < runs.size(); ++i)
    result.variants[i / study.seeds].runs.push_back(std::move(runs[i]));
  result.seconds = seconds_since(start);
  return result;
}

Spread spread_of(std::span<const double> numbers) {
  Spread spread;
  if (numbers.empty()) return spread;
  const auto count = static_cast<double>(numbers.size());
  spread.mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  if (numbers.size() == 1) return spread;
  double square = 0;
  for (const double number : numbers) square += (number - spread.mean) * (number - spread.mean);
  spread.deviation = std::sqrt(square / (count - 1));
  return spread;
}

std::vector<Embedded> runs_of(const EmbedStudy& study) {
  std::vector<Embedded> runs;
  for (const EmbedStudy::Variant& variant : study.variants)
    runs.insert(runs.end(), variant.runs.begin(), variant.runs.end());
  return runs;
}

}  // namespace lerpp
