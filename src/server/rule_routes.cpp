// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <lerp/logic/english.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/read/check_rule.hpp>
#include <lerp/read/rule_overlap.hpp>

#include "server/api.hpp"

namespace lerpp {
namespace {

std::string small_letters(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return text;
}

/// Which rules of a list somebody wants to see.
struct RuleFilter {
  std::string search;
  std::string relation;
  std::optional<std::uint64_t> length;
  double confidence = 0;
  std::uint64_t support = 0;

  static RuleFilter of(Question& question) {
    RuleFilter filter;
    filter.search = small_letters(question.text("search", 0, 200));
    filter.relation = question.text("relation", 0, 500);
    const bool length = question.has("length");
    const std::uint64_t hops = question.whole("length", 0, 32, 0);
    if (length) filter.length = hops;
    filter.confidence = question.number("min_confidence", 0, 1, 0);
    filter.support = question.whole("min_support", 0, 1'000'000'000, 0);
    return filter;
  }

  bool takes(const ReadRule& read, const Dataset& data,
             const std::optional<RelationId>& wanted) const {
    if (wanted && read.rule.target() % data.relations.size() != *wanted) return false;
    if (length && read.rule.hops().size() != *length) return false;
    if (read.support.confidence() < confidence || read.support.support < support) return false;
    if (search.empty()) return true;
    const Names names = {data.relations, data.entities};
    return small_letters(to_text(read.rule, names)).find(search) != std::string::npos ||
           small_letters(to_english(read.rule, names)).find(search) != std::string::npos;
  }
};

double sort_key(const ReadRule& read, std::string_view sort) {
  if (sort == "confidence") return read.support.confidence();
  if (sort == "support") return static_cast<double>(read.support.support);
  if (sort == "weight") return read.rule.weight();
  return read.share;
}

Answered<WebReply> rules(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  constexpr std::array<std::string_view, 4> sorts = {"share", "confidence", "support", "weight"};
  const std::string run_name = question.text("run", 1, 255);
  const RuleFilter filter = RuleFilter::of(question);
  const std::string sort = question.choice("sort", sorts, "share");
  const std::uint32_t each = question.small("each", 1, 1000, 100);
  const std::size_t offset = question.whole("offset", 0, 1'000'000, 0);
  const std::size_t limit = question.whole("limit", 1, 1000, 50);
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(data, served->watched(asked.observer).data());
  std::optional<RelationId> relation;
  if (!filter.relation.empty()) {
    LERP_TRY(number, served->relation(filter.relation, asked.observer));
    relation = number;
  }
  LERP_TRY(report, served->rules(each, asked.observer));
  std::vector<const ReadRule*> fitting;
  for (const ReadRule& read : report->rules) {
    if (filter.takes(read, *data, relation)) fitting.push_back(&read);
  }
  std::stable_sort(fitting.begin(), fitting.end(), [&](const ReadRule* a, const ReadRule* b) {
    return sort_key(*a, sort) > sort_key(*b, sort);
  });
  RuleReport page = {{}, report->found, report->questions, report->sum, report->seconds};
  for (std::size_t i = offset; i < std::min(fitting.size(), offset + limit); ++i)
    page.rules.push_back(*fitting[i]);
  Json json = to_json(page, *data);
  for (std::size_t i = 0; i < page.rules.size(); ++i)
    json["rules"][i]["length"] = page.rules[i].rule.hops().size();
  json["total"] = fitting.size();
  json["offset"] = offset;
  return json_reply(json);
}

/// The column that a parser names, counted in letters from 1.
Json column_of(const std::string& where) {
  const std::size_t at = where.find_first_of("0123456789");
  if (at == std::string::npos) return nullptr;
  return std::stoull(where.substr(at, 9));
}

Json parse_failure(const Error& error) {
  return {{"valid", false},
          {"what", error.what},
          {"where", error.where},
          {"remedy", error.remedy},
          {"column", column_of(error.where)}};
}

Answered<WebReply> check(ApiState& state, Asked& asked) {
  const std::string run_name = asked.question.text("run", 1, 255);
  const std::string text = asked.question.need("rule");
  const std::uint32_t examples = asked.question.small("examples", 0, 100, 5);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(known, served->watched(asked.observer).known());
  const Dataset& data = known.dataset();
  const Result<Rule> rule = parse_rule(text, {data.relations, data.entities});
  if (!rule) return json_reply(parse_failure(rule.error()));
  LERP_TRY(checked, check_rule(*rule, known, examples, RulesOptions().work, asked.observer));
  Json json = {{"valid", true}};
  json.update(to_json(checked, data));
  return json_reply(json);
}

/// Rules of the run that find what a rule finds.
Answered<WebReply> overlap(ApiState& state, Asked& asked) {
  const std::string run_name = asked.question.text("run", 1, 255);
  const std::string text = asked.question.need("rule");
  const std::uint32_t each = asked.question.small("each", 1, 1000, 100);
  const std::size_t top = asked.question.whole("top", 0, 1000, 10);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(known, served->watched(asked.observer).known());
  const Dataset& data = known.dataset();
  LERP_TRY(rule, with_status(404, parse_rule(text, {data.relations, data.entities})));
  LERP_TRY(report, served->rules(each, asked.observer));
  const std::vector<Rule> others = report->top(report->rules.size());
  LERP_TRY(found, rule_overlap(rule, others, known, RulesOptions().work, asked.observer));
  return json_reply(to_json(found, data, top));
}

Answered<WebReply> functions(ApiState& state, Asked& asked) {
  FunctionsOptions options;
  const std::string run_name = asked.question.text("run", 1, 255);
  options.top = asked.question.small("top", 0, 10'000, 0);
  options.examples = asked.question.small("examples", 0, 100, 3);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  const Run run = served->watched(asked.observer);
  LERP_TRY(read, run.functions(options));
  LERP_TRY(data, run.data());
  return json_reply(to_json(read, *data));
}

Answered<WebReply> formula(ApiState& state, Asked& asked) {
  const std::string run_name = asked.question.text("run", 1, 255);
  const std::string text = asked.question.need("formula");
  const std::size_t limit = asked.question.whole("limit", 0, 1000, 50);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(known, served->watched(asked.observer).known());
  const Dataset& data = known.dataset();
  const Names names = {data.relations, data.entities};
  const Result<Formula> read = parse_formula(text, names);
  if (!read) return json_reply(parse_failure(read.error()));
  const EntitySet holds = evaluate(*read, known.graph());
  Json json = {{"valid", true},
               {"formula", to_text(*read, names)},
               {"english", to_english(*read, names)},
               {"count", holds.count()},
               {"share", data.entities.empty() ? 0.0
                                               : static_cast<double>(holds.count()) /
                                                     static_cast<double>(data.entities.size())},
               {"entities", Json::array()}};
  holds.for_each([&](EntityId entity) {
    if (json["entities"].size() < limit) json["entities"].push_back(entity_json(data, entity));
  });
  return json_reply(json);
}

}  // namespace

void add_rule_routes(std::vector<Route>& routes, ApiState& state) {
  const auto add = [&](const char* method, const char* path, Pace pace,
                       Answered<WebReply> (*answer)(ApiState&, Asked&)) {
    routes.push_back({method, path, pace, true,
                      [&state, answer](Asked& asked) { return answer(state, asked); }});
  };
  add("GET", "/rules", Pace::slow, rules);
  add("POST", "/rules/check", Pace::quick, check);
  add("POST", "/rules/overlap", Pace::slow, overlap);
  add("GET", "/functions", Pace::slow, functions);
  add("POST", "/formulas/check", Pace::quick, formula);
}

}  // namespace lerpp
