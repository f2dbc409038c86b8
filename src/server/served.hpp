// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/run/run.hpp>

#include "server/message.hpp"
#include "server/name_index.hpp"

namespace lerpp {

/// A run with what the server finds out about it, each once, when it is first asked for.
class ServedRun {
 public:
  ServedRun(std::string name, Run run);

  const std::string& name() const { return name_; }
  const Run& run() const { return run_; }
  /// The same without its embedding; made ready when it is first asked.
  Run rules_only();
  Run watched(const Observer& observer) const { return run_.watched_by(observer); }
  /// Of the model, 32 hexadecimal digits.
  const std::string& model() const { return model_; }
  bool ready() const { return ready_; }
  /// Reads the data and makes the predictor ready.
  Result<void> prepare(const Observer& observer);

  Result<std::shared_ptr<const NameIndex>> names();
  Result<std::shared_ptr<const RuleReport>> rules(std::uint32_t each, const Observer& observer);
  /// Lists that take seconds are made longer than asked for and kept, so that the next question
  /// about the same need not wait. Of so many facts at least, where there are so many.
  Result<std::shared_ptr<const CuratedFacts>> complete(CompleteOptions options,
                                                       const Observer& observer);
  Result<std::shared_ptr<const CuratedFacts>> doubt(DoubtOptions options, const Observer& observer);
  /// The report of its training, as it is in the folder; null where it has not ended.
  Json metrics() const;

  // Names that requests give, refused with 404 where there are none such.
  Answered<EntityId> entity(const std::string& name, const Observer& observer) const;
  Answered<RelationId> relation(const std::string& name, const Observer& observer) const;
  Answered<Fact> fact(const std::string& head, const std::string& relation, const std::string& tail,
                      const Observer& observer) const;

 private:
  using Look = std::function<Result<CuratedFacts>(const Run&)>;
  Result<std::shared_ptr<const CuratedFacts>> curated(const std::string& question,
                                                      const Observer& observer, const Look& look);

  std::string name_;
  Run run_;
  std::string model_;
  std::atomic<bool> ready_ = false;
  std::mutex mutex_;  ///< of what follows
  std::optional<Run> rules_only_;
  std::shared_ptr<const NameIndex> names_;
  std::map<std::uint32_t, std::shared_ptr<const RuleReport>> rules_;
  std::list<std::pair<std::string, std::shared_ptr<const CuratedFacts>>> curated_;
};

/// The runs that are served, which become more.
class ServedRuns {
 public:
  /// The name that it got.
  std::shared_ptr<ServedRun> add(Run run);
  std::vector<std::shared_ptr<ServedRun>> all() const;
  /// By name; where there is but one, the empty name is that.
  Answered<std::shared_ptr<ServedRun>> find(const std::string& name) const;
  /// A text without the paths of this machine.
  std::string without_paths(std::string text) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<ServedRun>> runs_;
  std::vector<std::pair<std::string, std::string>> paths_;  ///< and what is said in their place
};

Json entity_json(const Dataset& data, EntityId entity);
Json fact_json(const Dataset& data, const Fact& fact);

}  // namespace lerpp
