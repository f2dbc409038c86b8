// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"
#include "events/event_loss.hpp"
#include "events/event_text.hpp"
#include "events/plain_functions.hpp"

namespace lerpp {
namespace {

EventShape shape_to_compare(const char* readout) {
  EventOptions options;
  options.width = *rc::gen::inRange(1, 4);
  options.columns = *rc::gen::inRange(1, 4);
  options.last = true;
  options.own = true;
  options.readout = readout;
  return event_shape(options, random_sizes, 3);
}

std::vector<double> random_values(std::size_t count) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<double> values(count);
  for (double& value : values) value = 2 * random.real() - 1;
  return values;
}

/// The change of f with one of its numbers, by a small step to both sides.
template <class Function>
double slope_at(double& x, const Function& f) {
  constexpr double step = 1e-5;
  const double kept = x;
  x = kept + step;
  const double up = f();
  x = kept - step;
  const double down = f();
  x = kept;
  return (up - down) / (2 * step);
}

RC_GTEST_PROP(FunctionsOfTypes, are_those_of_the_definition, ()) {
  const EventShape shape = shape_to_compare("some");
  const std::vector<EventGraph> graphs = {random_event_graph(), random_event_graph()};
  const NodeGraph nodes = node_graph(graphs, shape);
  Parameters<double> raw(shape.functions());
  RC_ASSERT(raw.values().size() == shape.function_parameters());
  const std::vector<double> values = random_values(raw.values().size());
  std::copy(values.begin(), values.end(), raw.values().begin());

  FunctionWeights<double> weights(shape.functions());
  weights.take(raw);
  Functions<double> functions(nodes.graph, shape.functions(), nodes.types);
  // One graph of the two, so that not every node has a row.
  std::vector<EntityId> entities;
  for (EntityId node = nodes.starts[1]; node < nodes.starts[2]; ++node) entities.push_back(node);
  functions.begin(weights, entities, nullptr, true);
  Buffer<double> scratch;
  functions.forward(scratch);
  const auto expected = test::PlainFunctions(nodes, shape, raw.values()).values();
  std::vector<double> slopes = random_values(shape.width);
  for (std::size_t row = 0; row < entities.size(); ++row) {
    for (std::size_t i = 0; i < shape.width; ++i) {
      const std::size_t place = row * functions.width() + i;
      RC_ASSERT(std::abs(functions.values()[place] - expected[entities[row]][i]) < 1e-12);
      functions.gradient()[place] = slopes[i];
    }
    std::fill_n(functions.gradient() + row * functions.width() + shape.width,
                functions.width() - shape.width, 0.0);
  }

  functions.backward();
  std::vector<double> gradient(raw.values().size());
  functions.store(raw, gradient);
  const auto weighed = [&] {
    const auto now = test::PlainFunctions(nodes, shape, raw.values()).values();
    double sum = 0;
    for (const EntityId entity : entities) {
      for (std::size_t i = 0; i < shape.width; ++i) sum += slopes[i] * now[entity][i];
    }
    return sum;
  };
  // Each tensor is looked at in some places.
  for (std::size_t i = 0; i < gradient.size(); i += 5) {
    RC_ASSERT(std::abs(slope_at(raw.values()[i], weighed) - gradient[i]) < 1e-6);
  }
}

/// The loss of one graph, in double precision.
double plain_loss(const EventExamples& examples, const EventShape& shape,
                  std::span<const double> parameters, bool softmax) {
  const NodeGraph& nodes = examples.nodes;
  std::vector<double> sums(shape.width);
  std::vector<std::vector<double>> own(shape.heads, sums);
  double events = 0;
  const auto values = test::PlainFunctions(nodes, shape, parameters).values();
  for (std::size_t x = 0; x < values.size(); ++x) {
    if (nodes.types[x] < shape.heads) ++events;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += values[x][i];
      if (nodes.types[x] < shape.heads) own[nodes.types[x]][i] += values[x][i];
    }
  }
  std::vector<double> scores(shape.heads);
  const auto add = [&](const Evidence& evidence) {
    for (std::size_t h = 0; h < shape.heads; ++h) {
      scores[h] += evidence.value *
                   parameters[shape.weights().start + evidence.row * std::size_t{shape.heads} + h];
    }
  };
  for (const Evidence& evidence : examples.evidence[0].plain) add(evidence);
  for (const Evidence& evidence : function_evidence(shape, sums, examples.nodes.types.size())) {
    add(evidence);
  }
  for (const Repeat& repeat : examples.evidence[0].repeats) {
    for (std::size_t i = 0; i < repeat.values.size(); ++i) {
      scores[repeat.head] += repeat.values[i] * parameters[shape.repeat_weights().start + i];
    }
  }
  for (std::size_t h = 0; h < shape.heads; ++h) {
    const auto count = static_cast<double>(std::ranges::count(nodes.types, h));
    if (shape.readout == EventReadout::each && count == 0) {
      scores[h] = -std::numeric_limits<double>::infinity();
    }
    for (std::size_t i = 0; i < shape.width && count > 0; ++i) {
      if (shape.readout == EventReadout::each) {
        scores[h] +=
            own[h][i] / count *
            parameters[shape.weights().start + (shape.function_row() + 2 * i) * shape.heads + h];
        continue;
      }
      const auto said = own_evidence(own[h][i], events);
      for (std::size_t k = 0; k < 3; ++k)
        scores[h] += said[k] * parameters[shape.own_weights().start + 3 * i + k];
    }
  }
  std::vector<double> slope(shape.heads);
  return head_loss(scores, examples.gold[0], softmax, slope);
}

RC_GTEST_PROP(EventLoss, has_the_gradient_that_small_steps_show, (bool softmax)) {
  const EventShape shape = shape_to_compare(*rc::gen::element("some", "share", "each"));
  // A head that is silent cannot be right.
  EventGraph graph = random_event_graph();
  graph.events.insert(graph.events.end(), {0, 2});
  const EventExamples examples = event_examples({{graph}, {{0, 2}}}, shape);
  std::vector<double> parameters = random_values(shape.parameters());
  // Both must start from the same numbers.
  for (double& value : parameters) value = double{static_cast<float>(value)};
  const std::vector<float> single(parameters.begin(), parameters.end());
  const EventFunctions functions(shape, single);
  EventLoss loss(shape, examples, softmax);
  const std::uint32_t first[] = {0};
  double value = 0;
  std::vector<float> gradient(single.size());
  loss.learn(functions, single, first, std::span(&value, 1), gradient);
  const auto plain = [&] { return plain_loss(examples, shape, parameters, softmax); };
  RC_ASSERT(std::abs(value - plain()) < 1e-5);
  double again = 0;
  loss.measure(functions, single, first, std::span(&again, 1));
  RC_ASSERT(again == value);
  for (std::size_t i = 0; i < parameters.size(); i += 7) {
    RC_ASSERT(std::abs(slope_at(parameters[i], plain) - double{gradient[i]}) < 2e-4);
  }
}

/// Parameters so far apart that every softmax is one choice.
class Chosen {
 public:
  explicit Chosen(const EventShape& shape)
      : layout_(shape.functions()), values(shape.parameters()) {}
  void choose(std::size_t tensor, std::size_t function, std::size_t choice) {
    const Tensor& place = layout_.tensors()[tensor];
    values[place.offset + function * place.dimensions.back() + choice] = 60;
  }
  const Parameters<float>& layout() const { return layout_; }

 private:
  Parameters<float> layout_;

 public:
  std::vector<float> values;
};

TEST(EventFunctions, hold_where_the_formula_holds) {
  const formats::EventReading reading = read_lines(small_story);
  EventOptions options;
  options.width = 2;
  const EventShape shape = event_shape(options, reading.names.sizes(), 1);
  Chosen chosen(shape);
  const Parameters<float>& layout = chosen.layout();
  const LabelId attack = *reading.names.event_types.find("Attack");
  // Function 0: some attack comes before; then not that. Function 1: is an attack; kept.
  for (const std::size_t function : {0U, 1U}) chosen.choose(layout.start(), function, attack);
  chosen.choose(layout.alpha(1), 0, shape.before());
  chosen.choose(layout.p(1), 0, 1);
  chosen.choose(layout.p(2), 0, 2);
  chosen.choose(layout.p(1), 1, 3);
  chosen.choose(layout.p(2), 1, 3);
  const NodeGraph nodes = node_graph(reading.graphs, shape);
  FunctionSums sums(nodes, shape);
  const std::uint32_t first[] = {0};
  sums.forward(EventFunctions(shape, chosen.values), first, false);
  // Two events come after the attack: of them "not" is 1 - clamp(1). Three other nodes do not.
  EXPECT_NEAR(sums.of_graph(0)[0], 3 + 2 * std::exp(-1.0), 1e-6);
  EXPECT_NEAR(sums.of_graph(0)[1], 1, 1e-6);
}

}  // namespace
}  // namespace lerpp
