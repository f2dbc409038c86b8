// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "server/cache.hpp"
#include "server/decision_export.hpp"
#include "server/decision_log.hpp"
#include "server/gate.hpp"
#include "server/guard.hpp"
#include "server/name_index.hpp"
#include "server/question.hpp"

namespace lerpp {
namespace {

WebRequest json_request(std::string body) {
  WebRequest request;
  request.method = "POST";
  request.headers["content-type"] = "application/json";
  request.body = std::move(body);
  return request;
}

TEST(Question, TakesFieldsWithinTheirLimits) {
  auto question = Question::of_body(json_request(R"({"a": "x", "n": 3.0, "f": true})"));
  ASSERT_TRUE(question);
  EXPECT_EQ(question->need("a"), "x");
  EXPECT_EQ(question->whole("n", 1, 3, 1), 3U);
  EXPECT_TRUE(question->flag("f"));
  EXPECT_EQ(question->whole("absent", 1, 9, 7), 7U);
  EXPECT_TRUE(question->check());
}

TEST(Question, TellsWhatIsWrong) {
  for (const char* body : {R"({"n": 4})", R"({"n": 1.5})", R"({"n": "1"})", R"({"n": -1})",
                           R"({"n": 1, "other": 1})"}) {
    auto question = Question::of_body(json_request(body));
    ASSERT_TRUE(question);
    question->whole("n", 1, 3, 1);
    const auto checked = question->check();
    ASSERT_FALSE(checked) << body;
    EXPECT_EQ(checked.error().status, 400);
  }
  EXPECT_EQ(Question::of_body(json_request("[1]")).error().status, 400);
  EXPECT_EQ(Question::of_body(json_request("{")).error().status, 400);
  EXPECT_EQ(Question::of_body(json_request("{\"a\": \"\xff\"}")).error().status, 400);
  WebRequest plain = json_request("{}");
  plain.headers["content-type"] = "text/plain";
  EXPECT_EQ(Question::of_body(plain).error().status, 415);
}

TEST(Question, TakesListsOfTexts) {
  auto question = Question::of_body(json_request(R"({"a": ["x", "y"]})"));
  ASSERT_TRUE(question);
  EXPECT_EQ(question->texts("a", 1, 2), (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(question->check());
  for (const char* body : {"{}", R"({"a": []})", R"({"a": ["x", "y", "z"]})", R"({"a": ["x", 1]})",
                           R"({"a": [""]})", R"({"a": ["long"]})", R"({"a": "x"})"}) {
    auto wrong = Question::of_body(json_request(body));
    ASSERT_TRUE(wrong);
    wrong->texts("a", 1, 2, 3);
    const auto checked = wrong->check();
    ASSERT_FALSE(checked) << body;
    EXPECT_EQ(checked.error().status, 400);
  }
}

TEST(Question, CountsLettersNotBytes) {
  auto question = Question::of_body(json_request("{\"a\": \"éé\"}"));
  ASSERT_TRUE(question);
  EXPECT_EQ(question->text("a", 0, 2), "éé");
  EXPECT_TRUE(question->check());
}

TEST(Question, IsTheSameInAnyOrder) {
  const auto one = Question::of_body(json_request(R"({"a": 1, "b": 2})"));
  const auto other = Question::of_body(json_request(R"({"b": 2, "a": 1})"));
  EXPECT_EQ(one->canonical(), other->canonical());
}

TEST(AnswerCache, ForgetsWhatWasNotAskedForLongest) {
  AnswerCache cache(10'000);
  const auto answer = std::make_shared<const std::string>(1000, 'x');
  for (int i = 0; i < 8; ++i) cache.keep("question " + std::to_string(i), answer);
  EXPECT_NE(cache.find("question 0"), nullptr);
  for (int i = 8; i < 15; ++i) cache.keep("question " + std::to_string(i), answer);
  EXPECT_NE(cache.find("question 0"), nullptr);
  EXPECT_EQ(cache.find("question 1"), nullptr);
  EXPECT_LE(cache.bytes(), 10'000U);
  cache.keep("large", std::make_shared<const std::string>(9000, 'x'));
  EXPECT_EQ(cache.find("large"), nullptr);
}

TEST(Gate, RefusesWhereTooManyWaitAndForgetsWhoGoes) {
  Gate gate(1, 1);
  auto first = gate.enter({});
  ASSERT_TRUE(first);
  std::stop_source stop;
  Observer observer;
  observer.stop = stop.get_token();
  std::atomic<bool> waits = true;
  std::thread second([&] {
    const auto place = gate.enter(observer);
    EXPECT_FALSE(place);
    waits = false;
  });
  // The queue holds the second as soon as it has come; until then there is room for this one.
  while (waits) {
    std::stop_source at_once;
    at_once.request_stop();
    Observer gone;
    gone.stop = at_once.get_token();
    const auto third = gate.enter(gone);
    ASSERT_FALSE(third);
    if (third.error().status == 429) break;
  }
  stop.request_stop();
  second.join();
  { const auto given = std::move(*first); }
  EXPECT_TRUE(gate.enter({}));
}

TEST(Guard, NamesTheMachineItself) {
  EXPECT_TRUE(is_loopback("127.0.0.1"));
  EXPECT_TRUE(is_loopback("127.1.2.3"));
  EXPECT_TRUE(is_loopback("::1"));
  EXPECT_TRUE(is_loopback("localhost"));
  EXPECT_FALSE(is_loopback("0.0.0.0"));
  EXPECT_FALSE(is_loopback("127.0.0.1.example.org"));
}

TEST(Guard, ComparesSecrets) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abcabc", "abc"));
  EXPECT_FALSE(same_secret("", "abc"));
  EXPECT_FALSE(same_secret("abc", ""));
  EXPECT_EQ(new_token().size(), 32U);
  EXPECT_NE(new_token(), new_token());
}

Dataset small_data() {
  Dataset data;
  for (const char* name : {"anna", "Hannah", "anna_smith", "ben", "x anna", "gottfried"})
    data.entities.intern(name);
  data.relations.intern("knows");
  data[Split::train] = {{3, 0, 1}, {3, 0, 2}, {3, 0, 0}};
  data.entity_texts[5] = "Leibniz";
  return data;
}

TEST(NameIndex, PutsBeginningsBeforeWhatIsInside) {
  const Dataset data = small_data();
  const KnownGraph known(data);
  const NameIndex index(known);
  const auto found = index.entities("ANNA", 10);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].id, 0U);
  EXPECT_EQ(found[0].match, NameMatch::exact);
  EXPECT_EQ(found[1].id, 2U);
  EXPECT_EQ(found[1].match, NameMatch::prefix);
  EXPECT_EQ(found[2].id, 4U);
  EXPECT_EQ(found[2].match, NameMatch::word);
  EXPECT_EQ(found[3].id, 1U);
  EXPECT_EQ(found[3].match, NameMatch::inside);
  EXPECT_EQ(index.entities("leibniz", 10).front().id, 5U);
  EXPECT_EQ(index.entities("gotfried", 10).front().match, NameMatch::similar);
  EXPECT_EQ(index.entities("a", 2).size(), 2U);
  EXPECT_EQ(index.relations("know", 10).front().match, NameMatch::prefix);
}

class Decisions : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::filesystem::remove(path_);
    log_ = DecisionLog::open(path_).value();
  }
  void TearDown() override {
    log_.reset();
    std::filesystem::remove_all(folder_);
  }
  static Decision decision(const std::string& key, const std::string& verdict,
                           const std::string& tail = "c") {
    Decision one;
    one.key = key;
    one.head = "a";
    one.relation = "r";
    one.tail = tail;
    one.verdict = verdict;
    return one;
  }
  static Decision undo(const std::string& key, std::int64_t id) {
    Decision one;
    one.key = key;
    one.verdict = "undo";
    one.undoes = id;
    return one;
  }
  std::vector<std::string> in_force() {
    std::vector<std::string> words;
    const auto all = log_->after(0, true, 100);
    for (const Decision& one : all.value()) words.push_back(one.tail + " " + one.verdict);
    return words;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("lerp-decisions-" +
       std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  std::filesystem::path path_ = folder_ / "decisions.sqlite";
  std::unique_ptr<DecisionLog> log_;
};

using Words = std::vector<std::string>;

TEST_F(Decisions, OfAFactTheLastIsInForceAndUndoBringsBackTheOneBefore) {
  const auto first = log_->add(decision("1", "accept"));
  ASSERT_TRUE(first);
  const auto second = log_->add(decision("2", "reject"));
  ASSERT_TRUE(second);
  ASSERT_TRUE(log_->add(decision("3", "unsure", "d")));
  EXPECT_EQ(in_force(), (Words{"c reject", "d unsure"}));
  const auto undone = log_->add(undo("4", second->decision.id));
  ASSERT_TRUE(undone && undone->exists);
  EXPECT_EQ(undone->decision.tail, "c");
  EXPECT_EQ(in_force(), (Words{"c accept", "d unsure"}));
  EXPECT_FALSE(log_->add(undo("5", second->decision.id))->exists);
  EXPECT_FALSE(log_->add(undo("6", 99))->exists);
  const auto counts = log_->counts();
  EXPECT_EQ(counts->last, undone->decision.id);
  EXPECT_EQ(counts->accepted, 1);
  EXPECT_EQ(counts->rejected, 0);
  EXPECT_EQ(counts->unsure, 1);
}

TEST_F(Decisions, AKeyIsTakenOnce) {
  const auto first = log_->add(decision("1", "accept"));
  const auto again = log_->add(decision("1", "accept"));
  EXPECT_TRUE(first->fresh);
  EXPECT_FALSE(again->fresh);
  EXPECT_TRUE(again->same);
  EXPECT_EQ(again->decision.id, first->decision.id);
  EXPECT_FALSE(log_->add(decision("1", "reject"))->same);
  EXPECT_EQ(log_->after(0, false, 100)->size(), 1U);
}

TEST_F(Decisions, SeveralAtOnceInSeveralLogsLoseNothing) {
  constexpr int writers = 4;
  constexpr int each = 25;
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      auto own = DecisionLog::open(path_).value();
      for (int i = 0; i < each; ++i) {
        // Neighbours send the same keys.
        const std::string key = std::to_string(writer / 2 * each + i);
        EXPECT_TRUE(own->add(decision(key, "accept", key)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> keys;
  const auto all = log_->after(0, false, 1000);
  for (const Decision& one : all.value()) keys.insert(one.key);
  EXPECT_EQ(all->size(), static_cast<std::size_t>(writers / 2 * each));
  EXPECT_EQ(keys.size(), all->size());
}

TEST_F(Decisions, AnUnreadableFileIsNamed) {
  const std::filesystem::path wrong = folder_ / "wrong.sqlite";
  { std::ofstream(wrong) << "this is no database, however long it may be taken to be one"; }
  const auto opened = DecisionLog::open(wrong);
  ASSERT_FALSE(opened);
  EXPECT_NE(to_string(opened.error()).find("wrong.sqlite"), std::string::npos);
}

TEST(DecisionFiles, HoldWhateverNamesThereAre) {
  Decision one;
  one.id = 1;
  one.head = "http://example.org/a b";
  one.relation = "r\"1";
  one.tail = "=c,\"d\"";
  one.verdict = "accept";
  one.note = "two\nlines";
  EXPECT_EQ(decisions_tsv({one}), "http://example.org/a b\tr\"1\t=c,\"d\"\n");
  EXPECT_EQ(decisions_ntriples({one}),
            "<http://example.org/a%20b> <urn:lerp:relation:r%221> "
            "<urn:lerp:entity:=c,%22d%22> .\n");
  EXPECT_EQ(decisions_csv({one}),
            "id,head,relation,tail,verdict,note,who,at,model\n"
            "1,http://example.org/a b,\"r\"\"1\",\"'=c,\"\"d\"\"\",accept,\"two\nlines\",,,\n");
  one.head = "a\tb";
  EXPECT_EQ(decisions_tsv({one}), "");
  one.verdict = "reject";
  EXPECT_EQ(decisions_ntriples({one}), "");
}

}  // namespace
}  // namespace lerpp
