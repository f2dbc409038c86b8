#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/export.hpp>
#include <lerp/logic/rule_text.hpp>

#include "logic/random_logic.hpp"

/// Writes, for run_engine.py, graphs and rules in every language, and what the rules derive by our
/// own evaluation:
///
///     OUT/CASE/{facts,rules}.FORMAT and OUT/CASE/expected.json
namespace lerpp::test {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name;
  Dataset dataset;
  std::vector<Rule> rules;
};

template <class Make>
auto random(std::uint64_t seed, Make&& make) {
  return rc::gen::exec(std::forward<Make>(make))(rc::Random(seed), rc::kNominalSize).value();
}

/// Few entities, so that much coincides, under names that every language has to spell with care.
Case odd_names() {
  Case result = {"odd", {}, {}};
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

Case family() {
  FamilyOptions options;
  options.people = 40;
  Generated generated = generate_family(options);
  Case result = {"family", std::move(generated.dataset), {}};
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
  Evaluator evaluator(graph);
  Json rows = Json::array();
  for (std::size_t i = 0; i < one.rules.size(); ++i) {
    const Rule& rule = one.rules[i];
    const bool forwards = rule.target() < graph.relations();
    for (EntityId x = 0; x < graph.entities(); ++x) {
      for (const EntityId y : answers(rule, x, evaluator)) {
        rows.push_back({i + 1, one.dataset.entities.name(forwards ? x : y),
                        one.dataset.relations.name(rule.target() % graph.relations()),
                        one.dataset.entities.name(forwards ? y : x)});
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
    LERP_TRY(exported, export_rules(one.rules, one.dataset, format));
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
  for (const Case& one : {odd_names(), family()}) {
    if (const auto done = write(one, words[1]); !done) {
      std::fprintf(stderr, "%s\n", to_string(done.error()).c_str());
      return 1;
    }
  }
  return 0;
}
