// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/kg/dataset.hpp>
#include <lerp/logic/anyburl.hpp>

#include "logic/anyburl_walk.hpp"

/// What PyClause's own tests expect of these rules on two public benchmarks.
namespace lerpp {
namespace {

struct Published {
  std::string_view rule;
  std::uint64_t predicted;
  std::uint64_t correct;
};

std::optional<Dataset> benchmark(const std::string& name) {
  const auto folder = std::filesystem::path(LERP_SHARED) / "datasets" / name;
  if (!std::filesystem::exists(folder)) return std::nullopt;
  return load(folder).value();
}

void compare(const Dataset& dataset, std::span<const Published> rules) {
  const Graph known = dataset.known_graph();
  for (const Published& published : rules) {
    auto rule = parse_anyburl_rule(published.rule, {dataset.relations, dataset.entities});
    ASSERT_TRUE(rule) << to_string(rule.error());
    count(*rule, known);
    EXPECT_EQ(rule->predicted, published.predicted) << published.rule;
    EXPECT_EQ(rule->correct, published.correct) << published.rule;
  }
}

TEST(AnyburlPublished, Wn18rr) {
  const auto dataset = benchmark("wn18rr");
  if (!dataset) GTEST_SKIP() << "the shared data is absent";
  const std::vector<Published> rules = {
      {"_hypernym(X,00732746) <= _synset_domain_topic_of(X,A), "
       "_derivationally_related_form(A,10225219)",
       276, 3},
      {"_hypernym(X,06355894) <= _synset_domain_topic_of(X,A), "
       "_synset_domain_topic_of(06355894,A)",
       97, 3},
      {"_derivationally_related_form(07007945,Y) <= _derivationally_related_form(A,Y), "
       "_derivationally_related_form(07007945,A)",
       13, 2},
      {"_member_meronym(12998349,Y) <= _hypernym(Y,11590783)", 59, 11},
      {"_hypernym(X,11669921) <= _member_meronym(11911591,X)", 162, 2},
      {"_hypernym(X,05653848) <= _synset_domain_topic_of(A,X)", 309, 2},
      {"_also_see(01716491,Y) <= _also_see(Y,A)", 706, 4},
      {"_has_part(X,Y) <= _has_part(X,A), _member_of_domain_region(A,B), "
       "_member_of_domain_region(Y,B)",
       83, 30}};
  compare(*dataset, rules);

  const Names names = {dataset->relations, dataset->entities};
  const Graph known = dataset->known_graph();
  EntitySet scratch(known.entities());
  const auto answers = [&](std::string_view text, bool forwards, std::string_view start) {
    const AnyburlRule rule = parse_anyburl_rule(text, names).value();
    AnyburlWalk walk(rule, known, scratch);
    const RelationId relation = rule.target % known.relations();
    return walk.answers(forwards ? relation : known.inverse(relation), *names.entities.find(start))
        .size();
  };
  EXPECT_EQ(answers(rules[7].rule, true, "08791167"), 5U);
  EXPECT_EQ(answers(rules[7].rule, false, "08921850"), 3U);
  // Two more than PyClause counts when it lists what the rule predicts: A may be X here.
  EXPECT_EQ(answers("_derivationally_related_form(X,01264336) <= _derivationally_related_form(A,X)",
                    false, "01264336"),
            16108U);
  EXPECT_EQ(
      answers("_hypernym(X,01189282) <= _synset_domain_topic_of(X,08441203)", true, "01068012"),
      1U);
  EXPECT_EQ(answers("_member_meronym(02549533,Y) <= _hypernym(Y,01429349)", false, "02640093"), 1U);
}

TEST(AnyburlPublished, Fb15k237) {
  const auto dataset = benchmark("fb15k-237");
  if (!dataset) GTEST_SKIP() << "the shared data is absent";
  compare(*dataset,
          std::vector<Published>{
              {"/location/hud_county_place/place(me_myself_i,Y) <= "
               "/people/person/place_of_birth(A,Y)",
               683, 258},
              {"/dataworld/gardening_hint/split_to(me_myself_i,Y) <= "
               "/education/educational_institution/students_graduates./education/education/"
               "major_field_of_study(Y,/m/01lj9)",
               67, 6},
              {"/education/educational_institution/campuses(X,X) <= "
               "/location/location/contains(/m/09c7w0,X)",
               843, 258},
              {"/education/educational_institution/campuses(X,X) <= "
               "/education/educational_institution/school_type(X,A)",
               552, 397}});
}

}  // namespace
}  // namespace lerpp
