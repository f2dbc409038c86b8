// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>

#include <nanobind/ndarray.h>

#include <lerp/distill/apply.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/model/known_graph.hpp>

#include "data.hpp"
#include "support.hpp"

namespace lerpp::python {
namespace {

using Floats = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::object array_of(std::vector<std::int64_t> values) {
  auto* owner = new std::vector<std::int64_t>(std::move(values));
  const nb::capsule capsule(
      owner, [](void* held) noexcept { delete static_cast<std::vector<std::int64_t>*>(held); });
  return nb::cast(
      nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(owner->data(), {owner->size()}, capsule));
}

/// Scores in double precision as numbers of single precision that stand in the same order, with
/// the same ties.
void copy_order(std::span<const double> scores, std::span<float> order) {
  std::vector<std::uint32_t> places(scores.size());
  std::iota(places.begin(), places.end(), 0U);
  const auto end = std::partition(places.begin(), places.end(),
                                  [&](std::uint32_t place) { return !std::isnan(scores[place]); });
  std::for_each(end, places.end(), [&](std::uint32_t place) { order[place] = std::nanf(""); });
  std::sort(places.begin(), end,
            [&](std::uint32_t left, std::uint32_t right) { return scores[left] < scores[right]; });
  std::uint32_t rank = 0;
  for (auto place = places.begin(); place != end; ++place) {
    if (place != places.begin() && scores[*place] > scores[*(place - 1)]) ++rank;
    // The bit patterns of positive floats are in the order of the floats: all are told apart.
    const std::uint32_t bits = 0x00800000U + rank;
    std::memcpy(&order[*place], &bits, sizeof(float));
  }
}

/// Asks a callable of Python. Several threads rank what it gave while one calls it.
class PythonScorer : public Scorer {
 public:
  PythonScorer(nb::object tails, nb::object heads, EntityId entities, RelationId relations,
               std::stop_source stop)
      : tails_(std::move(tails)),
        heads_(std::move(heads)),
        entities_(entities),
        relations_(relations),
        stop_(std::move(stop)) {}

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    const bool head = queries.front().target >= relations_;
    for (Scores& each : scores) each.clear();
    if (stop_.stop_requested() || (head && heads_.is_none())) return;
    std::optional<Doubles> doubles;
    {
      const nb::gil_scoped_acquire acquire;
      try {
        const nb::object given = ask(queries, head);
        Floats floats;
        if (nb::try_cast(given, floats, false)) {
          require_shape(floats.shape(0), floats.shape(1), queries.size());
          for (std::size_t i = 0; i < queries.size(); ++i)
            std::copy_n(floats.data() + i * entities_, entities_,
                        scores[i].dense(entities_).data());
        } else {
          doubles.emplace(nb::cast<Doubles>(given));
          require_shape(doubles->shape(0), doubles->shape(1), queries.size());
        }
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!thrown_) thrown_ = std::current_exception();
        stop_.request_stop();
        doubles.reset();
      }
    }
    if (!doubles) return;
    for (std::size_t i = 0; i < queries.size(); ++i)
      copy_order({doubles->data() + i * entities_, entities_}, scores[i].dense(entities_));
    const nb::gil_scoped_acquire acquire;
    doubles.reset();
  }

  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  nb::object ask(std::span<const Query> queries, bool head) const {
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> relations;
    for (const Query& query : queries) {
      starts.push_back(query.start);
      relations.push_back(head ? query.target - relations_ : query.target);
    }
    return head ? heads_(array_of(std::move(starts)), array_of(std::move(relations)))
                : tails_(array_of(std::move(starts)), array_of(std::move(relations)));
  }

  void require_shape(std::size_t rows, std::size_t columns, std::size_t queries) const {
    if (rows == queries && columns == entities_) return;
    raise({fmt::format("the scores are {} rows of {}", rows, columns), "scorer",
           fmt::format("give {} rows of {}, one row a question and one column an entity", queries,
                       entities_),
           ErrorKind::usage});
  }

  nb::object tails_;
  nb::object heads_;
  EntityId entities_;
  RelationId relations_;
  mutable std::stop_source stop_;
  mutable std::mutex mutex_;
  mutable std::exception_ptr thrown_;
};

std::string rank_with(const Data& data, const nb::object& tails, const nb::object& heads,
                      const std::string& split, std::size_t batch, std::uint64_t facts,
                      unsigned threads, const nb::object& progress) {
  RankingOptions options;
  options.split = ranked_split(split, true);
  options.batch = batch;
  options.facts = facts;
  options.threads = threads;
  std::stop_source failed;
  const PythonScorer scorer(tails, heads, data.dataset->entities.size(),
                            data.dataset->relations.size(), failed);
  std::optional<Result<RankingReport>> report;
  const bool interrupted = watch(progress, [&](const Observer& observer) {
    Observer either = observer;
    either.wants_stop = [&failed] { return failed.stop_requested(); };
    report.emplace(rank(scorer, *data.dataset, options, either));
  });
  scorer.rethrow();
  return dump(to_json(finish(std::move(*report), interrupted)));
}

/// Ranks with a file of rules, AnyBURL's or ours.
std::string rank_rules(const Data& data, const std::filesystem::path& path,
                       const std::string& aggregation, const std::string& split, bool with_valid,
                       const Settings& settings, unsigned threads, const nb::object& progress) {
  const auto reading = options_of<AnyburlOptions>(settings);
  const KnownGraph known(data.dataset,
                         with_valid ? KnownSplits::train_and_valid : KnownSplits::train, threads);
  const AppliedRules applied =
      unlocked([&] { return load_applied_rules(path, known, aggregation, reading); });
  RankingOptions options;
  options.split = ranked_split(split);
  options.threads = threads;
  Json told = to_json(watched(progress, [&](const Observer& observer) {
    return rank(*applied.scorer, *data.dataset, options, observer);
  }));
  told["rules"] = applied.rules;
  told["aggregation"] = applied.aggregation;
  return dump(told);
}

}  // namespace

void bind_ranking(nb::module_& module) {
  module.def("rank_rules", &rank_rules, nb::arg("data"), nb::arg("path"), nb::arg("aggregation"),
             nb::arg("split"), nb::arg("with_valid"), nb::arg("settings"), nb::arg("threads"),
             nb::arg("progress").none());
  module.def("rank", &rank_with, nb::arg("data"), nb::arg("tails"), nb::arg("heads").none(),
             nb::arg("split"), nb::arg("batch"), nb::arg("facts"), nb::arg("threads"),
             nb::arg("progress").none());
}

}  // namespace lerpp::python
