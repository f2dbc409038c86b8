// SPDX-License-Identifier: Apache-2.0
#include "train/epoch_report.hpp"

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/memory.hpp>
#include <lerp/base/text.hpp>

namespace lerpp {

EpochReport filled(EpochReport report, const EpochSummary& summary) {
  report.epoch = summary.epoch;
  report.epochs = summary.epochs;
  report.loss = summary.loss;
  report.best = summary.best;
  report.seconds = summary.seconds;
  report.seconds_left = summary.seconds_left;
  report.queries_per_second = summary.queries_per_second;
  report.peak_memory_bytes = peak_memory();
  return report;
}

Json to_json(const EpochReport& report) {
  Json json = {{"stage", report.stage},
               {"epoch", report.epoch},
               {"epochs", report.epochs},
               {"loss", report.loss}};
  if (report.valid) {
    json["valid_mrr"] = report.valid->realistic.mrr;
    json["valid_mrr_optimistic"] = report.valid->optimistic.mrr;
    json["valid_mrr_pessimistic"] = report.valid->pessimistic.mrr;
    json["valid_hits_at_1"] = report.valid->realistic.hits_at_1;
    json["valid_hits_at_10"] = report.valid->realistic.hits_at_10;
  }
  json["best"] = report.best;
  json["rate"] = report.rate;
  json["seconds"] = report.seconds;
  json["queries_per_second"] = report.queries_per_second;
  json["peak_memory_bytes"] = report.peak_memory_bytes;
  return json;
}

std::string to_text(const EpochReport& report) {
  std::string text =
      fmt::format("{} {:>3}/{}   loss {:.3f}", report.stage == "rules" ? "epoch" : report.stage,
                  report.epoch, report.epochs, report.loss);
  if (report.valid) {
    text += fmt::format("   valid MRR {:.3f} (optimistic {:.3f}){}", report.valid->realistic.mrr,
                        report.valid->optimistic.mrr, report.best ? " best" : "     ");
  }
  text +=
      fmt::format("   {} queries/s   {:.1f} s",
                  thousands(static_cast<std::uint64_t>(report.queries_per_second)), report.seconds);
  if (report.seconds_left > 0)
    text += fmt::format("   {} left", duration_text(report.seconds_left));
  return text + fmt::format("   {} MiB", report.peak_memory_bytes >> 20U);
}

}  // namespace lerpp
