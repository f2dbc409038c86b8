// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <lerp/logic/rule_text.hpp>
#include <lerp/report/function_space.hpp>
#include <lerp/report/network.hpp>
#include <lerp/report/rule_picture.hpp>
#include <lerp/train/trace.hpp>

#include "server/api.hpp"

namespace lerpp {
namespace {

WebReply picture(std::string svg) {
  WebReply reply;
  reply.type = "image/svg+xml";
  reply.body = std::move(svg);
  return reply;
}

Answered<WebReply> space_json(ApiState& state, Asked& asked) {
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(asked.part));
  const Run run = served->watched(asked.observer);
  LERP_TRY(data, run.data());
  LERP_TRY(space, with_status(409, run.function_space()));
  return json_reply(to_json(space, *data));
}

Answered<WebReply> space_picture(ApiState& state, Asked& asked) {
  const std::string run_name = asked.question.text("run", 1, 255);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(space, with_status(409, served->watched(asked.observer).function_space()));
  return picture(to_svg(space));
}

Answered<WebReply> curves_picture(ApiState& state, Asked& asked) {
  const std::string run_name = asked.question.text("run", 1, 255);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(trace, with_status(404, served->run().trace()));
  return picture(curves_svg(trace));
}

Answered<WebReply> rule_picture(ApiState& state, Asked& asked) {
  const std::string run_name = asked.question.text("run", 1, 255);
  const std::string text = asked.question.need("rule", 1000);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(data, served->watched(asked.observer).data());
  const Names names = {data->relations, data->entities};
  LERP_TRY(rule, with_status(404, parse_rule(text, names)));
  return picture(to_svg(rule, names));
}

Answered<WebReply> network_picture(ApiState& state, Asked& asked) {
  const std::string run_name = asked.question.text("run", 1, 255);
  const std::string relation_name = asked.question.need("relation", 500);
  const bool heads = asked.question.flag("heads");
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(relation, served->relation(relation_name, asked.observer));
  const Run run = served->watched(asked.observer);
  LERP_TRY(data, run.data());
  LERP_TRY(found, with_status(409, run.network(relation + (heads ? data->relations.size() : 0))));
  return picture(to_svg(found, *data));
}

Answered<WebReply> proof_picture(ApiState& state, Asked& asked) {
  constexpr std::array<std::string_view, 2> directions = {"tail", "head"};
  Question& question = asked.question;
  const std::string run_name = question.text("run", 1, 255);
  const Question::Names names = {question.need("head", 500), question.need("relation", 500),
                                 question.need("tail", 500)};
  ExplainOptions options;
  options.direction = question.choice("direction", directions, "tail");
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(fact, served->fact(names.head, names.relation, names.tail, asked.observer));
  const Run run = served->watched(asked.observer);
  LERP_TRY(data, run.data());
  LERP_TRY(explanation, run.explain(fact, options));
  return picture(to_svg(explanation, *data));
}

}  // namespace

void add_picture_routes(std::vector<Route>& routes, ApiState& state) {
  const auto add = [&](const char* path, Pace pace,
                       Answered<WebReply> (*answer)(ApiState&, Asked&)) {
    routes.push_back(
        {"GET", path, pace, true, [&state, answer](Asked& asked) { return answer(state, asked); }});
  };
  add("/runs/{run}/space", Pace::slow, space_json);
  add("/pictures/space", Pace::slow, space_picture);
  add("/pictures/curves", Pace::quick, curves_picture);
  add("/pictures/rule", Pace::quick, rule_picture);
  add("/pictures/network", Pace::quick, network_picture);
  add("/pictures/proof", Pace::quick, proof_picture);
}

}  // namespace lerpp
