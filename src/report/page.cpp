// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/options_json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/logic/english.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/report/report.hpp>
#include <lerp/report/rule_picture.hpp>
#include <lerp/train/trace.hpp>

#include "report/html.hpp"
#include "report/style.hpp"

namespace lerpp {
namespace {

constexpr std::size_t most_relation_rows = 200;

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string three(double value) {
  return fmt::format("{:.3f}", value);
}

std::vector<std::string> measure_row(const std::string& name, const Measures& measures) {
  return {name,
          three(measures.mrr),
          three(measures.hits_at_1),
          three(measures.hits_at_3),
          three(measures.hits_at_10),
          fmt::format("{:.1f}", measures.mean_rank)};
}

class Page {
 public:
  Page(const Report& report, const ReportOptions& options)
      : report_(report),
        options_(options),
        names_{report.dataset->relations, report.dataset->entities} {}

  std::string write() {
    const std::string title =
        fmt::format("{}: rules learned from {}", report_.name, report_.dataset->name);
    html_.raw("<!DOCTYPE html>\n");
    html_.open("html", R"(lang="en")");
    html_.open("head");
    html_.raw(
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html_.element("title", title);
    html_.open("style");
    html_.raw(report_style);
    html_.close();
    html_.close();
    html_.open("body");
    header();
    html_.open("main");
    quality();
    rules();
    functions();
    proof();
    pictures();
    reproduce();
    html_.close();
    html_.element("footer", "Written by lerp report. This file needs no other, and no network.");
    html_.close();
    html_.close();
    return html_.take();
  }

 private:
  void card(const std::string& what, const std::string& value) {
    html_.open("div");
    html_.element("dt", what);
    html_.element("dd", value);
    html_.close();
  }

  void header() {
    const Dataset& dataset = *report_.dataset;
    html_.open("header");
    html_.element("h1", fmt::format("What {} has learned from {}", report_.name, dataset.name));
    const std::size_t known = dataset[Split::facts].size() + dataset[Split::train].size();
    html_.element(
        "p", fmt::format("{} entities, {} relations, {} facts to learn from, {} validation facts, "
                         "{} test facts.",
                         thousands(dataset.entities.size()), thousands(dataset.relations.size()),
                         thousands(known), thousands(dataset[Split::valid].size()),
                         thousands(dataset[Split::test].size())));
    html_.open("dl", R"(class="cards")");
    if (report_.ranks) {
      const Protocols& both = report_.ranks->full.both;
      card(fmt::format("{} MRR", name_of(report_.ranks->full.split)), three(both.realistic.mrr));
      card("hits@1", percent(both.realistic.hits_at_1));
      card("hits@10", percent(both.realistic.hits_at_10));
    }
    double seconds = 0;
    for (const EpochReport& epoch : report_.trace) seconds += epoch.seconds;
    card("trained in", fmt::format("{:.1f} s", seconds));
    card("parameters", thousands(report_.parameters));
    html_.close();
    html_.raw(R"(<nav aria-label="Sections"><ul>)");
    for (const auto& [id, title] :
         {std::pair{"quality", "How good it is"}, std::pair{"rules", "Rules"},
          std::pair{"functions", "Functions"}, std::pair{"proof", "A proof"},
          std::pair{"pictures", "Pictures"}, std::pair{"reproduce", "How to reproduce"}}) {
      html_.raw(fmt::format("<li><a href=\"#{}\">{}</a></li>", id, title));
    }
    html_.raw("</ul></nav>\n");
    html_.close();
  }

  void section(const char* id, const char* title) {
    html_.element("h2", title, fmt::format("id=\"{}\"", id));
  }

  void protocols(const RankingReport& ranks, const std::string& what) {
    Html::Table table{what, {"ties", "MRR", "hits@1", "hits@3", "hits@10", "mean rank"}, {}};
    table.rows = {measure_row("realistic", ranks.both.realistic),
                  measure_row("– heads, r(?, t)", ranks.head.realistic),
                  measure_row("– tails, r(h, ?)", ranks.tail.realistic),
                  measure_row("optimistic", ranks.both.optimistic),
                  measure_row("pessimistic", ranks.both.pessimistic)};
    html_.table(table);
  }

  void quality() {
    section("quality", "How good it is");
    if (!report_.ranks) {
      html_.element("p",
                    "The data has neither test nor validation facts, so nothing could be ranked.");
      return;
    }
    const RankingReport& ranks = report_.ranks->full;
    html_.element("p", fmt::format("Each {} fact is asked about in both directions: {} questions. "
                                   "The right answer is ranked among "
                                   "all entities, without the other known answers. Where others "
                                   "score the same, the realistic "
                                   "rank counts half of them, the optimistic none and the "
                                   "pessimistic all; {} of the right "
                                   "answers share their score.",
                                   name_of(ranks.split), thousands(ranks.both.queries),
                                   percent(ranks.both.tied)));
    protocols(ranks, report_.ranks->rules_only ? "Rules and embedding together" : "All questions");
    if (report_.ranks->rules_only) protocols(*report_.ranks->rules_only, "The rules alone");
    std::vector<const RankingReport::Relation*> order;
    order.reserve(ranks.relations.size());
    for (const RankingReport::Relation& relation : ranks.relations) order.push_back(&relation);
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
      return a->both.queries > b->both.queries;
    });
    Html::Table table{"Relation by relation, those asked about most first",
                      {"relation", "questions", "MRR", "optimistic", "pessimistic", "hits@1",
                       "hits@10", "heads", "tails"},
                      {}};
    const std::size_t shown = std::min(order.size(), most_relation_rows);
    for (std::size_t i = 0; i < shown; ++i) {
      const RankingReport::Relation& relation = *order[i];
      table.rows.push_back(
          {relation.name, thousands(relation.both.queries), three(relation.both.realistic.mrr),
           three(relation.both.optimistic.mrr), three(relation.both.pessimistic.mrr),
           three(relation.both.realistic.hits_at_1), three(relation.both.realistic.hits_at_10),
           three(relation.head.realistic.mrr), three(relation.tail.realistic.mrr)});
    }
    html_.table(table);
    if (shown < order.size()) {
      html_.element("p", fmt::format("And {} more: lerp eval --json has all.",
                                     thousands(order.size() - shown)));
    }
  }

  void rules() {
    section("rules", "Rules");
    html_.element("p", report_.sum
                           ? "Rules as read from the model, the strongest first. The weight is a "
                             "rule's part of an answer's score."
                           : "Rules as read from the model, the strongest first. The weight is "
                             "what a rule adds to the score of an "
                             "answer: log-odds for it, or against it where it is negative.");
    html_.element("p",
                  "Support, head coverage and confidence are counted on the facts to learn from, "
                  "with no fact proving itself. PCA "
                  "confidence leaves out those of whom no answer is known. Lift says how much more "
                  "often than other unknown "
                  "pairs the rule's new pairs are validation facts.",
                  R"(class="faint")");
    std::size_t drawn = 0;
    for (const Report::Relation& relation : report_.relations) {
      html_.element("h3", report_.dataset->relation_label(relation.id));
      const auto chain = std::find_if(
          relation.rules.begin(), relation.rules.end(),
          [](const ReadRule& read) { return read.rule.weight() > 0 && !read.rule.hops().empty(); });
      if (chain != relation.rules.end() && drawn++ < options_.diagrams) {
        html_.figure(
            to_svg(chain->rule, names_),
            fmt::format("The strongest rule for {}", report_.dataset->relation_label(relation.id)));
      }
      html_.open("ol", R"(class="rules")");
      for (const ReadRule& rule : relation.rules) one_rule(rule);
      html_.close();
    }
    if (report_.relations.empty()) html_.element("p", "The model has no rules that could be read.");
    if (report_.relations_left_out > 0) {
      html_.element(
          "p",
          fmt::format("{} more relations have rules: lerp rules {} --relation NAME shows them.",
                      thousands(report_.relations_left_out), report_.name));
    }
  }

  void one_rule(const ReadRule& read) {
    const bool against = read.rule.weight() < 0;
    html_.open("li", against ? R"(class="against")" : R"(class="for")");
    html_.element("code", to_text(read.rule, names_));
    html_.element("p",
                  (against ? "It is less likely that " : "") + to_english(read.rule, names_) + ".");
    html_.open("ul", R"(class="figures")");
    const Support& support = read.support;
    html_.element("li", fmt::format("weight {:+.2f}", read.rule.weight()));
    html_.element("li", fmt::format("{} of the evidence", percent(read.share)));
    html_.element("li", fmt::format("support {}", thousands(support.support)));
    html_.element("li", fmt::format("head coverage {:.2f}", support.head_coverage()));
    html_.element("li", fmt::format("confidence {:.2f}", support.confidence()));
    html_.element("li", fmt::format("PCA {:.2f}", support.pca_confidence()));
    if (read.lift) {
      html_.element("li", *read.lift < 10
                              ? fmt::format("lift {:.1f}", *read.lift)
                              : "lift " + thousands(static_cast<std::uint64_t>(*read.lift)));
    }
    if (read.counted < 1)
      html_.element("li", fmt::format("counted on {:.2g} % of the x", 100 * read.counted));
    html_.close();
    for (const RuleExample& example : read.examples)
      html_.element("p", words(example), R"(class="faint")");
    html_.close();
  }

  /// "Such as x = anna, z1 = ben, y = carl."
  std::string words(const RuleExample& example) const {
    std::string text;
    const std::size_t last = example.path.size() - 1;
    for (std::size_t k = 0; k <= last; ++k) {
      const std::string variable = k == 0 ? "x" : k == last ? "y" : fmt::format("z{}", k);
      text += fmt::format("{}{} = {}", k == 0 ? "Such as " : ", ", variable,
                          report_.dataset->entity_label(example.path[k]));
    }
    return text + (example.known ? "." : ", which is not known.");
  }

  void functions() {
    section("functions", "Functions");
    if (report_.functions.empty()) {
      html_.element("p", report_.shape.functions() == 0
                             ? "This model has no functions: its rules are plain chains."
                             : "No function of this model tells entities apart.");
      return;
    }
    html_.element("p", fmt::format("What rules can ask of an entity. The model has {} soft "
                                   "functions of {} columns; each is read as the "
                                   "formula that comes closest to its values on the graph, and "
                                   "those that read the same are one.",
                                   report_.shape.functions(), report_.shape.depth));
    html_.open("ol", R"(class="rules")");
    for (const ReadFunction& function : report_.functions) {
      html_.open("li");
      html_.element("code", to_text(function.formula, names_));
      html_.element("p", to_english(function.formula, names_) + ".");
      html_.open("ul", R"(class="figures")");
      html_.element("li", fmt::format("{} of the use", percent(function.use)));
      html_.element("li", fmt::format("correlation {:.2f}", function.correlation));
      html_.element("li", fmt::format("holds of {}", percent(function.share)));
      std::string examples;
      for (const EntityId entity : function.examples)
        examples += (examples.empty() ? "such as " : ", ") + report_.dataset->entity_label(entity);
      if (!examples.empty()) html_.element("li", examples);
      html_.close();
      html_.close();
    }
    html_.close();
  }

  void proof() {
    section("proof", "A proof");
    if (!report_.proof) {
      html_.element(
          "p",
          "Of the facts that were looked at, none is ranked first because of a chain of facts.");
      return;
    }
    html_.element("p",
                  "A fact that the model ranks first without having seen it, explained down to the "
                  "facts that it knows.");
    html_.element("pre", to_text(*report_.proof, *report_.dataset));
    html_.figure(to_svg(*report_.proof, *report_.dataset), "The facts of the proof");
  }

  void pictures() {
    section("pictures", "Pictures");
    if (report_.trace.size() > 1) {
      html_.figure(
          curves_svg(report_.trace),
          "Training: loss, and MRR on the validation facts. The band lies between the pessimistic "
          "and the optimistic figure.");
    }
    if (report_.space) {
      html_.figure(
          to_turning_picture(*report_.space),
          "Entities by the first three principal components of their functions, with the plane "
          "that tells those of a role from the others. Its accuracy is that on entities it was not "
          "fitted on. Drag the picture, or press the arrow keys in it, to turn it.");
    }
    if (report_.network) {
      html_.figure(
          to_svg(*report_.network, *report_.dataset),
          fmt::format(
              "A soft rule of {}, the strongest that is decided, with its weights: columns of "
              "functions on the left, the hops of the rule on "
              "the right.",
              report_.dataset->relation_label(report_.network->target %
                                              report_.dataset->relations.size())));
    }
  }

  void reproduce() {
    section("reproduce", "How to reproduce");
    const TrainOptions& options = report_.config.options;
    html_.element("p", "The same data, options and seed give the same model, byte for byte.");
    html_.element(
        "pre",
        fmt::format("lerp train {} --config {}/config.toml --out {}-again\nlerp report {}-again",
                    report_.config.data.string(), report_.name, report_.name, report_.name));
    html_.element(
        "p", fmt::format("Fingerprint of the data: {}. Seed {}, {} threads.",
                         report_.config.fingerprint, options.train.seed, options.train.threads));
    Html::Table table{"Options", {"option", "value"}, {}};
    const Json all = options_to_json(options);
    for (const auto& [name, value] : all.items())
      table.rows.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
    html_.table(table);
  }

  const Report& report_;
  const ReportOptions& options_;
  Names names_;
  Html html_;
};

}  // namespace

std::string to_html(const Report& report, const ReportOptions& options) {
  return Page(report, options).write();
}

}  // namespace lerpp
