// SPDX-License-Identifier: Apache-2.0
#include "server/served.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>

#include "base/checksum.hpp"

namespace lerpp {
namespace {

std::string folder_name(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::path full = std::filesystem::weakly_canonical(folder, code);
  if (code) full = std::filesystem::absolute(folder);
  if (full.filename().empty()) full = full.parent_path();
  return full.filename().string();
}

/// Of the file, so that it is that of metrics.json.
std::string digest(const Run& run) {
  Checksum sum;
  if (const Result<FileBytes> bytes = read_file(run.folder() / "model.safetensors"))
    sum.add(bytes->view());
  return sum.text();
}

/// A thousand, or ten, or a hundred of them.
std::uint32_t longer(std::uint32_t top) {
  std::uint32_t most = 1000;
  while (most < top) most *= 10;
  return most;
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  if (what.empty()) return;
  std::size_t at = 0;
  while ((at = text.find(what, at)) != std::string::npos) {
    text.replace(at, what.size(), with);
    at += with.size();
  }
}

}  // namespace

ServedRun::ServedRun(std::string name, Run run)
    : name_(std::move(name)), run_(std::move(run)), model_(digest(run_)) {}

Run ServedRun::rules_only() {
  const std::lock_guard lock(mutex_);
  if (!rules_only_) rules_only_ = run_.rules_only();
  return *rules_only_;
}

Result<void> ServedRun::prepare(const Observer& observer) {
  LERP_CHECK(watched(observer).predictor());
  ready_ = true;
  return {};
}

Result<std::shared_ptr<const NameIndex>> ServedRun::names() {
  LERP_TRY(known, run_.known());
  const std::lock_guard lock(mutex_);
  if (!names_) names_ = std::make_shared<const NameIndex>(known);
  return names_;
}

Result<std::shared_ptr<const RuleReport>> ServedRun::rules(std::uint32_t each,
                                                           const Observer& observer) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = rules_.find(each); found != rules_.end()) return found->second;
  }
  RulesOptions options;
  options.top = 0;
  options.each = each;
  LERP_TRY(report, watched(observer).rules(options));
  auto kept = std::make_shared<const RuleReport>(std::move(report));
  const std::lock_guard lock(mutex_);
  constexpr std::size_t lists = 4;
  if (rules_.size() >= lists) rules_.erase(rules_.begin());
  rules_[each] = kept;
  return std::shared_ptr<const RuleReport>(kept);
}

Result<std::shared_ptr<const CuratedFacts>> ServedRun::curated(const std::string& question,
                                                               const Observer& observer,
                                                               const Look& look) {
  constexpr std::size_t lists = 16;
  {
    const std::lock_guard lock(mutex_);
    for (auto kept = curated_.begin(); kept != curated_.end(); ++kept) {
      if (kept->first != question) continue;
      curated_.splice(curated_.begin(), curated_, kept);
      return kept->second;
    }
  }
  LERP_TRY(found, look(watched(observer)));
  auto made = std::make_shared<const CuratedFacts>(std::move(found));
  const std::lock_guard lock(mutex_);
  curated_.emplace_front(question, made);
  if (curated_.size() > lists) curated_.pop_back();
  return std::shared_ptr<const CuratedFacts>(made);
}

Result<std::shared_ptr<const CuratedFacts>> ServedRun::complete(CompleteOptions options,
                                                                const Observer& observer) {
  options.top = longer(options.top);
  return curated(fmt::format("complete\n{}\n{}\n{}", options.relation, options.entity, options.top),
                 observer, [&](const Run& run) { return run.complete(options); });
}

Result<std::shared_ptr<const CuratedFacts>> ServedRun::doubt(DoubtOptions options,
                                                             const Observer& observer) {
  options.top = longer(options.top);
  return curated(fmt::format("doubt\n{}\n{}", options.relation, options.top), observer,
                 [&](const Run& run) { return run.doubt(options); });
}

Json ServedRun::metrics() const {
  const Result<FileBytes> bytes = read_file(run_.folder() / "metrics.json");
  if (!bytes) return nullptr;
  Json json = Json::parse(bytes->view(), nullptr, false);
  return json.is_object() ? json : Json(nullptr);
}

Answered<EntityId> ServedRun::entity(const std::string& name, const Observer& observer) const {
  const Run asked = watched(observer);
  LERP_TRY(data, asked.data());
  static_cast<void>(data);
  return with_status(404, asked.entity(name));
}

Answered<RelationId> ServedRun::relation(const std::string& name, const Observer& observer) const {
  const Run asked = watched(observer);
  LERP_TRY(data, asked.data());
  static_cast<void>(data);
  return with_status(404, asked.relation(name));
}

Answered<Fact> ServedRun::fact(const std::string& head, const std::string& relation,
                               const std::string& tail, const Observer& observer) const {
  if (head == "?" || tail == "?")
    return refuse(400, "'?' asks for an answer", "", "name both ends");
  LERP_TRY(subject, entity(head, observer));
  LERP_TRY(number, this->relation(relation, observer));
  LERP_TRY(object, entity(tail, observer));
  return Fact{subject, number, object};
}

std::shared_ptr<ServedRun> ServedRuns::add(Run run) {
  const std::string base = folder_name(run.folder());
  const std::lock_guard lock(mutex_);
  std::string name = base;
  const auto taken = [&](const std::string& word) {
    return std::any_of(runs_.begin(), runs_.end(),
                       [&](const auto& other) { return other->name() == word; });
  };
  for (unsigned number = 2; taken(name); ++number) name = fmt::format("{}-{}", base, number);
  const auto hide = [&](const std::filesystem::path& path, const std::string& instead) {
    if (path.empty()) return;
    std::error_code code;
    for (const std::filesystem::path& form : {path, std::filesystem::absolute(path, code),
                                              std::filesystem::weakly_canonical(path, code)}) {
      // A bare name is no path, and stands in other words.
      if (form.has_parent_path()) paths_.emplace_back(form.string(), instead);
    }
  };
  hide(run.folder(), name);
  hide(run.config().data, "the data of " + name);
  // The longest first, as one may lie within another.
  std::stable_sort(paths_.begin(), paths_.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  runs_.push_back(std::make_shared<ServedRun>(name, std::move(run)));
  return runs_.back();
}

std::vector<std::shared_ptr<ServedRun>> ServedRuns::all() const {
  const std::lock_guard lock(mutex_);
  return runs_;
}

Answered<std::shared_ptr<ServedRun>> ServedRuns::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  names.reserve(runs_.size());
  for (const auto& run : runs_) {
    if (run->name() == name || (name.empty() && runs_.size() == 1)) return run;
    names.push_back(run->name());
  }
  if (name.empty())
    return refuse(404, "several runs are served", "", "give as run: " + alternatives(names));
  return refuse(404, fmt::format("no run is called '{}'", name), "",
                "give one of these: " + alternatives(names));
}

std::string ServedRuns::without_paths(std::string text) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [path, instead] : paths_) replace_all(text, path, instead);
  return text;
}

Json entity_json(const Dataset& data, EntityId entity) {
  return {{"name", data.entities.name(entity)}, {"label", data.entity_label(entity)}};
}

Json fact_json(const Dataset& data, const Fact& fact) {
  return {{"head", entity_json(data, fact.subject)},
          {"relation", data.relations.name(fact.relation)},
          {"tail", entity_json(data, fact.object)},
          {"text", fmt::format("{}({}, {})", data.relations.name(fact.relation),
                               data.entity_label(fact.subject), data.entity_label(fact.object))}};
}

}  // namespace lerpp
