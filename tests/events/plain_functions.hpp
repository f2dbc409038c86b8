// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "events/evidence.hpp"

/// What event models compute, from the definitions of docs/events.md: plain loops in double
/// precision, slow and short, to compare the program with.
namespace lerpp::test {

/// The softmax of some raw parameters.
inline std::vector<double> plain_softmax(std::span<const double> raw) {
  std::vector<double> shares(raw.begin(), raw.end());
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share);
  for (double& share : shares) share /= sum;
  return shares;
}

/// A row of `width` values for each node: the last column of the functions.
class PlainFunctions {
 public:
  PlainFunctions(const NodeGraph& nodes, const EventShape& shape, std::span<const double> raw)
      : nodes_(nodes), shape_(shape), layout_(shape.functions()), raw_(raw) {}

  std::vector<std::vector<double>> values() const {
    std::vector<std::vector<double>> v(nodes_.types.size(), std::vector<double>(shape_.width));
    for (std::size_t i = 0; i < shape_.width; ++i) {
      const std::vector<double> start = softmax(layout_.start(), i);
      for (std::size_t x = 0; x < v.size(); ++x) {
        v[x][i] = start.back();
        if (nodes_.types[x] < shape_.node_types()) v[x][i] += start[nodes_.types[x]];
      }
    }
    for (std::uint32_t j = 1; j <= shape_.columns; ++j) v = next(v, j);
    return v;
  }

 private:
  std::vector<double> softmax(std::size_t tensor, std::size_t i) const {
    const Tensor& place = layout_.tensors()[tensor];
    const std::size_t count = place.dimensions.back();
    return plain_softmax(raw_.subspan(place.offset + i * count, count));
  }

  std::vector<std::vector<double>> next(const std::vector<std::vector<double>>& v,
                                        std::uint32_t j) const {
    std::vector<std::vector<double>> result = v;
    for (std::size_t i = 0; i < shape_.width; ++i) {
      const auto alpha = softmax(layout_.alpha(j), i);
      const auto p = softmax(layout_.p(j), i);
      const auto partner_and = softmax(layout_.beta_and(j), i);
      const auto partner_or = softmax(layout_.beta_or(j), i);
      for (EntityId x = 0; x < v.size(); ++x) {
        double chain = 0;  // over all y and r with r(y, x), of either direction
        for (const Edge& edge : nodes_.graph.edges(x)) {
          chain += alpha[nodes_.graph.inverse(edge.op)] * v[edge.target][i];
        }
        double both = 0;
        double either = 0;
        for (std::size_t k = 0; k < shape_.width; ++k) {
          both += partner_and[k] * v[x][k];
          either += partner_or[k] * v[x][k];
        }
        const double own = v[x][i];
        result[x][i] = p[0] + p[1] * (1 - std::exp(-chain)) + p[2] * (1 - own) + p[3] * own +
                       p[4] * own * both + p[5] * (1 - (1 - own) * (1 - either));
      }
    }
    return result;
  }

  const NodeGraph& nodes_;
  EventShape shape_;
  Parameters<float> layout_;
  std::span<const double> raw_;
};

}  // namespace lerpp::test
