// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/rule_text.hpp>

#include "logic/random_anyburl.hpp"

/// Writes, for run_engine.py, graphs and rules in every language, and what the rules derive by our
/// own evaluation:
///
///     OUT/CASE/{facts,rules}.FORMAT and OUT/CASE/expected.json
namespace lerpp::test {
namespace {

namespace fs = std::filesystem;

/// With rules of one kind or the other.
struct Case {
  std::string name;
  Dataset dataset;
  std::vector<Rule> rules = {};
  std::vector<AnyburlRule> anyburl = {};
};

template <class Make>
auto random(std::uint64_t seed, Make&& make) {
  return rc::gen::exec(std::forward<Make>(make))(rc::Random(seed), rc::kNominalSize).value();
}

/// Few entities, so that much coincides, under names that every language has to spell with care.
Case odd_names() {
  Case result = {"odd", {}};
  for (const auto* name : {"it's \"quoted\" \\ and\nbroken\tin two", "Ünïcode ∀x 𝔘", "X",
                           "a,b) :- c. % ' -- ; {y} `z` #", "[]", "\x7f <tag> $$ %41 \\n"}) {
    result.dataset.entities.intern(name);
  }
  for (const auto* name : {"is", "Not 'that' \"\\ one\r\n{?}"})
    result.dataset.relations.intern(name);
  for (std::uint64_t seed = 0; result.dataset[Split::train].size() < 9; ++seed) {
    result.dataset[Split::train] = random(seed, any_facts);
  }
  remove_repeated(result.dataset[Split::train], entities);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    result.rules.push_back(random(seed, [] { return any_rule(3); }));
  }
  return result;
}

/// The same graph, with rules whose variables differ.
Case anyburl() {
  Case result = {"anyburl", odd_names().dataset};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    result.anyburl.push_back(random(seed, any_anyburl_rule));
  }
  return result;
}

Case family() {
  FamilyOptions options;
  options.people = 40;
  Generated generated = generate_family(options);
  Case result = {"family", std::move(generated.dataset)};
  const Names names = {result.dataset.relations, result.dataset.entities};
  for (const std::string& text : generated.rules) {
    if (auto rule = parse_rule(text, names)) result.rules.push_back(std::move(*rule));
  }
  for (const auto* text :
       {"mother(z1,x) ∧ son(y,z1) ∧ ¬∃z2 sister(z2,x) ⇒ brother(y,x)", "true ⇒ nephew(x,y)",
        "-0.25 x = y ∧ ∃z (mother(z,x) ∧ ¬∃w sister(w,z)) ⇒ aunt(x,y)",
        "∃z son(z,x) ∧ (∃w aunt(w,y) ∨ ¬∃w niece(w,y)) ⇒ nephew(x,y)",
        "son(x,z) ∧ ¬(∃w (brother(w,z) ∧ ¬∃v son(v,w))) ∧ brother(z,y) ⇒ nephew(x,y)"}) {
    result.rules.push_back(parse_rule(text, names).value());
  }
  return result;
}

Json expected(const Case& one) {
  const Graph graph = one.dataset.known_graph();
  Json rows = Json::array();
  const auto add = [&](std::size_t rule, OperatorId target, EntityId x, EntityId y) {
    const bool forwards = target < graph.relations();
    rows.push_back({rule + 1, one.dataset.entities.name(forwards ? x : y),
                    one.dataset.relations.name(target % graph.relations()),
                    one.dataset.entities.name(forwards ? y : x)});
  };
  Evaluator evaluator(graph);
  for (EntityId x = 0; x < graph.entities(); ++x) {
    for (std::size_t i = 0; i < one.rules.size(); ++i) {
      for (const EntityId y : answers(one.rules[i], x, evaluator)) {
        add(i, one.rules[i].target(), x, y);
      }
    }
    for (std::size_t i = 0; i < one.anyburl.size(); ++i) {
      for (const EntityId y : slow_answers(one.anyburl[i], x, graph)) {
        add(i, one.anyburl[i].target, x, y);
      }
    }
  }
  return rows;
}

Result<void> write(const Case& one, const fs::path& out) {
  const fs::path folder = out / one.name;
  fs::create_directories(folder);
  for (const ExportFormat format : {ExportFormat::prolog, ExportFormat::asp, ExportFormat::sql,
                                    ExportFormat::sparql, ExportFormat::cypher}) {
    const std::string ending = "." + std::string(name_of(format));
    LERP_TRY(exported, one.anyburl.empty() ? export_rules(one.rules, one.dataset, format)
                                           : export_rules(one.anyburl, one.dataset, format));
    LERP_CHECK(write_file(folder / ("rules" + ending), exported.text));
    LERP_CHECK(export_facts(one.dataset, format, folder / ("facts" + ending)));
  }
  return write_file(folder / "expected.json", expected(one).dump());
}

}  // namespace
}  // namespace lerpp::test

int main(int count, char** words) {
  using namespace lerpp::test;
  if (count != 2) return 2;
  for (const Case& one : {odd_names(), anyburl(), family()}) {
    if (const auto done = write(one, words[1]); !done) {
      std::fprintf(stderr, "%s\n", to_string(done.error()).c_str());
      return 1;
    }
  }
  return 0;
}
