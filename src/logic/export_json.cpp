// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/json.hpp>

#include "logic/export_writer.hpp"

/// The rules as data, for programs of any kind.
namespace lerpp {
namespace {

class JsonWriter {
 public:
  JsonWriter(const Clause& clause, const Names& names) : clause_(clause), names_(names) {}

  Json rule(std::size_t number) const {
    Json facts = Json::array();
    for (const ClauseFact& one : clause_.facts) facts.push_back(fact(one));
    Json free = Json::array();
    for (const std::uint32_t one : clause_.free) free.push_back(clause_.variables[one]);
    Json rule = {{"rule", number},
                 {"weight", clause_.weight},
                 {"more", clause_.more},
                 {"group", clause_.group == 0 ? Json() : Json(clause_.group)},
                 {"text", clause_.text},
                 {"head", fact(clause_.head)},
                 {"answers", clause_.answers_subject ? "subject" : "object"},
                 {"facts", std::move(facts)},
                 {"any_entity", std::move(free)},
                 {"conditions", conditions(clause_.conditions)}};
    if (clause_.figures) {
      rule["predicted"] = clause_.figures->predicted;
      rule["correct"] = clause_.figures->correct;
      rule["directed"] = clause_.figures->directed;
    }
    return rule;
  }

 private:
  Json term(const ClauseTerm& one) const {
    if (one.is_variable()) return {{"variable", clause_.variables[one.id]}};
    return {{"entity", names_.entities.name(one.id)}};
  }
  Json fact(const ClauseFact& one) const {
    return {{"relation", names_.relations.name(one.relation)},
            {"subject", term(one.subject)},
            {"object", term(one.object)}};
  }
  Json conditions(std::span<const Condition> parts) const {
    Json out = Json::array();
    for (const Condition& part : parts) out.push_back(condition(part));
    return out;
  }
  Json condition(const Condition& one) const {
    switch (one.kind) {
      case Condition::Kind::fact:
        return {{"fact", fact(one.fact)}};
      case Condition::Kind::some:
        return {{"some", clause_.variables[one.found]},
                {"fact", fact(one.fact)},
                {"conditions", conditions(one.parts)}};
      case Condition::Kind::all:
        return {{"all", conditions(one.parts)}};
      case Condition::Kind::any:
        return {{"any", conditions(one.parts)}};
      case Condition::Kind::no:
        return {{"no", condition(one.parts.front())}};
      case Condition::Kind::differ:
        break;
    }
    return {{"differ", {term(one.fact.subject), term(one.fact.object)}}};
  }

  const Clause& clause_;
  const Names& names_;
};

Json rules_file(std::span<const Clause> clauses, const Names& names) {
  Json rules = Json::array();
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    rules.push_back(JsonWriter(clauses[i], names).rule(i + 1));
  }
  return {
      {"aggregation", "max"},
      {"reads",
       "a fact of head for all values of the variables for which facts and conditions hold; "
       "any_entity range over all entities; variables may coincide; n such values of the variables "
       "between subject and object weigh weight + more log(1 + n); the rules of a group weigh "
       "together weight log(1 + s), s the sum of more n over them"},
      {"rules", std::move(rules)}};
}

std::string spelled_out(const Json& file) {
  return file.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string write_rules(std::span<const Clause> clauses, const Names& names) {
  return spelled_out(rules_file(clauses, names));
}

}  // namespace

std::string write_json_list(std::span<const Clause> clauses, const Names& names,
                            std::optional<std::uint32_t> frontier) {
  Json file = rules_file(clauses, names);
  file["aggregation"] = "list";
  if (frontier) file["frontier"] = *frontier;
  return spelled_out(file);
}

const ExportWriter json_writer = {.rules = write_rules, .facts = separated_facts};

}  // namespace lerpp
