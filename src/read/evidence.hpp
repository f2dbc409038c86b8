// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <map>
#include <utility>
#include <vector>

#include <lerp/read/rules.hpp>

namespace lerpp {

/// The body of a rule, as evidence is booked under it.
struct Body {
  std::vector<OperatorId> hops;
  std::vector<Formula> constraints;  ///< none where nothing is constrained
  bool pair = false;

  auto operator<=>(const Body&) const = default;
};
Rule rule_of(const Body& body, OperatorId target, double weight);
Body body_of(const Rule& rule);

/// Books what each body says about the answers of one target's questions.
class Ledger {
 public:
  struct Account {
    double told = 0;  ///< evidence for right answers, less the mean of that for wrong ones
    double said = 0;  ///< to all answers that were watched
    /// Groundings behind that; only of a sum of rules, where each adds to the score.
    double groundings = 0;
    std::vector<std::uint32_t> answers;  ///< numbers of those that it said something about
    std::array<double, most_sources> of_source = {};
  };

  /// Numbers the watched answers from here on.
  explicit Ledger(std::uint32_t first_answer = 0) : next_answer_(first_answer) {}

  std::uint32_t number(const Body& body);

  /// A watched answer: statements follow, then its close. `role` is 1 for the right answer; those
  /// of the wrong ones sum to -1.
  void open() { spoken_.clear(); }
  void say(std::uint32_t body, double value, Source source);
  void ground(std::uint32_t body, double groundings) { accounts_[body].groundings += groundings; }
  /// What was told is divided by `scale`.
  void close(double role, double scale = 1);
  void end_question() { ++questions_; }

  std::size_t questions() const { return questions_; }
  std::uint32_t next_answer() const { return next_answer_; }
  const std::map<Body, std::uint32_t>& numbers() const { return numbers_; }
  const Account& account(std::uint32_t body) const { return accounts_[body]; }

 private:
  std::map<Body, std::uint32_t> numbers_;
  std::vector<Account> accounts_;
  std::vector<double> saying_;         ///< by body: what it says of the open answer
  std::vector<std::uint32_t> spoken_;  ///< bodies that say something
  std::uint32_t next_answer_;
  std::size_t questions_ = 0;
};

/// An answer to watch, and its role.
struct Watched {
  EntityId entity = 0;
  double role = 0;
};
/// How many of the answers that are liked best may be watched.
inline constexpr std::size_t liked_answers = 33;
/// The right answer, and of the others in `liked` the 1st, 2nd, 4th, ... 32nd by their scores: from
/// hard to tell from the right one to easy. Their roles fall as one over the root of their place.
std::vector<Watched> watched(EntityId answer, std::vector<std::pair<double, EntityId>> liked);

}  // namespace lerpp
