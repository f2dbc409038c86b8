// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/eval/answer_ranks.hpp>

namespace lerpp {
namespace {

constexpr std::size_t shown_relations = 12;
constexpr std::size_t name_width = 34;

Json to_json(const Measures& measures) {
  return {{"mrr", measures.mrr},
          {"hits_at_1", measures.hits_at_1},
          {"hits_at_3", measures.hits_at_3},
          {"hits_at_10", measures.hits_at_10},
          {"mean_rank", measures.mean_rank}};
}

Json to_json(const Protocols& protocols) {
  return {{"queries", protocols.queries},
          {"tied", protocols.tied},
          {"optimistic", to_json(protocols.optimistic)},
          {"realistic", to_json(protocols.realistic)},
          {"pessimistic", to_json(protocols.pessimistic)}};
}

/// A name between tabs: those of its own, and line breaks, would be misread.
std::string between_tabs(std::string_view name) {
  std::string text(name);
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Pads a name with spaces, or keeps the end of a long one: paths such as Freebase's differ there.
std::string fit(std::string_view name, std::size_t width) {
  auto length = static_cast<std::size_t>(
      std::count_if(name.begin(), name.end(), [](char c) { return !continues_character(c); }));
  if (length <= width) return std::string(name) + std::string(width - length, ' ');
  while (length >= width) {
    name.remove_prefix(1);
    while (!name.empty() && continues_character(name.front())) name.remove_prefix(1);
    --length;
  }
  return "…" + std::string(name);
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

void add_row(std::string& text, std::string_view title, const Measures& measures) {
  fmt::format_to(std::back_inserter(text), "{}{:>8.3f}{:>8.3f}{:>8.3f}{:>9.3f}{:>12.1f}\n",
                 fit(title, 22), measures.mrr, measures.hits_at_1, measures.hits_at_3,
                 measures.hits_at_10, measures.mean_rank);
}

void add_relations(std::string& text, std::vector<const RankingReport::Relation*> relations) {
  std::stable_sort(relations.begin(), relations.end(),
                   [](const auto* a, const auto* b) { return a->both.queries > b->both.queries; });
  const std::size_t shown = std::min(shown_relations, relations.size());
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>9}\n", fit("relation", name_width),
                 "queries", "MRR", "opt.", "pess.", "head", "tail", "tied");
  for (std::size_t i = 0; i < shown; ++i) {
    const RankingReport::Relation& relation = *relations[i];
    fmt::format_to(out, "{}{:>9}{:>8.3f}{:>8.3f}{:>8.3f}{:>8.3f}{:>8.3f}{:>9}\n",
                   fit(relation.name, name_width), thousands(relation.both.queries),
                   relation.both.realistic.mrr, relation.both.optimistic.mrr,
                   relation.both.pessimistic.mrr, relation.head.realistic.mrr,
                   relation.tail.realistic.mrr, percent(relation.both.tied));
  }
  if (shown < relations.size()) {
    fmt::format_to(out, "… and {} more\n", thousands(relations.size() - shown));
  }
}

}  // namespace

Json to_json(const RankingReport& report) {
  Json relations = Json::object();
  for (const RankingReport::Relation& relation : report.relations) {
    Json& entry = relations[relation.name] = to_json(relation.both);
    entry["head"] = to_json(relation.head);
    entry["tail"] = to_json(relation.tail);
  }
  return {{"dataset", report.dataset},        {"split", name_of(report.split)},
          {"queries", report.both.queries},   {"tied", report.both.tied},
          {"seconds", report.seconds},        {"both", to_json(report.both)},
          {"head", to_json(report.head)},     {"tail", to_json(report.tail)},
          {"relations", std::move(relations)}};
}

std::string to_text(const RankingReport& report) {
  std::string text =
      fmt::format("{} {}: {} queries, {} of the answers tied with another candidate, {:.2f} s\n\n",
                  report.dataset, name_of(report.split), thousands(report.both.queries),
                  percent(report.both.tied), report.seconds);
  fmt::format_to(std::back_inserter(text), "{}{:>8}{:>8}{:>8}{:>9}{:>12}\n", fit("ties", 22), "MRR",
                 "hits@1", "hits@3", "hits@10", "mean rank");
  add_row(text, "realistic", report.both.realistic);
  add_row(text, "  heads, r(?, t)", report.head.realistic);
  add_row(text, "  tails, r(h, ?)", report.tail.realistic);
  add_row(text, "optimistic", report.both.optimistic);
  add_row(text, "pessimistic", report.both.pessimistic);
  text += '\n';
  std::vector<const RankingReport::Relation*> relations;
  for (const RankingReport::Relation& relation : report.relations) relations.push_back(&relation);
  add_relations(text, std::move(relations));
  text.pop_back();  // the last line is ended by whoever prints it
  return text;
}

Result<void> write_ranks(const AnswerRanks& ranks, const std::filesystem::path& path) {
  LERP_TRY(file, AtomicFile::create(path));
  file.write(
      "subject\trelation\tobject\tdirection\tscore\trealistic\toptimistic\tpessimistic\tties\n");
  for (const AnswerRank& one : ranks.answers) {
    const Dataset& dataset = *ranks.dataset;
    file.write(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                           between_tabs(dataset.entities.name(one.fact.subject)),
                           between_tabs(dataset.relations.name(one.fact.relation)),
                           between_tabs(dataset.entities.name(one.fact.object)),
                           one.tail ? "tail" : "head", one.score, one.rank.realistic(),
                           one.rank.optimistic(), one.rank.pessimistic(), one.rank.equal));
  }
  return file.commit();
}

}  // namespace lerpp
