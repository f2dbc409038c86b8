// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/model/parameters.hpp>

/// TransE, with the logical functions of an entity as part of its vector:
///
///     embed'(e) = embed(e) + W L(e), at unit length
///     d(s, r, o) = | embed'(s) + rel(r) - embed'(o) |_1
namespace lerpp {

struct TransEShape {
  EntityId entities = 0;
  RelationId relations = 0;  ///< R; head queries have vectors of their own, so there are 2R
  std::uint32_t dimension = 20;
  std::uint32_t width = 0;  ///< m, functions of an entity; 0 is plain TransE
  std::uint32_t depth = 0;  ///< T, columns of the functions; 0 where there are none

  OperatorId operators() const { return 2 * relations; }
  /// A model of these functions, without any rule.
  ModelShape functions() const { return {relations, width, depth, 0, 0}; }

  bool operator==(const TransEShape&) const = default;
};

/// Raw parameters, or their gradient.
template <class Real>
struct TransEParameters {
  TransEParameters() = default;
  explicit TransEParameters(const TransEShape& shape_);

  TransEShape shape;
  Parameters<Real> functions;
  std::vector<Real> entity;    ///< n x dimension
  std::vector<Real> relation;  ///< 2R x dimension
  std::vector<Real> rotation;  ///< W: dimension x m

  /// All of them, always in this order.
  std::array<std::span<Real>, 4> blocks() {
    return {functions.values(), entity, relation, rotation};
  }
  std::array<std::span<const Real>, 4> blocks() const {
    return {functions.values(), entity, relation, rotation};
  }
};

/// Vectors of about unit length, drawn the same on every machine.
template <class Real>
TransEParameters<Real> initial_transe(const TransEShape& shape, std::uint64_t seed);

/// What was learned. It is about the entities that it has learned from and no others.
struct TransEModel {
  std::vector<std::string> relations;  ///< names, in the order of the parameters
  std::string entities;                ///< fingerprint of their names
  TransEParameters<float> parameters;
};

/// Scores by the negative distance; the functions see the graph that is given, whole. Nothing that
/// is given need outlive it.
std::unique_ptr<Scorer> make_scorer(const TransEParameters<float>& parameters, const Graph& known,
                                    unsigned threads = 0);

/// The model file: safetensors, with the sizes and the names in its header.
Result<void> save_transe(const TransEModel& model, const std::filesystem::path& path);
Result<TransEModel> load_transe(const std::filesystem::path& path);

}  // namespace lerpp
