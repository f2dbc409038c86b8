// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <lerp/base/observer.hpp>
#include <lerp/model/model.hpp>

#include "explain/list_asker.hpp"
#include "explain/open_answers.hpp"

namespace lerpp {

/// Who is asked, and what is known meanwhile. What it refers to must outlive it.
struct Asked {
  const Scorer& scorer;
  const ListAsker* list = nullptr;  ///< where a list answers: what the scorer says, found faster
  const Graph& graph;               ///< what is known
  bool evidence = true;
  unsigned threads = 0;
};

using UseAnswers = std::function<void(std::size_t, OpenAnswers&)>;

/// Asks many questions, sorted and each once, with nothing hidden: `use(i, answers)` is called for
/// question i by whoever is free, in no order and several at once. The answers know what the graph
/// knows.
Result<void> ask_each(const Asked& asked, std::span<const Query> queries, std::string_view stage,
                      const Observer& observer, const UseAnswers& use);

/// Sorts questions and drops repeated ones.
void sort_queries(std::vector<Query>& queries);
/// Where a question stands among sorted ones, which hold it.
std::size_t place_of(std::span<const Query> queries, const Query& query);

}  // namespace lerpp
