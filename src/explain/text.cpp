// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <lerp/base/text.hpp>
#include <lerp/explain/explain.hpp>
#include <lerp/logic/rule_text.hpp>

#include "explain/wording.hpp"

namespace lerpp {
namespace {

/// Columns of what stands below a reason.
constexpr std::string_view indent = "          ";

/// A line of a proof, with those below it.
struct Branch {
  std::string text;
  std::vector<std::string> leaves = {};
};

class Writer {
 public:
  Writer(const Explanation& explanation, const Dataset& dataset)
      : explanation_(explanation), dataset_(dataset), names_{dataset.relations, dataset.entities} {}

  std::string write() {
    headline();
    reasons();
    needed();
    missing();
    text_.pop_back();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }

  std::string share(double part) const {
    return share_text(part, explanation_.standing.score, explanation_.evidence);
  }

  void headline() {
    const bool tail = explanation_.query.target < dataset_.relations.size();
    const std::string start = dataset_.entity_label(explanation_.query.start);
    line("{}: {}", fact_text(explanation_.fact, dataset_), standing_text(explanation_.standing));
    line("asked as {}({}, {}) of {} entities, explained in {:.1f} ms",
         dataset_.relations.name(explanation_.fact.relation), tail ? start : "?",
         tail ? "?" : start, thousands(dataset_.entities.size()), 1000 * explanation_.seconds);
    if (!explanation_.known) {
      line("the data does not know it");
    } else {
      line("the data knows it ({}){}", name_of(*explanation_.known),
           explanation_.hidden ? ", and it was hidden while it was asked for" : "");
    }
    if (!explanation_.objection.empty()) line("against it: {}", explanation_.objection);
  }

  void reasons() {
    line("");
    line("what adds to the score");
    const std::vector<Explanation::Reason>& all = explanation_.reasons;
    const std::size_t told = explanation_.told();
    for (std::size_t i = 0; i < told; ++i) write_reason(all[i]);
    double rest = explanation_.others_share;
    for (std::size_t i = told; i < all.size(); ++i) rest += all[i].share;
    const std::size_t further = all.size() - told + explanation_.others;
    if (further > 0) {
      line("{:>8}  {} further reason{}{}", share(rest), thousands(further), further == 1 ? "" : "s",
           keeps_rank());
    }
    if (explanation_.walks_share != 0)
      line("{:>8}  further walks of the soft rules", share(explanation_.walks_share));
    if (explanation_.reasons.empty()) line("  nothing: no rule leads there");
  }

  std::size_t positive_reasons() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        explanation_.reasons, [](const Explanation::Reason& reason) { return reason.share > 0; }));
  }

  /// What the line of the rest says about the rank.
  std::string keeps_rank() const {
    if (!explanation_.predicted || explanation_.smallest == 0) return "";
    const bool shown = explanation_.told() < explanation_.reasons.size() ||
                       explanation_.smallest <= positive_reasons();
    if (shown) return "; the rank does not need them";
    return fmt::format("; {} keep the rank", thousands(explanation_.smallest));
  }

  void write_reason(const Explanation::Reason& reason) {
    if (!reason.rule) {
      line("{:>8}  the embedding, which gives no reasons", share(reason.share));
      return;
    }
    line("{:>8}  {}", share(reason.share), to_text(*reason.rule, names_));
    line("{}{}", indent, reading(*reason.rule, reason.share, dataset_));
    line("{}{}", indent, origin(reason));
    if (reason.support) line("{}{}", indent, figures(reason));
    for (const Explanation::Grounding& grounding : reason.groundings) proof(grounding);
  }

  static std::string figures(const Explanation::Reason& reason) {
    std::string text =
        fmt::format("support {}   confidence {:.2f}", thousands(reason.support->support),
                    reason.support->confidence());
    if (reason.counted < 1) text += fmt::format("   (of {:.2g} % of the x)", 100 * reason.counted);
    return text;
  }

  /// Where a reason comes from, and how often it holds.
  std::string origin(const Explanation::Reason& reason) const {
    std::string text;
    for (std::size_t number = 0; number < sources(); ++number) {
      const auto source = static_cast<Source>(number);
      double sum = 0;
      std::size_t parts = 0;
      for (const Explanation::Part& part : reason.parts) {
        if (part.source != source) continue;
        sum += part.share;
        ++parts;
      }
      if (parts == 0) continue;
      fmt::format_to(std::back_inserter(text), "{}{} {}", text.empty() ? "" : ", ",
                     label_of(source), share(sum));
    }
    if (reason.others) {
      return text + fmt::format("; of {} other{} with that, {} {} this answer",
                                thousands(reason.others->all), reason.others->all == 1 ? "" : "s",
                                thousands(reason.others->have),
                                reason.others->have == 1 ? "has" : "have");
    }
    return text +
           fmt::format("; {} grounding{}", thousands(reason.count), reason.count == 1 ? "" : "s");
  }

  void proof(const Explanation::Grounding& grounding) {
    std::vector<Branch> branches;
    for (const Fact& fact : grounding.facts) branches.push_back({fact_text(fact, dataset_)});
    for (const Explanation::Check& check : grounding.checks) {
      Branch branch{formula_text(check.formula, check.entity, dataset_)};
      for (const Fact& fact : check.witness) branch.leaves.push_back(fact_text(fact, dataset_));
      if (branch.leaves.empty()) branch.text += ": looked, and there is none";
      branches.push_back(std::move(branch));
    }
    if (branches.empty()) {
      branches.push_back(
          {grounding.entities.size() == 1 ? "x and y are the same" : "whatever x and y are"});
    }
    for (std::size_t i = 0; i < branches.size(); ++i) {
      const bool last = i + 1 == branches.size();
      line("{}{} {}", indent,
           branches.size() == 1 ? "──"
           : i == 0             ? "┌─"
           : last               ? "└─"
                                : "├─",
           branches[i].text);
      const std::vector<std::string>& leaves = branches[i].leaves;
      for (std::size_t k = 0; k < leaves.size(); ++k) {
        line("{}{}  {} {}", indent, last ? " " : "│", k + 1 == leaves.size() ? "└─" : "├─",
             leaves[k]);
      }
    }
  }

  void needed() {
    if (explanation_.needed.empty()) return;
    line("");
    line("without a fact of the proofs");
    for (const Explanation::Needed& needed : explanation_.needed)
      line("  {}: {}", fact_text(needed.fact, dataset_), standing_text(needed.without));
  }

  void missing() {
    if (explanation_.missing.empty() && !explanation_.unreached) return;
    line("");
    if (explanation_.unreached) {
      line("why not more: even the strongest rule lacks more than one fact");
      line("{}{}", indent, to_text(explanation_.unreached->rule, names_));
      for (const Explanation::Gap& gap : explanation_.unreached->gaps)
        line("{}── missing: {}", indent, gap_text(gap));
    }
    if (explanation_.missing.empty()) return;
    line("why not more: facts that are missing");
    for (const Explanation::Missing& missing : explanation_.missing) {
      line("  {}{}", fact_text(missing.fact, dataset_),
           missing.known ? fmt::format(" (which the data has, in {})", name_of(*missing.known))
                         : "");
      line("{}with it{}: {}", indent, missing.exact ? "" : ", about", standing_text(missing.with));
      line("{}{}", indent, to_text(missing.rule, names_));
      for (std::size_t i = 0; i < missing.there.size(); ++i)
        line("{}├─ {}", indent, fact_text(missing.there[i], dataset_));
      line("{}└─ missing: {}", indent, fact_text(missing.fact, dataset_));
    }
  }

  std::string gap_text(const Explanation::Gap& gap) const {
    const RelationId relations = dataset_.relations.size();
    const std::string label = short_label(gap.entity, dataset_);
    const bool first = (gap.op < relations) == gap.from;
    return fmt::format("{}({}, {})", dataset_.relations.name(gap.op % relations),
                       first ? label : "?", first ? "?" : label);
  }

  const Explanation& explanation_;
  const Dataset& dataset_;
  Names names_;
  std::string text_;
};

}  // namespace

std::string to_text(const Explanation& explanation, const Dataset& dataset) {
  return Writer(explanation, dataset).write();
}

}  // namespace lerpp
