#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lerp/kg/fact.hpp>

namespace lerpp {

/// The sizes of a model. Names are the paper's.
struct ModelShape {
  RelationId relations = 0;  ///< R; there are 2R operators and 2R targets
  std::uint32_t width = 80;  ///< m, functions of an entity
  std::uint32_t depth = 2;   ///< T, columns after the first; 0 is DRUM
  std::uint32_t rules = 4;   ///< N, rules of a target
  std::uint32_t length = 3;  ///< K, hops of a rule

  /// Functions that rules can use: none without depth.
  std::uint32_t functions() const { return depth == 0 ? 0 : width; }
  std::uint32_t operators() const { return 2 * relations; }
  /// Operators of a rule: the identity comes last, and lets a rule be shorter than K.
  std::uint32_t rule_operators() const { return operators() + 1; }

  bool operator==(const ModelShape&) const = default;
};

/// How a raw parameter becomes a weight.
enum class Squash { softmax, sigmoid };

/// One named block of raw parameters. Softmaxes run over the last dimension.
struct Tensor {
  std::string name;
  std::vector<std::size_t> dimensions;
  std::size_t offset = 0;
  std::size_t size = 0;
  Squash squash = Squash::softmax;
};

/// The tensors of a model, in the order in which they lie in memory: those of the functions first
/// (alpha.j, p.j, beta_and.j, beta_or.j), then those of the rules (a, rho, w) with the target
/// first.
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
  /// Where a tensor of column j (counted from 1, as in the paper) stands in tensors().
  std::size_t alpha(std::uint32_t column) const;
  std::size_t p(std::uint32_t column) const;
  std::size_t beta_and(std::uint32_t column) const;
  std::size_t beta_or(std::uint32_t column) const;

  /// All parameters of the functions, which every target shares.
  std::span<Real> shared() { return std::span<Real>(values_).first(shared_size()); }
  std::span<const Real> shared() const {
    return std::span<const Real>(values_).first(shared_size());
  }
  /// What belongs to one target: N x K x (2R+1), N x (K+1) x (m+1), N.
  std::span<Real> a(OperatorId target) { return of_target(tensors_.size() - 3, target); }
  std::span<const Real> a(OperatorId target) const {
    return of_target(tensors_.size() - 3, target);
  }
  std::span<Real> rho(OperatorId target) { return of_target(tensors_.size() - 2, target); }
  std::span<const Real> rho(OperatorId target) const {
    return of_target(tensors_.size() - 2, target);
  }
  std::span<Real> w(OperatorId target) { return of_target(tensors_.size() - 1, target); }
  std::span<const Real> w(OperatorId target) const {
    return of_target(tensors_.size() - 1, target);
  }

 private:
  std::size_t shared_size() const { return tensors_[tensors_.size() - 3].offset; }
  std::span<Real> of_target(std::size_t index, OperatorId target) {
    const std::size_t share = tensors_[index].size / shape_.operators();
    return tensor(index).subspan(target * share, share);
  }
  std::span<const Real> of_target(std::size_t index, OperatorId target) const {
    const std::size_t share = tensors_[index].size / shape_.operators();
    return tensor(index).subspan(target * share, share);
  }

  ModelShape shape_;
  std::vector<Tensor> tensors_;
  std::vector<Real> values_;
};

/// Random raw parameters, drawn the same on every machine.
template <class Real>
Parameters<Real> initial_parameters(const ModelShape& shape, std::uint64_t seed);

}  // namespace lerpp
