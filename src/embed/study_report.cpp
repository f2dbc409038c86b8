// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>

#include <fmt/format.h>

#include <lerp/base/options_json.hpp>
#include <lerp/embed/study.hpp>

namespace lerpp {
namespace {

/// What a run reached, by the name of its column; nothing where a split has no facts.
struct Column {
  const char* key;
  const char* title;
  std::optional<double> (*value)(const Embedded&);
};

const EmbedEpoch& best_epoch(const Embedded& run) {
  return run.epochs[run.best_epoch - 1];
}

constexpr std::array columns = {
    Column{"train_mrr", "train", [](const Embedded& run) { return best_epoch(run).train_mrr; }},
    Column{"valid_mrr", "valid", [](const Embedded& run) { return best_epoch(run).valid_mrr; }},
    Column{"test_mrr", "test", [](const Embedded& run) { return best_epoch(run).test_mrr; }},
    Column{"last_test_mrr", "test, last epoch",
           [](const Embedded& run) { return run.epochs.back().test_mrr; }},
};

std::vector<double> numbers_of(const EmbedStudy::Variant& variant, const Column& column) {
  std::vector<double> numbers;
  for (const Embedded& run : variant.runs) {
    if (const std::optional<double> number = column.value(run)) numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

Json to_json(const EmbedStudy& study) {
  Json json = {{"dataset", study.dataset}, {"seconds", study.seconds}, {"variants", Json::array()}};
  for (const EmbedStudy::Variant& variant : study.variants) {
    Json one = {{"variant", variant.name}, {"seeds", variant.runs.size()}};
    for (const Column& column : columns) {
      const std::vector<double> numbers = numbers_of(variant, column);
      if (numbers.empty()) continue;
      const Spread spread = spread_of(numbers);
      one[column.key] = {
          {"mean", spread.mean}, {"deviation", spread.deviation}, {"values", numbers}};
    }
    one["chosen"] = options_to_json(variant.chosen);
    one["trials"] = Json::array();
    for (const EmbedStudy::Trial& trial : variant.trials) {
      one["trials"].push_back({{"settings", trial.settings},
                               {"valid_mrr", trial.valid_mrr},
                               {"best_epoch", trial.best_epoch}});
    }
    one["runs"] = Json::array();
    for (const Embedded& run : variant.runs) one["runs"].push_back(to_json(run));
    json["variants"].push_back(std::move(one));
  }
  return json;
}

std::string to_text(const EmbedStudy& study) {
  std::string text;
  for (const EmbedStudy::Variant& variant : study.variants) {
    for (const EmbedStudy::Trial& trial : variant.trials) {
      text += fmt::format("{:<8} {:<32} valid MRR {:.3f} at epoch {}\n", variant.name,
                          trial.settings, trial.valid_mrr, trial.best_epoch);
    }
  }
  text += fmt::format("{:<8}", "MRR");
  for (const Column& column : columns) text += fmt::format("  {:>16}", column.title);
  text += "  chosen";
  for (const EmbedStudy::Variant& variant : study.variants) {
    text += fmt::format("\n{:<8}", variant.name);
    for (const Column& column : columns) {
      const std::vector<double> numbers = numbers_of(variant, column);
      const Spread spread = spread_of(numbers);
      text += fmt::format("  {:>16}",
                          numbers.empty() ? "-"
                          : numbers.size() == 1
                              ? fmt::format("{:.3f}", spread.mean)
                              : fmt::format("{:.3f} ± {:.3f}", spread.mean, spread.deviation));
    }
    text += fmt::format("  margin {} rate {}", variant.chosen.margin, variant.chosen.rate);
    if (variant.name != "transe") text += fmt::format(" eta {}", variant.chosen.eta);
  }
  return text;
}

std::string curves_csv(std::span<const Embedded> runs) {
  std::string text = "variant,seed,epoch,loss,train_mrr,valid_mrr,test_mrr\n";
  const auto cell = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6f}", *value) : std::string();
  };
  for (const Embedded& run : runs) {
    for (const EmbedEpoch& epoch : run.epochs) {
      text += fmt::format("{},{},{},{:.6f},{},{},{}\n", run.options.variant, run.options.seed,
                          epoch.epoch, epoch.loss, cell(epoch.train_mrr), cell(epoch.valid_mrr),
                          cell(epoch.test_mrr));
    }
  }
  return text;
}

}  // namespace lerpp
