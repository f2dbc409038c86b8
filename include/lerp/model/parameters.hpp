// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lerp/kg/fact.hpp>
#include <lerp/model/scopes.hpp>

namespace lerpp {

/// The sizes of a model. Names are the paper's.
struct ModelShape {
  RelationId relations = 0;  ///< R; there are 2R operators and 2R targets
  std::uint32_t width = 80;  ///< m, functions of an entity
  std::uint32_t depth = 2;   ///< T, columns after the first; 0 is DRUM
  std::uint32_t rules = 4;   ///< N, rules of a target
  std::uint32_t length = 3;  ///< K, hops of a rule

  // Beyond the paper.
  std::uint32_t plain = 0;      ///< of the rules, the last so many are chains without constraints
  bool positive = false;        ///< operators weigh exp(a) instead of softmax(a)
  bool evidence = false;        ///< rules add signed log-linear evidence, at every hop
  std::uint32_t prior = 0;      ///< 1: what an answer takes part in speaks for or against it
  std::uint32_t paths = 0;      ///< discrete paths of a target that are weighed one by one
  std::uint32_t constants = 0;  ///< 1: what others with r(x, c) answer speaks for an answer
  std::uint32_t frontier = 0;   ///< entities of a query that pass anything on; 0 is all
  std::uint32_t embedding = 0;  ///< rank of the embedding; 0 is none
  EntityId entities = 0;        ///< only an embedding is about entities
  std::uint32_t list = 0;       ///< rules of a list that answers instead of what is learned
  Scopes scopes = {};           ///< of the targets; all have all where they are not known
  std::uint32_t types = 0;  ///< of entities, which functions start from; 0: they start from true

  /// Column 1 only chains, since there is nothing else to do with what is true everywhere.
  bool only_chains(std::uint32_t column) const { return column == 1 && types == 0; }
  /// Functions that rules can use: none without depth.
  std::uint32_t functions() const { return depth == 0 ? 0 : width; }
  /// Rules of a target that have constraints: the first.
  std::uint32_t constrained() const { return rules - plain; }
  std::uint32_t operators() const { return 2 * relations; }
  /// Operators of a rule: the identity comes last, and lets a rule be shorter than K.
  std::uint32_t rule_operators() const { return operators() + 1; }

  bool operator==(const ModelShape&) const = default;
};

/// How a raw parameter becomes a weight.
enum class Squash : std::uint8_t { softmax, sigmoid, exponential, none };

/// Whose a tensor is. What belongs to a target has the target as its first dimension.
enum class Owner : std::uint8_t { functions, target, entities };

/// What a target has of its own; not every model has every part. How many operators and paths there
/// are is the target's own affair: see Scopes.
enum class Part : std::uint8_t {
  a,         ///< N x K x (operators + 1): operators of the rules
  rho,       ///< (N - plain) x (K+1) x (m+1): constraints of the rules
  w,         ///< N: weights of the rules in a sum
  weight,    ///< N x (K+1): log-odds of a rule at each hop
  scale,     ///< N x (K+1): how soon its evidence saturates
  prior,     ///< operators x 2: the answer takes part in an operator, and how often
  path,      ///< paths x 2: a path exists, and how often
  constant,  ///< operators x 2: others with r(x, c) answer so, for each r
  relation,  ///< 2 x rank
  mix,       ///< 1: weight of the embedding
};
inline constexpr std::size_t part_count = static_cast<std::size_t>(Part::mix) + 1;

/// One named block of raw parameters. Softmaxes run over the last dimension. Where targets differ
/// in size there is one dimension, the parts of one target after those of another.
struct Tensor {
  std::string name;
  std::vector<std::size_t> dimensions;
  std::size_t offset = 0;
  std::size_t size = 0;
  Squash squash = Squash::softmax;
  Owner owner = Owner::functions;
};

/// How large a target's part is: so many parameters, and more for each of its operators and paths.
struct PartSize {
  std::size_t fixed = 0;
  std::size_t per_operator = 0;
  std::size_t per_path = 0;

  /// Parameters of the targets before one.
  std::size_t before(const Scopes& scopes, OperatorId target) const {
    return fixed * target + per_operator * scopes.operators_before(target) +
           per_path * scopes.paths_before(target);
  }
};

/// The tensors of a model, in the order in which they lie in memory: those of the functions first
/// (start where entities have types; alpha.j, p.j, beta_and.j, beta_or.j), then the parts of the
/// targets, then the entities.
std::vector<Tensor> tensors_of(const ModelShape& shape);

/// Raw parameters, or their gradient, in one block.
template <class Real>
class Parameters {
 public:
  Parameters() = default;
  explicit Parameters(const ModelShape& shape);

  const ModelShape& shape() const { return shape_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }
  std::span<Real> values() { return values_; }
  std::span<const Real> values() const { return values_; }

  std::span<Real> tensor(std::size_t index) {
    return std::span<Real>(values_).subspan(tensors_[index].offset, tensors_[index].size);
  }
  std::span<const Real> tensor(std::size_t index) const {
    return std::span<const Real>(values_).subspan(tensors_[index].offset, tensors_[index].size);
  }
  /// v_0 of a function where entities have types: a softmax over "has type t" and, last, "any".
  std::size_t start() const { return 0; }
  /// Where a tensor of column j (counted from 1, as in the paper) stands in tensors().
  std::size_t alpha(std::uint32_t column) const;
  std::size_t p(std::uint32_t column) const;
  std::size_t beta_and(std::uint32_t column) const;
  std::size_t beta_or(std::uint32_t column) const;

  /// All parameters of the functions, which every target shares.
  std::span<Real> shared() { return std::span<Real>(values_).first(shared_size_); }
  std::span<const Real> shared() const {
    return std::span<const Real>(values_).first(shared_size_);
  }
  std::size_t shared_tensors() const { return shared_tensors_; }

  /// The operators that a target has weights for, in the order of its parts.
  std::span<const OperatorId> operators(OperatorId target) const {
    return scopes_.operators(target);
  }
  /// One part of a target; empty where the model has none.
  std::span<Real> of(Part part, OperatorId target) {
    const auto [offset, size] = place(part, target);
    return std::span<Real>(values_).subspan(offset, size);
  }
  std::span<const Real> of(Part part, OperatorId target) const {
    const auto [offset, size] = place(part, target);
    return std::span<const Real>(values_).subspan(offset, size);
  }
  std::span<Real> a(OperatorId target) { return of(Part::a, target); }
  std::span<const Real> a(OperatorId target) const { return of(Part::a, target); }
  std::span<Real> rho(OperatorId target) { return of(Part::rho, target); }
  std::span<const Real> rho(OperatorId target) const { return of(Part::rho, target); }
  /// Of one variable of a rule; empty where the rule has no constraints.
  std::span<const Real> rho(OperatorId target, std::size_t rule, std::size_t variable) const {
    if (rule >= shape_.constrained()) return {};
    const std::size_t choices = shape_.functions() + std::size_t{1};
    return rho(target).subspan((rule * (shape_.length + std::size_t{1}) + variable) * choices,
                               choices);
  }
  std::span<Real> w(OperatorId target) { return of(Part::w, target); }
  std::span<const Real> w(OperatorId target) const { return of(Part::w, target); }

  /// The embedding of the entities: n x 2 x rank.
  std::span<Real> entities() { return std::span<Real>(values_).subspan(entities_offset_); }
  std::span<const Real> entities() const {
    return std::span<const Real>(values_).subspan(entities_offset_);
  }

 private:
  struct Place {
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  /// Where a part begins, and how its size grows with what a target has.
  struct Layout {
    std::size_t offset = 0;
    PartSize size;
  };
  Place place(Part part, OperatorId target) const {
    const Layout& layout = parts_[static_cast<std::size_t>(part)];
    const std::size_t before = layout.size.before(scopes_, target);
    return {layout.offset + before, layout.size.before(scopes_, target + 1) - before};
  }

  ModelShape shape_;
  std::vector<Tensor> tensors_;
  std::size_t shared_tensors_ = 0;
  std::size_t shared_size_ = 0;
  std::size_t entities_offset_ = 0;
  Scopes scopes_;  ///< always known
  std::array<Layout, part_count> parts_ = {};
  std::vector<Real> values_;
};

/// Random raw parameters, drawn the same on every machine.
template <class Real>
Parameters<Real> initial_parameters(const ModelShape& shape, std::uint64_t seed);

}  // namespace lerpp
