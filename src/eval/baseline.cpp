// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <lerp/eval/baseline.hpp>

#include "eval/inverse_baseline.hpp"

namespace lerpp {
namespace {

constexpr std::array<std::pair<std::string_view, Baseline>, 4> baselines = {
    {{"symmetry", Baseline::symmetry},
     {"inverse", Baseline::inverse},
     {"frequency", Baseline::frequency},
     {"zero", Baseline::zero}}};

class Zero : public Scorer {
 public:
  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    for (Scores& one : scores.first(queries.size())) one.clear();
  }
};

class Symmetry : public Scorer {
 public:
  explicit Symmetry(const Graph& known) : known_(known) {}

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      scores[i].clear();
      const OperatorId body = known_.inverse(queries[i].target);
      for (const Edge& edge : known_.edges(queries[i].start, body)) scores[i].add(edge.target, 1);
    }
  }

 private:
  const Graph& known_;
};

class Frequency : public Scorer {
 public:
  explicit Frequency(const Graph& known) : counts_(known.operators()) {
    for (EntityId entity = 0; entity < known.entities(); ++entity) {
      const std::span<const Edge> row = known.edges(entity);
      for (std::size_t first = 0; first < row.size();) {
        std::size_t last = first + 1;
        while (last < row.size() && row[last].op == row[first].op) ++last;
        // What leads out of the entity by op leads to it by the inverse.
        counts_[known.inverse(row[first].op)].add(entity, static_cast<float>(last - first));
        first = last;
      }
    }
  }

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    for (std::size_t i = 0; i < queries.size(); ++i) scores[i] = counts_[queries[i].target];
  }

 private:
  std::vector<Scores> counts_;  ///< for each target
};

}  // namespace

Result<Baseline> baseline_named(std::string_view name) {
  std::string names;
  for (const auto& [known_name, baseline] : baselines) {
    if (known_name == name) return baseline;
    names += (names.empty() ? "" : ", ") + std::string(known_name);
  }
  return fail_unknown("baseline", name, "choose one of " + names);
}

std::unique_ptr<Scorer> make_baseline(Baseline baseline, const Graph& known) {
  switch (baseline) {
    case Baseline::symmetry:
      return std::make_unique<Symmetry>(known);
    case Baseline::inverse:
      return std::make_unique<InverseBaseline>(known);
    case Baseline::frequency:
      return std::make_unique<Frequency>(known);
    case Baseline::zero:
      break;
  }
  return std::make_unique<Zero>();
}

}  // namespace lerpp
