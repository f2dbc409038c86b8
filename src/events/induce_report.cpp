// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/svg.hpp>
#include <lerp/base/text.hpp>
#include <lerp/events/induce.hpp>

namespace lerpp {
namespace {

Json to_json(const EquationCount& count) {
  return {{"events", count.events},
          {"holds", count.holds},
          {"share", count.share()},
          {"graphs", count.graphs},
          {"graphs_where_all", count.all_graphs},
          {"graph_share", count.graph_share()}};
}

std::string summary(const Induction& induction) {
  return fmt::format(
      "{}: {} graphs and as many with events removed; of {} held-out graphs the functions prefer "
      "{:.1f} % to what is left of them; {} of {} equations read off a function, which {}",
      induction.data, thousands(induction.graphs), thousands(induction.held_out_graphs),
      100 * induction.told_apart, induction.learned(), induction.equations.size(),
      induction.seeded ? "started near a frequent pattern" : "started at random");
}

/// Of what was counted the model says nothing.
std::string certainty_text(const InducedEquation& item) {
  return item.learned ? fmt::format("{:.2f}", item.certainty) : "";
}

}  // namespace

std::string_view source_of(const InducedEquation& equation) {
  return equation.learned ? "learned" : "counted";
}

std::size_t Induction::learned() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(equations, [](const InducedEquation& item) { return item.learned; }));
}

Json to_json(const Induction& induction) {
  const EquationNames names{induction.shape, induction.names};
  Json equations = Json::array();
  for (const InducedEquation& item : induction.equations) {
    equations.push_back({{"equation", to_text(item.equation, names)},
                         {"english", to_english(item.equation, names, item.train.share())},
                         {"source", source_of(item)},
                         {"learned", item.learned},
                         {"certainty", item.certainty},
                         {"confidence", item.train.share()},
                         {"support", item.train.holds},
                         {"train", to_json(item.train)},
                         {"mutilated", to_json(item.mutilated)},
                         {"held_out", to_json(item.held_out)},
                         {"chance", item.chance},
                         {"graph_chance", item.graph_chance}});
  }
  return {{"dataset", induction.data},
          {"graphs", induction.graphs},
          {"held_out_graphs", induction.held_out_graphs},
          {"told_apart", induction.told_apart},
          {"learned", induction.learned()},
          {"seeded", induction.seeded},
          {"seconds", induction.seconds},
          {"equations", std::move(equations)}};
}

std::string to_text(const Induction& induction) {
  const EquationNames names{induction.shape, induction.names};
  std::string text = summary(induction);
  text += "\nsource   certainty  confidence  support  mutilated  held-out  chance   equation";
  for (const InducedEquation& item : induction.equations) {
    text += fmt::format("\n{:<7}  {:>9}  {:>10.3f}  {:>7}  {:>9.3f}  {:>8.3f}  {:>6.3f}   {}",
                        source_of(item), certainty_text(item), item.train.share(),
                        thousands(item.train.holds), item.mutilated.share(), item.held_out.share(),
                        item.chance, to_text(item.equation, names));
  }
  if (induction.equations.empty()) text += "\nno equation has the support and the lift asked for";
  return text;
}

std::string to_html(const Induction& induction) {
  const EquationNames names{induction.shape, induction.names};
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Equations of "
      "{0}</title>\n<style>body{{font-family:sans-serif;max-width:70rem;margin:2rem auto;padding:0 "
      "1rem;color:#0f172a}}code{{font-size:1rem}}section{{border-top:1px solid "
      "#cbd5e1;padding:1rem 0}}td,th{{padding:.1rem .8rem .1rem 0;text-align:right}}"
      "td:first-child,th:first-child{{text-align:left}}svg{{max-width:100%;height:auto}}</style>"
      "</head><body>\n<h1>Equations of {0}</h1>\n<p>{1}.</p>\n<p>A share is that of the events of "
      "the type on the left which fulfil the right side, counted exactly; by graph, that of the "
      "graphs where all of them do. Chance is the same with the event types of each held-out graph "
      "dealt out anew among its events.</p>\n",
      escape_markup(induction.data), escape_markup(summary(induction)));
  std::size_t number = 0;
  for (const InducedEquation& item : induction.equations) {
    const auto row = [](const char* name, const EquationCount& count) {
      return fmt::format(
          "<tr><td>{}</td><td>{} of {}</td><td>{:.3f}</td><td>{} of {}</td><td>"
          "{:.3f}</td></tr>",
          name, thousands(count.holds), thousands(count.events), count.share(),
          thousands(count.all_graphs), thousands(count.graphs), count.graph_share());
    };
    page += fmt::format(
        "<section><h2>{}. {}</h2><p><code>{}</code> ({})</p>{}<table><tr><th></th><th>events</th>"
        "<th>share</th><th>graphs</th><th>share</th></tr>{}{}{}<tr><td>held out, by chance</td>"
        "<td></td><td>{:.3f}</td><td></td><td>{:.3f}</td></tr></table></section>\n",
        ++number, escape_markup(to_english(item.equation, names, item.train.share())),
        escape_markup(to_text(item.equation, names)),
        item.learned ? fmt::format("learned: read off a function, certainty {:.2f}", item.certainty)
                     : "counted in the corpus",
        to_svg(item.equation, names, source_of(item)), row("training", item.train),
        row("training, events removed", item.mutilated), row("held out", item.held_out),
        item.chance, item.graph_chance);
  }
  return page + "</body></html>\n";
}

}  // namespace lerpp
