// SPDX-License-Identifier: Apache-2.0
#include "server/api.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/decision_routes.hpp"
#include "server/jobs.hpp"

namespace lerpp {
namespace {

constexpr std::string_view base = "/api/v1";

/// What stands in place of {…}, or none where the path is another.
std::optional<std::string> match_path(std::string_view pattern, std::string_view path) {
  const std::size_t open = pattern.find('{');
  if (open == std::string_view::npos)
    return pattern == path ? std::optional<std::string>("") : std::nullopt;
  const std::string_view after = pattern.substr(pattern.find('}') + 1);
  if (path.size() <= open + after.size() || path.substr(0, open) != pattern.substr(0, open) ||
      !path.ends_with(after)) {
    return {};
  }
  const std::string_view part = path.substr(open, path.size() - open - after.size());
  if (part.find('/') != std::string_view::npos) return {};
  return std::string(part);
}

}  // namespace

Api::Api(ApiState& state, unsigned cores)
    : state_(state),
      cache_(std::size_t{state.options.cache} << 20U),
      quick_(cores, state.options.queue),
      slow_(1, state.options.queue) {
  add_run_routes(routes_, state);
  add_question_routes(routes_, state);
  add_rule_routes(routes_, state);
  add_compare_routes(routes_, state);
  add_curate_routes(routes_, state);
  add_neighbourhood_routes(routes_, state);
  add_picture_routes(routes_, state);
  add_decision_routes(routes_, state);
  add_training_routes(routes_, state);
  // A path without {…} comes before those that would take it for a part.
  std::stable_sort(routes_.begin(), routes_.end(), [](const Route& a, const Route& b) {
    return a.path.find('{') == std::string::npos && b.path.find('{') != std::string::npos;
  });
}

Answered<WebReply> Api::work(const Route& route, Asked& asked) {
  if (route.pace == Pace::instant) return route.answer(asked);
  LERP_TRY(place, (route.pace == Pace::quick ? quick_ : slow_).enter(asked.observer));
  static_cast<void>(place);
  return route.answer(asked);
}

Answered<WebReply> Api::ask(const Route& route, const WebRequest& request, std::string part,
                            const std::atomic<bool>& ending) {
  Asked asked{Question::of_query(request), std::move(part)};
  const std::string last = request.header("last-event-id");
  std::from_chars(last.data(), last.data() + last.size(), asked.last_event);
  // What is begun or ended by its address alone needs no body.
  if (route.method == "POST" && !(route.path.starts_with("/train/") && request.body.empty())) {
    LERP_TRY(body, Question::of_body(request));
    asked.question = std::move(body);
  }
  const std::string key =
      route.kept ? fmt::format("{}\n{}\n{}", route.path, asked.part, asked.question.canonical())
                 : std::string();
  if (route.kept) {
    if (const auto kept = cache_.find(key)) {
      WebReply reply;
      reply.type = kept->substr(0, kept->find('\n'));
      reply.body = kept->substr(reply.type.size() + 1);
      return reply;
    }
  }
  Patience patience(request, state_.options.answer_seconds, ending);
  asked.observer = patience.observer();
  Answered<WebReply> reply = work(route, asked);
  if (!reply && reply.error().error.kind == ErrorKind::interrupted) {
    if (patience.nobody_waits()) ++state_.given_up;
    return tl::unexpected<Refusal>(patience.refusal());
  }
  if (reply && route.kept && reply->status == 200 && !asked.observer.stopped())
    cache_.keep(key, std::make_shared<const std::string>(reply->type + "\n" + reply->body));
  return reply;
}

Answered<WebReply> Api::find(const WebRequest& request, const std::atomic<bool>& ending) {
  if (ending) return refuse(503, "the server is ending", "", "ask again when it is back");
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  const std::string_view path = std::string_view(request.path).substr(base.size());
  std::vector<std::string> allowed;
  for (const Route& route : routes_) {
    std::optional<std::string> part = match_path(route.path, path);
    if (!part) continue;
    if (route.method == method) return ask(route, request, std::move(*part), ending);
    allowed.push_back(route.method);
  }
  if (allowed.empty())
    return refuse(404, "there is nothing at this address", "", "see /api/v1/openapi.json");
  return refuse(405, fmt::format("the method is not {}", fmt::join(allowed, " or ")),
                fmt::format("{}", fmt::join(allowed, ", ")), "see /api/v1/openapi.json");
}

WebReply Api::answer(const WebRequest& request, const std::atomic<bool>& ending) {
  Answered<WebReply> reply = find(request, ending);
  if (reply) return std::move(*reply);
  Refusal& refusal = reply.error();
  refusal.error.what = state_.runs.without_paths(refusal.error.what);
  refusal.error.where = state_.runs.without_paths(refusal.error.where);
  refusal.error.remedy = state_.runs.without_paths(refusal.error.remedy);
  WebReply refused = refusal_reply(refusal);
  if (refusal.status == 405) refused.headers.emplace_back("Allow", refusal.error.where);
  return refused;
}

}  // namespace lerpp
