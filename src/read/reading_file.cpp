// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/kg/fingerprint.hpp>
#include <lerp/logic/rule_text.hpp>

#include "kg/digest.hpp"
#include "read/reading.hpp"
#include "read/rule_reader.hpp"

namespace lerpp {
namespace {

/// Changes when readings do, so that what an earlier program has kept is not taken for this one's.
constexpr int generation = 1;

Json json_of(const RelationReading::Entry& entry, const Names& names) {
  const ReadRule& read = entry.read;
  Json json = {{"rule", to_text(read.rule, names)},
               {"weight", read.rule.weight()},
               {"share", read.share},
               {"source", static_cast<int>(read.source)}};
  if (!entry.counted) return json;
  const Support& support = read.support;
  json["support"] = {support.body, support.support, support.head, support.pca_body};
  json["counted"] = read.counted;
  json["new"] = {read.news, read.hits};
  if (read.lift) json["lift"] = *read.lift;
  json["examples"] = Json::array();
  for (const RuleExample& example : read.examples)
    json["examples"].push_back({{"path", example.path}, {"known", example.known}});
  return json;
}

void read_figures(const Json& json, ReadRule& read) {
  const Json& support = json.at("support");
  read.support = {support.at(0), support.at(1), support.at(2), support.at(3)};
  json.at("counted").get_to(read.counted);
  json.at("new").at(0).get_to(read.news);
  json.at("new").at(1).get_to(read.hits);
  if (const auto lift = json.find("lift"); lift != json.end()) read.lift = lift->get<double>();
  for (const Json& example : json.at("examples")) {
    read.examples.push_back(
        {example.at("path").get<std::vector<EntityId>>(), example.at("known").get<bool>()});
  }
}

bool are_entities(const std::vector<RuleExample>& examples, const Dataset& dataset) {
  for (const RuleExample& example : examples) {
    if (example.path.empty()) return false;
    for (const EntityId entity : example.path) {
      if (entity >= dataset.entities.size()) return false;
    }
  }
  return true;
}

/// Nothing where it is none. Json throws where a value is missing or of another kind.
std::optional<RelationReading::Entry> entry_of(const Json& json, const Dataset& dataset) {
  const auto rule =
      parse_rule(json.at("rule").get<std::string>(), {dataset.relations, dataset.entities});
  const auto source = json.at("source").get<std::size_t>();
  if (!rule || source >= sources()) return std::nullopt;
  RelationReading::Entry entry = {{with_weight(*rule, json.at("weight").get<double>())}};
  entry.read.source = static_cast<Source>(source);
  json.at("share").get_to(entry.read.share);
  entry.counted = json.contains("support");
  if (entry.counted) read_figures(json, entry.read);
  if (!are_entities(entry.read.examples, dataset)) return std::nullopt;
  return entry;
}

std::optional<RelationReading> reading_of(const Json& json, const Dataset& dataset) {
  RelationReading reading;
  json.at("questions").get_to(reading.questions);
  json.at("found").get_to(reading.found);
  for (const Json& item : json.at("rules")) {
    auto entry = entry_of(item, dataset);
    if (!entry) return std::nullopt;
    reading.entries.push_back(std::move(*entry));
  }
  return reading;
}

}  // namespace

std::filesystem::path readings_file(const std::filesystem::path& folder) {
  return folder / "rules-read.json";
}

std::string key_of_readings(const Model& model, const KnownGraph& known,
                            const RulesOptions& options) {
  const std::string text =
      fmt::format("{} {} {} {} {} {} {} {}", generation, fingerprint(known.dataset()),
                  static_cast<int>(known.splits()), RuleReader::entries_kept(options),
                  options.examples, options.questions, options.work, options.seed);
  Digest digest;
  digest.add(text.data(), text.size());
  const auto values = model.parameters.values();
  digest.add(values.data(), values.size_bytes());
  for (OperatorId target = 0; model.paths != nullptr && target < 2 * model.shape().relations;
       ++target) {
    for (const RelationPath& path : model.paths->of(target)) {
      const std::uint64_t code = path.code(2 * model.shape().relations);
      digest.add(&code, sizeof(code));
    }
  }
  return digest.text();
}

Readings load_readings(const std::filesystem::path& path, const std::string& key,
                       const Dataset& dataset) {
  Readings readings;
  const auto bytes = read_file(path);
  if (!bytes) return readings;
  const Json json = Json::parse(bytes->view(), nullptr, false);
  try {
    if (json.is_discarded() || json.at("key") != key) return {};
    for (const auto& [name, item] : json.at("relations").items()) {
      const auto relation = dataset.relations.find(name);
      auto reading = reading_of(item, dataset);
      if (!relation || !reading) return {};
      readings.emplace(*relation, std::move(*reading));
    }
  } catch (const Json::exception&) {
    return {};
  }
  return readings;
}

Result<void> save_readings(const Readings& readings, const std::filesystem::path& path,
                           const std::string& key, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  Json relations = Json::object();
  for (const auto& [relation, reading] : readings) {
    Json rules = Json::array();
    for (const RelationReading::Entry& entry : reading.entries)
      rules.push_back(json_of(entry, names));
    relations[std::string(dataset.relations.name(relation))] = {
        {"questions", reading.questions}, {"found", reading.found}, {"rules", std::move(rules)}};
  }
  const Json json = {{"key", key}, {"relations", std::move(relations)}};
  return write_file(path, json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace lerpp
