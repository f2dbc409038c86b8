#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lerp/events/model.hpp>

#include "events/evidence.hpp"

namespace lerpp {

/// The columns of one graph, kept for the way back.
struct FunctionColumns {
  struct Column {
    std::vector<double> values;  ///< v, a row of `width` for each node
    std::vector<double> chain;   ///< what the column's operations were given
    std::vector<double> conjunction;
    std::vector<double> disjunction;
  };
  std::vector<Column> columns;
  std::vector<double> sums;  ///< of the last column over all nodes, for each function
};

/// The logical functions of docs/events.md with fixed parameters. One object serves several
/// threads.
class EventFunctions {
 public:
  /// Takes the softmaxes of the raw parameters.
  EventFunctions(const EventShape& shape, std::span<const double> parameters);

  const EventShape& shape() const { return shape_; }
  /// The softmaxes, laid out as the parameters.
  std::span<const double> shares() const { return shares_; }

  /// Time is linear in nodes and links.
  void forward(const NodeGraph& nodes, FunctionColumns& columns) const;
  /// The sums alone: holds two columns instead of all.
  std::vector<double> sums(const NodeGraph& nodes) const;
  /// Adds to `gradient`, that of the shares, what a change of the sums is worth.
  void backward(const NodeGraph& nodes, const FunctionColumns& columns,
                std::span<const double> sums_gradient, std::span<double> gradient) const;
  /// Turns a gradient of the shares into one of the raw parameters.
  void to_raw(std::span<double> gradient) const;

 private:
  void first_column(const NodeGraph& nodes, std::vector<double>& values) const;
  void next_column(const NodeGraph& nodes, std::uint32_t column, const std::vector<double>& before,
                   FunctionColumns::Column& out) const;
  void column_back(const NodeGraph& nodes, std::uint32_t column, const std::vector<double>& before,
                   const FunctionColumns::Column& out, const std::vector<double>& out_gradient,
                   std::vector<double>& before_gradient, std::span<double> gradient) const;
  std::vector<double> column_sums(const std::vector<double>& values) const;

  EventShape shape_;
  std::vector<double> shares_;
};

}  // namespace lerpp
