#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <sys/resource.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/train/train.hpp>

namespace lerpp {

std::uint64_t peak_memory() {
  // VmHWM rather than getrusage: it can be reset, and then counts from there.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void reset_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << "5\n";
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
