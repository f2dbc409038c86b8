// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>

#include <fmt/format.h>

#include <lerp/bench/events.hpp>
#include <lerp/events/baseline.hpp>
#include <lerp/events/induce.hpp>
#include <lerp/events/train.hpp>

#include "base/random.hpp"
#include "events/corpus.hpp"
#include "events/read_events.hpp"

namespace lerpp {
namespace {

constexpr std::uint64_t types = 40;
constexpr std::uint64_t roles = 12;

/// A graph of any size: an event follows one of the ten before it and has two arguments.
std::string made_up_graph(std::uint64_t events) {
  Random random(1);
  std::string nodes;
  std::string arguments;
  std::string order;
  std::string entities;
  for (std::uint64_t i = 0; i < events; ++i) {
    const char* const comma = i == 0 ? "" : ",";
    nodes += fmt::format("{}[\"e{}\",\"Type{}\"]", comma, i, random.below(types));
    entities += fmt::format("{}[\"n{}\",\"Kind{}\"]", comma, i, random.below(8));
    for (int argument = 0; argument < 2; ++argument) {
      const std::uint64_t other = i - std::min(i, random.below(20));
      arguments += fmt::format("{}[\"e{}\",\"Role{}\",\"n{}\"]", argument == 0 ? comma : ",", i,
                               random.below(roles), other);
    }
    if (i > 0) {
      order += fmt::format("{}[\"e{}\",\"e{}\"]", i == 1 ? "" : ",",
                           i - 1 - std::min(i - 1, random.below(10)), i);
    }
  }
  return fmt::format("{{\"events\":[{}],\"entities\":[{}],\"arguments\":[{}],\"order\":[{}]}}\n",
                     nodes, entities, arguments, order);
}

/// Seconds of the processor, the least of a few: others may be busy on the same machine.
double processor_seconds(const std::function<void()>& work) {
  double best = 1e300;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  // The clock ticks in millionths: what is quicker than that took one of them.
  return std::max(best, 1.0 / CLOCKS_PER_SEC);
}

struct Stage {
  const char* name;
  std::function<void()> work;
};

/// Seconds of every stage on one graph.
Result<std::vector<BenchResult>> measure(std::uint64_t events) {
  const std::string text = made_up_graph(events);
  EventData data;
  formats::EventReading reading;
  LERP_CHECK(formats::read_events(text, "made-up graph", reading));
  data[Split::train] = std::move(reading.graphs);
  data.names = std::move(reading.names);
  data.trained = data.names.sizes();
  const EventGraph& graph = data[Split::train][0];

  EventOptions options;
  options.threads = 1;
  options.epochs = 1;
  const EventShape shape = event_shape(options, data.trained, data.trained.event_types);
  EventModel model{shape, data.names, options, "", std::vector<float>(shape.parameters())};
  const auto scorer = make_event_scorer(model);
  std::vector<double> scores(data.trained.event_types);
  const OperatorId after = corpus_operator(shape, shape.before(), true);
  const std::vector<Equation> equations = {{0, Formula::exists(after, has_type(shape, 1))}};
  const auto baseline = [&](EventBaseline name) {
    return [&data, &graph, &scores, name] {
      make_event_baseline(name, data, Ending::reached)->score(graph, scores);
    };
  };
  const Stage stages[] = {
      {"read_seconds",
       [&] {
         formats::EventReading again;
         (void)formats::read_events(text, "made-up graph", again);
       }},
      {"order_seconds", [&] { in_order(graph); }},
      {"ngram_seconds", baseline(EventBaseline::ngram)},
      {"pairwise_seconds", baseline(EventBaseline::pairwise)},
      {"prefixspan_seconds", baseline(EventBaseline::prefixspan)},
      {"train_seconds",
       [&] {
         (void)train_events({{graph}, {{0}}}, {}, shape, options);
       }},
      {"score_seconds", [&] { scorer->score(graph, scores); }},
      {"count_seconds", [&] { count_equations(equations, data[Split::train], shape); }},
  };
  std::vector<BenchResult> results;
  for (const Stage& stage : stages) {
    results.push_back({stage.name, processor_seconds(stage.work), "s"});
  }
  return results;
}

}  // namespace

Result<BenchReport> bench_events(const EventsBenchOptions& options, const Observer& observer) {
  BenchReport report;
  report.bench = "events";
  report.machine = measure_machine(1);
  std::vector<BenchResult> first;
  std::vector<BenchResult> last;
  std::uint64_t largest = options.smallest;
  for (std::uint64_t events = options.smallest; events <= options.largest; events *= 2) {
    if (observer.stopped()) return fail_stopped("measuring");
    observer.report({"measuring", events, options.largest, "events", ""});
    LERP_TRY(results, measure(events));
    if (first.empty()) first = results;
    last = results;
    largest = events;
    for (BenchResult result : results) {
      result.what += fmt::format("_{}", events);
      report.results.push_back(std::move(result));
    }
  }
  if (largest == options.smallest) return report;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double growth =
        std::log(last[i].value / first[i].value) /
        std::log(static_cast<double>(largest) / static_cast<double>(options.smallest));
    report.results.push_back({first[i].what + "_slope", growth, "", 1.0, "linear in the events"});
  }
  return report;
}

}  // namespace lerpp
