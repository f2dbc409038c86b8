// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/embed/embed.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/run/run.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

/// The same, but for how long it took.
Json timeless(Json json) {
  if (json.is_object()) json.erase("seconds");
  if (json.is_structured()) {
    for (Json& part : json) part = timeless(part);
  }
  return json;
}

fs::path write_family(const fs::path& folder, std::uint32_t people, std::uint64_t seed = 1) {
  FamilyOptions family;
  family.people = people;
  family.seed = seed;
  EXPECT_TRUE(write_generated(generate_family(family), folder));
  return folder;
}

fs::path train_run(const fs::path& data, const TrainOptions& options, const fs::path& folder) {
  const Dataset dataset = load(data).value();
  const auto result = start_run(dataset, data, resolve(dataset, options).value(), folder);
  EXPECT_TRUE(result) << to_string(result.error());
  return folder;
}

/// A run with functions, rules and an embedding, and one without the last of the same data; learned
/// once.
struct Learned {
  Learned()
      : data(write_family(folder / "families", 80)),
        run(train_run(data, test::embedding_options(), folder / "run")),
        plain(train_run(data, test::small_options(1), folder / "plain")) {}

  test::TemporaryFolder folder;
  fs::path data;
  fs::path run;
  fs::path plain;
};

const Learned& learned() {
  static const Learned result;
  return result;
}

Run opened(const fs::path& folder) {
  Result<Run> run = Run::open(folder, 2);
  EXPECT_TRUE(run) << to_string(run.error());
  return *run;
}

/// What a run holds, for the rooms that it calls.
struct Rooms {
  explicit Rooms(const fs::path& folder)
      : saved(open_run(folder).value()),
        dataset(load_data(saved.config, 2).value()),
        known(dataset, known_splits(saved.config.options), 2) {}

  SavedRun saved;
  Dataset dataset;
  KnownGraph known;
};

RulesOptions few_rules() {
  RulesOptions options;
  options.questions = 20;
  options.top = 10;
  return options;
}

DistillOptions quick_distill(DistillOptions options) {
  options.rules = 5;
  options.queries = 50;
  options.open = 20;
  options.epochs = 1;
  options.steps = 5;
  return options;
}

TEST(Run, RanksAsTheModelDoes) {
  const auto run = opened(learned().run);
  const Rooms rooms(learned().run);
  const auto found = run.evaluate();
  ASSERT_TRUE(found) << to_string(found.error());
  ASSERT_TRUE(found->rules_only);
  EXPECT_EQ(timeless(to_json(*found)),
            timeless(to_json(evaluate_parts(rooms.saved.model, rooms.known).value())));

  const std::vector<lerpp::Run> others = {opened(learned().plain)};
  const std::vector<Model> models = {rooms.saved.model, others.front().model()};
  EXPECT_EQ(timeless(to_json(run.evaluate_with(others).value())),
            timeless(to_json(evaluate_together(models, rooms.known).value())));
}

TEST(Run, RanksOfEachAnswerMakeTheReport) {
  const auto run = opened(learned().run);
  RankingOptions options;
  options.split = Split::valid;
  const auto ranks = run.answer_ranks(options);
  ASSERT_TRUE(ranks) << to_string(ranks.error());
  const Evaluation report = run.evaluate(options).value();
  ASSERT_EQ(ranks->answers.size(), report.full.both.queries);
  double tails = 0;
  double all = 0;
  for (const AnswerRank& one : ranks->answers) {
    all += 1 / one.rank.realistic();
    tails += one.tail ? 1 / one.rank.realistic() : 0;
  }
  const auto count = static_cast<double>(ranks->answers.size());
  EXPECT_NEAR(all / count, report.full.both.realistic.mrr, 1e-12);
  EXPECT_NEAR(2 * tails / count, report.full.tail.realistic.mrr, 1e-12);

  const fs::path path = learned().folder / "ranks.tsv";
  ASSERT_TRUE(write_ranks(*ranks, path));
  const std::string text(read_file(path)->view());
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "subject\trelation\tobject\tdirection\tscore\trealistic\toptimistic\tpessimistic"
            "\tties");
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), ranks->answers.size() + 1);
  EXPECT_FALSE(write_ranks(*ranks, path / "below_a_file.tsv"));
}

TEST(Run, RanksWithAnEmbeddingThatWasLearnedApart) {
  const Rooms rooms(learned().run);
  EmbedOptions options;
  options.epochs = 1;
  options.threads = 1;
  const TransEModel embedding = embed(rooms.dataset, options).value().model;
  const Model rules = without_embedding(rooms.saved.model);
  const auto found = opened(learned().run).evaluate_with(embedding);
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ(timeless(to_json(*found)),
            timeless(to_json(evaluate_with_embedding(rules, embedding, rooms.known).value())));
}

TEST(Run, RulesOnlyLeavesTheEmbeddingOut) {
  const auto run = opened(learned().run);
  const auto rules = run.rules_only();
  EXPECT_GT(run.model().shape().embedding, 0U);
  EXPECT_EQ(rules.model().shape().embedding, 0U);
  EXPECT_EQ(timeless(to_json(rules.evaluate()->full)),
            timeless(to_json(*run.evaluate()->rules_only)));
  EXPECT_EQ(rules.data().value(), run.data().value());
}

TEST(Run, ReadsAsTheModelIsRead) {
  const auto run = opened(learned().run);
  const auto& [saved, dataset, known] = Rooms(learned().run);
  const RuleReport report = run.rules(few_rules()).value();
  ASSERT_FALSE(report.rules.empty());
  EXPECT_EQ(timeless(to_json(report, *run.data().value())),
            timeless(to_json(rules(saved.model, known, few_rules()).value(), dataset)));
  EXPECT_EQ(to_json(run.functions().value(), *run.data().value()),
            to_json(functions(saved.model, known).value(), dataset));

  const std::vector<Rule> top = report.top(5);
  EXPECT_EQ(run.export_rules(top, ExportFormat::sql)->text,
            export_rules(top, dataset, ExportFormat::sql)->text);
  ASSERT_TRUE(run.export_facts(ExportFormat::prolog, learned().folder / "ours.pl"));
  ASSERT_TRUE(export_facts(dataset, ExportFormat::prolog, learned().folder / "theirs.pl"));
  EXPECT_EQ(test::slurp(learned().folder / "ours.pl"), test::slurp(learned().folder / "theirs.pl"));
}

TEST(Run, AnswersAsAPredictorDoes) {
  const auto run = opened(learned().run);
  const Rooms rooms(learned().run);
  Predictor predictor(rooms.saved.model, rooms.known, 1);
  ASSERT_TRUE(predictor.learn_probabilities());
  const Fact fact = rooms.dataset[Split::test].front();
  const std::string head(rooms.dataset.entities.name(fact.subject));
  const std::string relation(rooms.dataset.relations.name(fact.relation));
  const std::string tail(rooms.dataset.entities.name(fact.object));
  EXPECT_EQ(run.entity(head).value(), fact.subject);
  EXPECT_EQ(run.relation(relation).value(), fact.relation);

  const Query query = {fact.relation, fact.subject};
  const Json answers = timeless(to_json(predictor.predict(query)));
  EXPECT_EQ(timeless(to_json(run.predict(head, relation, "?").value())), answers);
  EXPECT_EQ(timeless(to_json(run.predict(query).value())), answers);

  const Json proof = timeless(to_json(explain(predictor, fact).value(), rooms.dataset));
  EXPECT_EQ(timeless(to_json(run.explain(head, relation, tail).value(), rooms.dataset)), proof);
  EXPECT_EQ(timeless(to_json(run.explain(fact).value(), rooms.dataset)), proof);
}

TEST(Run, DistillsAsTheModelIsDistilled) {
  const test::TemporaryFolder folder;
  const auto run = opened(learned().plain);
  const Rooms rooms(learned().plain);
  const DistillOptions options = quick_distill(run.distill_options().value());
  const RuleList list = run.distill(options).value();
  ASSERT_FALSE(list.rules.empty());
  const RuleList expected = distill(rooms.saved.model, rooms.known, options).value();
  ASSERT_TRUE(run.save_list(list, folder / "ours"));
  ASSERT_TRUE(save_rules(expected, rooms.dataset, folder / "theirs"));
  EXPECT_EQ(test::slurp(folder / "ours"), test::slurp(folder / "theirs"));
  EXPECT_EQ(
      timeless(to_json(run.fidelity(list, {Split::valid}).value())),
      timeless(to_json(fidelity(rooms.saved.model, list, rooms.known, {Split::valid}).value())));
  EXPECT_EQ(timeless(to_json(run.rules(list, few_rules()).value(), rooms.dataset)),
            timeless(to_json(rules(list, rooms.known, few_rules()).value(), rooms.dataset)));

  EXPECT_EQ(run.load_list().error().what, "the run has no list of rules");
  ASSERT_TRUE(run.save_list(list, run.list_file()));
  EXPECT_EQ(run.load_list()->rules.size(), list.rules.size());
  EXPECT_EQ(run.export_rules(list, ExportFormat::text)->text,
            export_rules(list.rules, rooms.dataset, ExportFormat::text)->text);
  fs::remove(run.list_file());
}

TEST(Run, DrawsAndReportsAsTheRoomsDo) {
  const auto run = opened(learned().run);
  const auto& [saved, dataset, known] = Rooms(learned().run);
  EXPECT_EQ(
      to_json(run.function_space().value(), dataset),
      to_json(lerpp::function_space(saved.model, known, usual_roles(known)).value(), dataset));
  const auto space = run.function_space({"is an uncle: ∃z uncle(x,z)", "∃z aunt(x,z)"});
  ASSERT_TRUE(space) << to_string(space.error());
  EXPECT_EQ(space->roles[0].role.name, "is an uncle");
  EXPECT_EQ(space->roles[1].role.name, space->roles[1].text);
  EXPECT_FALSE(run.function_space({"∃z ant(x,z)"}));

  EXPECT_EQ(to_json(run.network(0).value(), dataset),
            to_json(network(saved.model, 0).value(), dataset));
  EXPECT_EQ(run.trace()->size(), 5U);  // two epochs of the rules, three of the embedding

  Predictor predictor(saved.model, known, 1);
  ASSERT_TRUE(predictor.learn_probabilities());
  EXPECT_EQ(timeless(to_json(run.report().value())),
            timeless(to_json(
                make_report(learned().run, saved.config, predictor.model(), predictor).value())));
}

TEST(Run, FindsThingsOnceAndSharesThem) {
  const auto run = opened(learned().run);
  const auto copy = run;  // NOLINT(performance-unnecessary-copy-initialization)
  const Graph* graph = &run.known()->graph();
  EXPECT_EQ(&copy.known()->graph(), graph);
  EXPECT_EQ(&run.rules_only().known()->graph(), graph);
  EXPECT_EQ(&run.watched_by({}).known()->graph(), graph);
  EXPECT_EQ(&run.predictor().value()->known().graph(), graph);
  EXPECT_EQ(run.predictor().value(), copy.predictor().value());
}

/// Some of everything, as one value.
Json asked(const Run& run, const Fact& fact) {
  const Dataset& data = *run.data().value();
  Json json;
  json["predict"] = to_json(run.predict(Query{fact.relation, fact.subject}).value());
  json["explain"] = to_json(run.explain(fact).value(), data);
  json["evaluate"] = to_json(run.evaluate().value());
  json["rules"] = to_json(run.rules(few_rules()).value(), data);
  json["functions"] = to_json(run.functions().value(), data);
  return timeless(json);
}

TEST(Run, ThreadsThatAskAtOnceGetWhatOneGets) {
  const std::vector<Fact> facts = Rooms(learned().run).dataset[Split::test];
  const auto alone = opened(learned().run);
  const auto shared = opened(learned().run);  // has read no data yet
  constexpr std::size_t count = 3;
  std::vector<Json> found(count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&, i] { found[i] = asked(shared, facts[i]); });
    }
  }
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(found[i], asked(alone, facts[i])) << i;
}

TEST(Run, AnswersAboutAnotherGraph) {
  const test::TemporaryFolder folder;
  const fs::path data = write_family(folder / "strangers", 60, 2);
  // Other numbers of the relations, and one that the model does not know.
  for (const char* names : {"entities.txt", "relations.txt"}) fs::remove(data / names);
  const std::string train = test::slurp(data / "train.txt");
  folder.put("strangers/train.txt", "anna\tlikes\tben\nanna\twife\tben\n" + train);
  const auto own = opened(learned().run);
  const auto run = own.on(data);
  EXPECT_TRUE(run.lacks_embedding().value());
  EXPECT_FALSE(own.lacks_embedding().value());
  EXPECT_FALSE(run.rules_only().lacks_embedding().value());
  const Dataset dataset = load(data).value();
  EXPECT_NE(dataset.relations.find("wife"), own.data().value()->relations.find("wife"));
  EXPECT_EQ(run.data().value()->relations.find("wife"), own.data().value()->relations.find("wife"));
  EXPECT_EQ(run.data().value()->relations.find("likes"), std::nullopt);

  EXPECT_EQ(timeless(to_json(run.evaluate().value())),
            timeless(to_json(evaluate_parts(own.model(), KnownGraph(dataset)).value())));
  const auto given = own.on(dataset);
  EXPECT_EQ(timeless(to_json(given.predict("anna", "wife", "?").value())),
            timeless(to_json(run.predict("anna", "wife", "?").value())));
  EXPECT_TRUE(run.rules(few_rules()));
  EXPECT_TRUE(run.functions());
  EXPECT_TRUE(run.report());
  EXPECT_EQ(run.predict("anna", "likes", "?").error().what, "no relation is called 'likes'");
}

TEST(Run, KnowsTheValidationFactsThatItHasLearnedFrom) {
  const test::TemporaryFolder folder;
  const fs::path data = write_family(folder / "families", 60);
  TrainOptions options = test::small_options(1);
  options.train.on_valid = true;
  const auto run = opened(train_run(data, options, folder / "run"));
  EXPECT_TRUE(run.known()->knows(Split::valid));
  EXPECT_TRUE(run.known()->graph().contains(run.data().value()->operator[](Split::valid).front()));
  // Wherever they lie; but none of other data.
  fs::copy(data, folder / "moved");
  EXPECT_TRUE(run.on(folder / "moved").known()->knows(Split::valid));
  EXPECT_FALSE(run.on(write_family(folder / "others", 60, 2)).known()->knows(Split::valid));
}

TEST(Run, WantsTheDataOfTheRunOrOtherData) {
  const test::TemporaryFolder folder;
  const fs::path data = write_family(folder / "families", 60);
  const auto run = opened(train_run(data, test::small_options(1), folder / "run"));
  std::string fact;
  std::getline(std::ifstream(data / "valid.txt"), fact);
  std::ofstream(data / "train.txt", std::ios::app) << fact << "\n";
  const std::string head = fact.substr(0, fact.find('\t'));
  for (const Error& error : {run.data().error(), run.evaluate().error(), run.rules().error(),
                             run.predict(head, "wife", "?").error(), run.report().error()}) {
    EXPECT_EQ(error.what, "the data has changed since this run began");
    EXPECT_EQ(error.remedy, "put it back as it was, or give another with --data");
  }
  EXPECT_TRUE(run.on(data).predict(head, "wife", "?"));
}

TEST(Run, MistakesAreErrors) {
  EXPECT_EQ(lerpp::Run::open(learned().folder / "nowhere").error().what, "this is no run folder");
  const auto run = opened(learned().run);
  EXPECT_EQ(run.predict("nobody", "aunt", "?").error().what, "no entity is called 'nobody'");
  EXPECT_EQ(run.predict("?", "aunt", "?").error().what, "both ends are asked for");
  RulesOptions options;
  options.confidence = 2;
  EXPECT_EQ(run.rules(options).error().kind, ErrorKind::usage);
  PredictOptions none;
  none.top = 0;
  EXPECT_EQ(run.predict(Query{0, 0}, none).error().kind, ErrorKind::usage);
}

TEST(Run, WhoWatchesMayStopIt) {
  std::stop_source stop;
  stop.request_stop();
  const auto run = opened(learned().run);
  const auto watched = run.watched_by({{}, stop.get_token()});
  EXPECT_EQ(watched.rules(few_rules()).error().kind, ErrorKind::interrupted);
  EXPECT_TRUE(run.rules(few_rules()));
}

TEST(Run, TellsHowFarFunctionsHoldOfEntities) {
  const auto run = opened(learned().run);
  const auto data = run.data().value();
  const Graph graph = data->known_graph();
  const EntityFunctions found = run.entity_functions().value();
  ASSERT_EQ(found.entities, data->entities.size());
  ASSERT_EQ(found.functions, run.model().shape().width);
  // The reader of functions has looked at the same values, of all entities of so small a graph.
  const std::vector<FunctionReading> readings = read_functions(run.model(), graph);
  Evaluator evaluator(graph);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (readings[i].constant) continue;
    const EntitySet& holds = evaluator(readings[i].formula);
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t entity = 0; entity < found.entities; ++entity) {
      if (!holds.contains(static_cast<EntityId>(entity))) continue;
      sum += double{found.values[entity * found.functions + i]};
      ++count;
    }
    ASSERT_GT(count, 0U);
    EXPECT_NEAR(sum / static_cast<double>(count), readings[i].high, 1e-5) << i;
  }
  const auto shallow = opened(learned().plain);
  EXPECT_EQ(shallow.entity_functions().has_value(), shallow.model().shape().functions() > 0);
}

TEST(Run, SharesADatasetThatOthersHold) {
  const auto run = opened(learned().plain);
  const auto shared = std::make_shared<const Dataset>(load(learned().data).value());
  const auto other = run.on(shared);
  EXPECT_EQ(&other.known().value().dataset(), shared.get());
  EXPECT_EQ(timeless(to_json(other.evaluate().value())), timeless(to_json(run.evaluate().value())));
}

}  // namespace
}  // namespace lerpp
