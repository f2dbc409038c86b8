#include "events/event_functions.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lerpp {
namespace {

std::vector<EventBlock> softmaxes(const EventShape& shape) {
  std::vector<EventBlock> blocks = {shape.start()};
  for (std::uint32_t column = 0; column < shape.columns; ++column) {
    for (const EventBlock& block : {shape.chaining(column), shape.conjunction(column),
                                    shape.disjunction(column), shape.operation(column)}) {
      blocks.push_back(block);
    }
  }
  return blocks;
}

/// The tables of one column, in shares or in their gradient.
template <class Value>
struct Tables {
  Tables(const EventShape& shape, std::uint32_t column, std::span<Value> values)
      : chaining(values.data() + shape.chaining(column).start),
        conjunction(values.data() + shape.conjunction(column).start),
        disjunction(values.data() + shape.disjunction(column).start),
        operation(values.data() + shape.operation(column).start) {}

  Value* chaining;
  Value* conjunction;
  Value* disjunction;
  Value* operation;
};

/// out_i = sum_k table[k][i] in_k
void mix(const double* table, const double* in, double* out, std::size_t width) {
  std::fill_n(out, width, 0.0);
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t i = 0; i < width; ++i) out[i] += table[k * width + i] * in[k];
  }
}

void mix_back(const double* table, const double* in, const double* out_gradient,
              double* in_gradient, double* table_gradient, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < width; ++i) {
      sum += table[k * width + i] * out_gradient[i];
      table_gradient[k * width + i] += in[k] * out_gradient[i];
    }
    in_gradient[k] += sum;
  }
}

}  // namespace

EventFunctions::EventFunctions(const EventShape& shape, std::span<const double> parameters)
    : shape_(shape),
      shares_(parameters.begin(),
              parameters.begin() + static_cast<std::ptrdiff_t>(shape.function_parameters())) {
  for (const EventBlock& block : softmaxes(shape_)) {
    for (std::size_t i = 0; i < block.columns; ++i) {
      double* const top = shares_.data() + block.start + i;
      double largest = top[0];
      for (std::size_t r = 0; r < block.rows; ++r) {
        largest = std::max(largest, top[r * block.columns]);
      }
      double sum = 0;
      for (std::size_t r = 0; r < block.rows; ++r) {
        top[r * block.columns] = std::exp(top[r * block.columns] - largest);
        sum += top[r * block.columns];
      }
      for (std::size_t r = 0; r < block.rows; ++r) top[r * block.columns] /= sum;
    }
  }
}

void EventFunctions::first_column(const NodeGraph& nodes, std::vector<double>& values) const {
  const std::size_t width = shape_.width;
  const double* const start = shares_.data() + shape_.start().start;
  const double* const any = start + shape_.node_types() * width;
  values.resize(nodes.types.size() * width);
  for (std::size_t node = 0; node < nodes.types.size(); ++node) {
    const LabelId type = nodes.types[node];
    for (std::size_t i = 0; i < width; ++i) {
      values[node * width + i] =
          any[i] + (type < shape_.node_types() ? start[type * width + i] : 0.0);
    }
  }
}

void EventFunctions::next_column(const NodeGraph& nodes, std::uint32_t column,
                                 const std::vector<double>& before,
                                 FunctionColumns::Column& out) const {
  const std::size_t width = shape_.width;
  const Tables<const double> tables(shape_, column, shares_);
  const double* const p = tables.operation;
  for (std::vector<double>* part : {&out.values, &out.chain, &out.conjunction, &out.disjunction}) {
    part->resize(before.size());
  }
  for (std::size_t node = 0; node < nodes.types.size(); ++node) {
    const std::size_t row = node * width;
    double* const chain = out.chain.data() + row;
    std::fill_n(chain, width, 0.0);
    for (const Edge& edge : nodes.graph.edges(static_cast<EntityId>(node))) {
      const double* const alpha = tables.chaining + edge.op * width;
      const double* const there = before.data() + edge.target * width;
      for (std::size_t i = 0; i < width; ++i) chain[i] += alpha[i] * there[i];
    }
    const double* const v = before.data() + row;
    double* const both = out.conjunction.data() + row;
    double* const either = out.disjunction.data() + row;
    mix(tables.conjunction, v, both, width);
    mix(tables.disjunction, v, either, width);
    for (std::size_t i = 0; i < width; ++i) {
      chain[i] = -std::expm1(-chain[i]);
      out.values[row + i] = p[i] + p[width + i] * chain[i] + p[2 * width + i] * (1 - v[i]) +
                            p[3 * width + i] * v[i] + p[4 * width + i] * v[i] * both[i] +
                            p[5 * width + i] * (1 - (1 - v[i]) * (1 - either[i]));
    }
  }
}

std::vector<double> EventFunctions::column_sums(const std::vector<double>& values) const {
  std::vector<double> result(shape_.width);
  for (std::size_t row = 0; row < values.size(); row += shape_.width) {
    for (std::size_t i = 0; i < shape_.width; ++i) result[i] += values[row + i];
  }
  return result;
}

void EventFunctions::forward(const NodeGraph& nodes, FunctionColumns& columns) const {
  columns.columns.resize(shape_.columns + std::size_t{1});
  first_column(nodes, columns.columns[0].values);
  for (std::uint32_t column = 0; column < shape_.columns; ++column) {
    next_column(nodes, column, columns.columns[column].values, columns.columns[column + 1]);
  }
  columns.sums = column_sums(columns.columns.back().values);
}

std::vector<double> EventFunctions::sums(const NodeGraph& nodes) const {
  std::vector<double> values;
  first_column(nodes, values);
  FunctionColumns::Column next;
  for (std::uint32_t column = 0; column < shape_.columns; ++column) {
    next_column(nodes, column, values, next);
    std::swap(values, next.values);
  }
  return column_sums(values);
}

void EventFunctions::column_back(const NodeGraph& nodes, std::uint32_t column,
                                 const std::vector<double>& before,
                                 const FunctionColumns::Column& out,
                                 const std::vector<double>& out_gradient,
                                 std::vector<double>& before_gradient,
                                 std::span<double> gradient) const {
  const std::size_t width = shape_.width;
  const Tables<const double> tables(shape_, column, shares_);
  const Tables<double> into(shape_, column, gradient);
  const double* const p = tables.operation;
  std::vector<double> both_gradient(width);
  std::vector<double> either_gradient(width);
  std::vector<double> chain_gradient(width);
  for (std::size_t node = 0; node < nodes.types.size(); ++node) {
    const std::size_t row = node * width;
    const double* const v = before.data() + row;
    const double* const chain = out.chain.data() + row;
    const double* const both = out.conjunction.data() + row;
    const double* const either = out.disjunction.data() + row;
    double* const v_gradient = before_gradient.data() + row;
    for (std::size_t i = 0; i < width; ++i) {
      const double d = out_gradient[row + i];
      into.operation[i] += d;
      into.operation[width + i] += d * chain[i];
      into.operation[2 * width + i] += d * (1 - v[i]);
      into.operation[3 * width + i] += d * v[i];
      into.operation[4 * width + i] += d * v[i] * both[i];
      into.operation[5 * width + i] += d * (1 - (1 - v[i]) * (1 - either[i]));
      v_gradient[i] += d * (p[3 * width + i] - p[2 * width + i] + p[4 * width + i] * both[i] +
                            p[5 * width + i] * (1 - either[i]));
      both_gradient[i] = d * p[4 * width + i] * v[i];
      either_gradient[i] = d * p[5 * width + i] * (1 - v[i]);
      chain_gradient[i] = d * p[width + i] * (1 - chain[i]);
    }
    mix_back(tables.conjunction, v, both_gradient.data(), v_gradient, into.conjunction, width);
    mix_back(tables.disjunction, v, either_gradient.data(), v_gradient, into.disjunction, width);
    for (const Edge& edge : nodes.graph.edges(static_cast<EntityId>(node))) {
      const double* const alpha = tables.chaining + edge.op * width;
      double* const alpha_gradient = into.chaining + edge.op * width;
      const double* const there = before.data() + edge.target * width;
      double* const there_gradient = before_gradient.data() + edge.target * width;
      for (std::size_t i = 0; i < width; ++i) {
        alpha_gradient[i] += chain_gradient[i] * there[i];
        there_gradient[i] += chain_gradient[i] * alpha[i];
      }
    }
  }
}

void EventFunctions::backward(const NodeGraph& nodes, const FunctionColumns& columns,
                              std::span<const double> sums_gradient,
                              std::span<double> gradient) const {
  assert(gradient.size() >= shape_.function_parameters());
  const std::size_t width = shape_.width;
  const std::size_t size = nodes.types.size() * width;
  std::vector<double> out_gradient(size);
  for (std::size_t place = 0; place < size; ++place) {
    out_gradient[place] = sums_gradient[place % width];
  }
  for (std::uint32_t column = shape_.columns; column-- > 0;) {
    std::vector<double> before_gradient(size);
    column_back(nodes, column, columns.columns[column].values, columns.columns[column + 1],
                out_gradient, before_gradient, gradient);
    out_gradient = std::move(before_gradient);
  }
  double* const start = gradient.data() + shape_.start().start;
  for (std::size_t node = 0; node < nodes.types.size(); ++node) {
    for (std::size_t i = 0; i < width; ++i) {
      const double d = out_gradient[node * width + i];
      start[shape_.node_types() * width + i] += d;
      if (nodes.types[node] < shape_.node_types()) start[nodes.types[node] * width + i] += d;
    }
  }
}

void EventFunctions::to_raw(std::span<double> gradient) const {
  for (const EventBlock& block : softmaxes(shape_)) {
    for (std::size_t i = 0; i < block.columns; ++i) {
      double mean = 0;
      for (std::size_t r = 0; r < block.rows; ++r) {
        const std::size_t place = block.start + r * block.columns + i;
        mean += shares_[place] * gradient[place];
      }
      for (std::size_t r = 0; r < block.rows; ++r) {
        const std::size_t place = block.start + r * block.columns + i;
        gradient[place] = shares_[place] * (gradient[place] - mean);
      }
    }
  }
}

}  // namespace lerpp
