// SPDX-License-Identifier: Apache-2.0
#include "read/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lerpp {

Rule rule_of(const Body& body, OperatorId target, double weight) {
  if (body.pair) return pair_rule(target, body.constraints[0], body.constraints[1], weight);
  return path_rule(target, body.hops, body.constraints, weight);
}

Body body_of(const Rule& rule) {
  if (rule.is_pair()) return {{}, rule.constraints(), true};
  const bool any = std::any_of(rule.constraints().begin(), rule.constraints().end(),
                               [](const Formula& one) { return one != Formula::truth(); });
  return {rule.hops(), any ? rule.constraints() : std::vector<Formula>{}, false};
}

std::uint32_t Ledger::number(const Body& body) {
  const auto [place, fresh] =
      numbers_.try_emplace(body, static_cast<std::uint32_t>(accounts_.size()));
  if (fresh) {
    accounts_.emplace_back();
    saying_.push_back(0);
  }
  return place->second;
}

void Ledger::say(std::uint32_t body, double value, Source source) {
  Account& account = accounts_[body];
  if (account.answers.empty() || account.answers.back() != next_answer_) {
    account.answers.push_back(next_answer_);
    spoken_.push_back(body);
  }
  saying_[body] += value;
  account.of_source[static_cast<std::size_t>(source)] += std::abs(value);
}

void Ledger::close(double role, double scale) {
  for (const std::uint32_t body : spoken_) {
    const double value = std::exchange(saying_[body], 0);
    accounts_[body].told += role * value / scale;
    accounts_[body].said += value;
  }
  ++next_answer_;
}

std::vector<Watched> watched(EntityId answer, std::vector<std::pair<double, EntityId>> liked) {
  std::erase_if(liked, [&](const auto& one) { return one.second == answer; });
  std::sort(liked.begin(), liked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<Watched> result = {{answer, 1}};
  double sum = 0;
  for (std::size_t rank = 1; rank <= std::min(liked.size(), liked_answers - 1); rank *= 2) {
    const double weight = 1 / std::sqrt(static_cast<double>(rank));
    result.push_back({liked[rank - 1].second, -weight});
    sum += weight;
  }
  for (std::size_t i = 1; i < result.size(); ++i) result[i].role /= sum;
  return result;
}

}  // namespace lerpp
