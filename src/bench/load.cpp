// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <lerp/base/files.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/bench/load.hpp>
#include <lerp/kg/generate.hpp>

#include "bench/timing.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// A file that goes when the benchmark does.
struct TemporaryFile {
  fs::path path = fs::temp_directory_path() / fmt::format("lerp-bench-{}.tsv", ::getpid());
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

Result<void> write_triples(const fs::path& path, const Dataset& dataset,
                           const std::vector<Fact>& facts) {
  LERP_TRY(file, AtomicFile::create(path));
  for (const Fact& fact : facts) {
    file.write(dataset.entities.name(fact.subject));
    file.write("\t");
    file.write(dataset.relations.name(fact.relation));
    file.write("\t");
    file.write(dataset.entities.name(fact.object));
    file.write("\n");
  }
  return file.commit();
}

/// The yardstick of reading: how fast the same threads merely find the ends of the lines.
double scan_seconds(std::string_view text, unsigned threads) {
  const unsigned workers = worker_count(threads);
  std::vector<std::size_t> lines(workers * std::size_t{16});
  const Stopwatch watch;
  run_workers(workers, [&](unsigned worker) {
    const auto [first, last] = slice(text.size(), worker, workers);
    const char* at = text.data() + first;
    const char* const end = text.data() + last;
    std::size_t found = 0;
    while (at < end) {
      const void* next = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
      if (next == nullptr) break;
      ++found;
      at = static_cast<const char*>(next) + 1;
    }
    lines[worker * std::size_t{16}] = found;
  });
  const double seconds = watch.seconds();
  // The count is used, so that the scan cannot be dropped.
  return std::accumulate(lines.begin(), lines.end(), std::size_t{0}) > 0 ? seconds : 0;
}

}  // namespace

Result<BenchReport> bench_load(const LoadBenchOptions& options, const Observer& observer) {
  ScaleOptions scale;
  scale.facts = options.facts;
  scale.entities = options.entities;
  scale.relations = options.relations;
  const TemporaryFile file;
  {
    LERP_TRY(generated, generate_scale(scale, observer));
    std::vector<Fact> facts;
    for (const Split split : all_splits) {
      facts.insert(facts.end(), generated.dataset[split].begin(), generated.dataset[split].end());
    }
    LERP_CHECK(write_triples(file.path, generated.dataset, facts));
  }

  BenchReport report{.bench = "load", .machine = measure_machine(options.threads), .results = {}};
  LoadOptions load_options;
  load_options.threads = options.threads;
  std::vector<double> scans, reads, builds, totals;
  double facts = 0;
  double graph_bytes = 0;
  double name_bytes = 0;
  double file_bytes = 0;
  for (unsigned run = 0; run < options.runs; ++run) {
    {
      LERP_TRY(bytes, read_file(file.path));
      file_bytes = static_cast<double>(bytes.view().size());
      scan_seconds(bytes.view(), options.threads);  // brings the pages in
      scans.push_back(scan_seconds(bytes.view(), options.threads));
    }
    const Stopwatch whole;
    LERP_TRY(dataset, load(file.path, load_options, observer));
    reads.push_back(whole.seconds());
    const Stopwatch building;
    const Graph graph = dataset.known_graph(KnownSplits::train, options.threads);
    builds.push_back(building.seconds());
    totals.push_back(whole.seconds());
    facts = static_cast<double>(graph.facts());
    const std::vector<Fact>& train = dataset[Split::train];
    graph_bytes = static_cast<double>(graph.bytes() + train.capacity() * sizeof(Fact));
    name_bytes = static_cast<double>(dataset.entities.bytes() + dataset.relations.bytes());
  }

  const double per_second = facts / median(totals);
  report.results = {
      {"facts_per_second", per_second, "1/s", facts / median(scans), "a bare scan for line ends"},
      {"read_seconds", median(reads), "s"},
      {"graph_seconds", median(builds), "s"},
      {"file_gb_s", file_bytes / median(totals) * 1e-9, "GB/s", report.machine.triad_gb_s,
       "memory bandwidth"},
      {"bytes_per_fact", graph_bytes / facts, "B", 40.0, "what we allow ourselves"},
      {"name_bytes_per_entity", name_bytes / std::max<double>(1, options.entities), "B"},
  };
  return report;
}

}  // namespace lerpp
