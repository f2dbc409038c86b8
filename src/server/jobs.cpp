// SPDX-License-Identifier: Apache-2.0
#include "server/jobs.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <lerp/kg/stats.hpp>
#include <lerp/run/learn.hpp>

#include "server/api.hpp"
#include "server/decision_routes.hpp"

namespace lerpp {
namespace {

/// The first of name-2, name-3, … beside a folder that is free, with that of its data.
std::filesystem::path free_sibling(std::filesystem::path folder) {
  if (folder.filename().empty()) folder = folder.parent_path();
  std::error_code code;
  for (unsigned number = 2;; ++number) {
    std::filesystem::path next = folder;
    next += fmt::format("-{}", number);
    std::filesystem::path data = next;
    data += "-data";
    if (!std::filesystem::exists(next, code) && !std::filesystem::exists(data, code)) return next;
  }
}

/// Takes decisions into a dataset: what was accepted becomes a training fact, what was rejected
/// goes. How many of each changed anything.
std::pair<std::size_t, std::size_t> apply_decisions(const std::vector<Decision>& decisions,
                                                    Dataset& data) {
  std::set<Fact> known;
  for (const std::vector<Fact>& split : data.splits) known.insert(split.begin(), split.end());
  std::set<Fact> rejected;
  std::size_t accepted = 0;
  for (const Decision& decision : decisions) {
    const std::optional<EntityId> head = data.entities.find(decision.head);
    const std::optional<RelationId> relation = data.relations.find(decision.relation);
    const std::optional<EntityId> tail = data.entities.find(decision.tail);
    if (!head || !relation || !tail) continue;
    const Fact fact = {*head, *relation, *tail};
    if (decision.verdict == "reject" && known.contains(fact)) rejected.insert(fact);
    if (decision.verdict == "accept" && known.insert(fact).second) {
      data[Split::train].push_back(fact);
      ++accepted;
    }
  }
  for (std::vector<Fact>& split : data.splits) {
    split.erase(std::remove_if(split.begin(), split.end(),
                               [&](const Fact& fact) { return rejected.contains(fact); }),
                split.end());
  }
  return {accepted, rejected.size()};
}

}  // namespace

Jobs::Jobs(ApiState& state, std::function<void(const std::string&)> say)
    : state_(state), say_(std::move(say)) {}

Jobs::~Jobs() {
  stop_all();
}

bool Jobs::busy() const {
  return !jobs_.empty() && !jobs_.back()->is_over();
}

std::vector<std::string> Jobs::datasets() const {
  std::vector<std::string> names;
  if (state_.options.data_root.empty()) return names;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(state_.options.data_root, code)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.')) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Answered<std::shared_ptr<Job>> Jobs::begin(TrainingOrder order) {
  auto job = std::make_shared<Job>();
  if (!order.from.empty()) {
    LERP_TRY(served, state_.runs.find(order.from));
    job->folder = free_sibling(served->run().folder());
  } else {
    const std::vector<std::string> known = datasets();
    if (std::find(known.begin(), known.end(), order.data) == known.end())
      return refuse(404, "there is no such dataset", "", "see those of GET datasets");
    std::filesystem::path name = std::filesystem::path(order.data).stem();
    name += "-run";
    job->folder = free_sibling(std::filesystem::path(state_.options.data_root) / name);
  }
  job->order = std::move(order);
  job->run = job->folder.filename().string();
  const std::lock_guard lock(mutex_);
  if (ending_) return refuse(503, "the server is ending", "", "ask again when it is back");
  if (busy()) return refuse(409, "another training goes on", "", "stop it, or wait for its end");
  job->id = fmt::format("{}", jobs_.size() + 1);
  jobs_.push_back(job);
  start(job, false);
  return job;
}

Answered<std::shared_ptr<Job>> Jobs::resume(const std::string& id) {
  LERP_TRY(job, find(id));
  const std::lock_guard lock(mutex_);
  if (ending_) return refuse(503, "the server is ending", "", "ask again when it is back");
  if (busy()) return refuse(409, "another training goes on", "", "stop it, or wait for its end");
  if (job->state() != Job::State::stopped)
    return refuse(409, "the training was not stopped", "", "begin another");
  if (!std::filesystem::exists(job->folder / "checkpoint")) {
    return refuse(409, "the training was stopped before it had begun to learn", "",
                  "begin another");
  }
  job->stop = std::stop_source();
  job->enter(Job::State::running);
  start(job, true);
  return job;
}

Answered<std::shared_ptr<Job>> Jobs::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs_) {
    if (job->id == id) return job;
  }
  return refuse(404, "there is no such training", "", "see those of GET train");
}

std::vector<std::shared_ptr<Job>> Jobs::all() const {
  const std::lock_guard lock(mutex_);
  return jobs_;
}

void Jobs::stop_all() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const auto& job : jobs_) job->stop.request_stop();
  }
  if (worker_.joinable()) worker_.join();
}

void Jobs::start(const std::shared_ptr<Job>& job, bool resumed) {
  if (worker_.joinable()) worker_.join();
  try {
    worker_ = std::thread([this, job, resumed] { work(*job, resumed); });
  } catch (const std::system_error&) {
    job->enter(Job::State::failed, "the system gives no thread to learn with: try again later");
  }
}

void Jobs::work(Job& job, bool resumed) {
  Observer observer;
  observer.stop = job.stop.get_token();
  observer.progress = [&](const Progress& report) { job.progress(report); };
  const auto log = [&](const std::string& line) {
    job.tell("log", state_.runs.without_paths(line));
  };
  Result<void> done;
  if (resumed) {
    if (const auto result = continue_run(job.folder, observer, log); !result)
      done = tl::unexpected<Error>(result.error());
  } else {
    done = learn(job, observer);
  }
  if (!done) {
    const bool stopped = done.error().kind == ErrorKind::interrupted;
    const std::string text = state_.runs.without_paths(to_string(done.error()));
    return job.enter(stopped ? Job::State::stopped : Job::State::failed, stopped ? "" : text);
  }
  Result<Run> run = Run::open(job.folder, state_.options.threads);
  if (!run) return job.enter(Job::State::failed, state_.runs.without_paths(to_string(run.error())));
  job.run = state_.runs.add(std::move(*run))->name();
  if (say_) say_(fmt::format("{} was learned, and is served", job.run));
  job.enter(Job::State::done);
}

Result<Jobs::Material> Jobs::material(Job& job, const Observer& observer) {
  if (job.order.from.empty()) {
    const std::filesystem::path path =
        std::filesystem::path(state_.options.data_root) / job.order.data;
    LERP_TRY(dataset, load(path, {}, observer));
    return Material{path, std::move(dataset)};
  }
  const auto served = state_.runs.find(job.order.from);
  if (!served) return tl::unexpected<Error>(served.error().error);
  const Run run = (*served)->watched(observer);
  LERP_TRY(data, run.data());
  Dataset changed = *data;
  if (job.order.decisions) {
    LERP_TRY(decisions, decisions_in_force(*state_.decisions, **served));
    std::tie(job.accepted, job.rejected) = apply_decisions(decisions, changed);
  }
  if (job.accepted + job.rejected == 0) {
    const RunConfig& config = run.config();
    LoadOptions options;
    options.choices = config.choices;
    LERP_TRY(same, load(config.data, options, observer));
    return Material{config.data, std::move(same)};
  }
  std::filesystem::path folder = job.folder;
  folder += "-data";
  LERP_CHECK(write_dataset(changed, folder, WriteFormat::tsv, observer));
  LERP_TRY(dataset, load(folder, {}, observer));
  return Material{folder, std::move(dataset)};
}

Result<void> Jobs::learn(Job& job, const Observer& observer) {
  LERP_TRY(from, material(job, observer));
  LERP_TRY(options, resolve(from.dataset, job.order.options));
  job.tell("log", headline(from.dataset));
  LERP_CHECK(train_run(
      from.dataset, from.path, options, job.folder, observer,
      [&](const std::string& line) { job.tell("log", state_.runs.without_paths(line)); }));
  return {};
}

}  // namespace lerpp
