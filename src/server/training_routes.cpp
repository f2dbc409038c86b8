// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "server/api.hpp"
#include "server/jobs.hpp"

namespace lerpp {
namespace {

Json job_json(const ApiState& state, const Job& job) {
  Json json = job.to_json();
  if (job.state() == Job::State::done) {
    if (const auto served = state.runs.find(job.run)) json["metrics"] = (*served)->metrics();
  }
  return json;
}

Answered<WebReply> train(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  constexpr std::array<std::string_view, 3> presets = {"default", "best", "paper"};
  TrainingOrder order;
  order.from = question.text("run", 1, 255, "");
  order.data = question.text("data", 1, 255, "");
  order.decisions = question.flag("decisions", true);
  const bool preset = question.has("preset");
  const std::string preset_name = question.choice("preset", presets, "default");
  const bool epochs = question.has("epochs");
  const std::uint64_t epoch_count = question.whole("epochs", 1, 10'000, 10);
  const bool seconds = question.has("seconds");
  const double time = question.number("seconds", 1, 1e6, 60);
  const bool seed = question.has("seed");
  const std::uint64_t seed_value = question.whole("seed", 0, (std::uint64_t{1} << 53U) - 1, 1);
  LERP_CHECK(question.check());
  if (order.from.empty() == order.data.empty())
    return refuse(400, "it is not said what to learn, or twice", "", "give run or data");
  if (!order.from.empty() && !preset) {
    // As the run itself was learned.
    LERP_TRY(served, state.runs.find(order.from));
    order.options.config = served->run().folder() / "config.toml";
  }
  if (preset) order.options.preset = preset_name;
  if (epochs) order.options.settings.push_back(fmt::format("train.epochs={}", epoch_count));
  if (seconds) order.options.settings.push_back(fmt::format("train.seconds={}", time));
  if (seed) order.options.seed = seed_value;
  order.options.threads = state.options.threads;
  LERP_TRY(job, state.jobs->begin(std::move(order)));
  return json_reply(job_json(state, *job), 202);
}

Answered<WebReply> all_jobs(ApiState& state, Asked& asked) {
  LERP_CHECK(asked.question.check());
  Json json = {{"jobs", Json::array()}};
  for (const auto& job : state.jobs->all()) json["jobs"].push_back(job_json(state, *job));
  return json_reply(json);
}

Answered<WebReply> one_job(ApiState& state, Asked& asked) {
  LERP_CHECK(asked.question.check());
  LERP_TRY(job, state.jobs->find(asked.part));
  return json_reply(job_json(state, *job));
}

Answered<WebReply> stop_job(ApiState& state, Asked& asked) {
  LERP_TRY(job, state.jobs->find(asked.part));
  if (job->is_over()) return refuse(409, "the training is over", "", "there is nothing to stop");
  job->stop.request_stop();
  if (job->state() == Job::State::running) job->enter(Job::State::stopping);
  return json_reply(job_json(state, *job), 202);
}

Answered<WebReply> resume_job(ApiState& state, Asked& asked) {
  LERP_TRY(job, state.jobs->resume(asked.part));
  return json_reply(job_json(state, *job), 202);
}

Answered<WebReply> events(ApiState& state, Asked& asked) {
  LERP_CHECK(asked.question.check());
  LERP_TRY(job, state.jobs->find(asked.part));
  WebReply reply;
  reply.type = "text/event-stream";
  reply.events = [job = job, heard = asked.last_event](std::string& piece) mutable {
    const bool over = job->is_over();
    const std::vector<Job::Event> told =
        job->after(heard, std::chrono::milliseconds(over ? 0 : 900));
    for (const Job::Event& event : told) {
      piece +=
          fmt::format("id: {}\nevent: {}\ndata: {}\n\n", ++heard, event.name, dump(event.data));
    }
    // A comment shows whether anybody is still there.
    if (told.empty() && !over) piece = ": \n\n";
    return !over;
  };
  return reply;
}

Answered<WebReply> datasets(ApiState& state, Asked& asked) {
  LERP_CHECK(asked.question.check());
  return json_reply({{"datasets", state.jobs->datasets()}});
}

}  // namespace

void add_training_routes(std::vector<Route>& routes, ApiState& state) {
  const auto add = [&](const char* method, const char* path,
                       Answered<WebReply> (*answer)(ApiState&, Asked&)) {
    routes.push_back({method, path, Pace::instant, false,
                      [&state, answer](Asked& asked) { return answer(state, asked); }});
  };
  add("GET", "/datasets", datasets);
  add("GET", "/train", all_jobs);
  add("POST", "/train", train);
  add("GET", "/train/{id}", one_job);
  add("GET", "/train/{id}/events", events);
  add("POST", "/train/{id}/stop", stop_job);
  add("POST", "/train/{id}/resume", resume_job);
}

}  // namespace lerpp
