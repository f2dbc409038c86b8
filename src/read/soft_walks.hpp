#pragma once

#include <cstdint>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/model/model.hpp>

#include "base/random.hpp"
#include "model/ball.hpp"

namespace lerpp {

/// What operators weigh at a hop of a rule, the identity last.
std::vector<double> hop_weights(const Model& model, OperatorId target, std::size_t rule,
                                std::size_t hop);

/// Constraints c_k of a target's rules at the nodes of a ball, as RuleWeights lays them out.
/// Without values, all are 1.
struct NodeConstraints {
  const float* values = nullptr;
  const std::uint32_t* slots = nullptr;  ///< row of each node
  std::size_t stride = 0;
  std::size_t width = 0;

  double at(std::size_t rule, std::size_t k, std::size_t node) const {
    return values == nullptr ? 1 : double{values[slots[node] * stride + k * width + rule]};
  }
};

/// Follows the soft rules of one target over a ball, and draws the walks behind what they reach, as
/// they carry weight.
class SoftWalks {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// One hop of a walk: by `op` (the identity is 2R) to a node.
  struct Hop {
    OperatorId op = 0;
    std::uint32_t node = 0;
  };

  /// Beyond `frontier` nodes of a ball nothing is passed on; 0 is all.
  SoftWalks(const Model& model, const Graph& graph, OperatorId target, std::size_t frontier);

  /// The ball and the constraints must stay until the next call.
  void follow(const Ball& ball, const NodeConstraints& constraints = {});

  std::uint32_t node_of(EntityId entity) const { return node_of_[entity]; }
  EntityId entity(std::uint32_t node) const { return ball_->nodes[node]; }
  /// Whether a rule has come to a node by this hop.
  bool reaches(std::size_t rule, std::size_t hop, std::uint32_t node) const {
    return node < ball_->within[hop] && mass(rule, hop)[node] > 0;
  }
  /// What the rule adds to the score of a node at this hop.
  double evidence(std::size_t rule, std::size_t hop, std::uint32_t node) const;
  /// The hops of a walk of the rule from the start to the node, first to last. False where rounding
  /// led astray.
  bool draw(std::size_t rule, std::size_t hops, std::uint32_t node, const Mask& mask,
            Random& random, std::vector<Hop>& walk) const;
  /// The operators of a walk, without the identity.
  std::vector<OperatorId> operators(const std::vector<Hop>& walk) const;
  OperatorId identity() const { return graph_.operators(); }

 private:
  std::size_t place(std::size_t rule, std::size_t hop) const {
    return rule * (model_.shape().length + std::size_t{1}) + hop;
  }
  std::vector<double>& mass(std::size_t rule, std::size_t hop) { return mass_[place(rule, hop)]; }
  const std::vector<double>& mass(std::size_t rule, std::size_t hop) const {
    return mass_[place(rule, hop)];
  }
  const std::vector<double>& weights(std::size_t rule, std::size_t hop) const {
    return hops_[rule * model_.shape().length + hop - 1];
  }

  const Model& model_;
  const Graph& graph_;
  OperatorId target_;
  std::size_t frontier_;
  const Ball* ball_ = nullptr;
  NodeConstraints constraints_;
  std::vector<std::vector<double>> hops_;  ///< weights of the operators, of each rule and hop
  std::vector<std::vector<double>> mass_;  ///< of each node, of each rule and hop
  std::vector<std::uint32_t> node_of_;
  std::vector<EntityId> placed_;  ///< entities that have a node
};

}  // namespace lerpp
