// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <lerp/train/run.hpp>
#include <lerp/train/trace.hpp>

#include "server/jobs.hpp"

namespace lerpp {
namespace {

std::string_view name_of(Job::State state) {
  constexpr std::array<std::string_view, 5> names = {"running", "stopping", "done", "stopped",
                                                     "failed"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace

void Job::tell(std::string name, Json data) {
  {
    const std::lock_guard lock(mutex_);
    if (name == "log") log_.push_back(data.get<std::string>());
    events_.push_back({std::move(name), std::move(data)});
  }
  told_.notify_all();
}

void Job::progress(const Progress& report) {
  {
    const std::lock_guard lock(mutex_);
    stage_ = report.stage;
    done_ = report.done;
    total_ = report.total;
    note_ = report.note;
    Json data = {{"stage", stage_},
                 {"done", done_},
                 {"total", total_},
                 {"unit", report.unit},
                 {"note", report.note}};
    // Only the last one counts: what nobody has heard yet is replaced.
    if (!events_.empty() && events_.back().name == "progress" &&
        events_.back().data["stage"] == data["stage"] && report.total > 0 &&
        report.done < report.total) {
      events_.back().data = std::move(data);
    } else {
      events_.push_back({"progress", std::move(data)});
    }
    if (const Result<std::vector<EpochReport>> trace = load_trace(folder)) {
      for (; epochs_told_ < trace->size(); ++epochs_told_)
        events_.push_back({"epoch", lerpp::to_json((*trace)[epochs_told_])});
    }
  }
  told_.notify_all();
}

void Job::enter(State state, std::string error) {
  {
    const std::lock_guard lock(mutex_);
    state_ = state;
    error_ = std::move(error);
  }
  if (is_over()) tell("end", to_json());
  told_.notify_all();
}

Job::State Job::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

bool Job::is_over() const {
  const State now = state();
  return now != State::running && now != State::stopping;
}

std::vector<Job::Event> Job::after(std::size_t number, std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  told_.wait_for(lock, wait, [&] { return events_.size() > number; });
  if (events_.size() <= number) return {};
  return {events_.begin() + static_cast<std::ptrdiff_t>(number), events_.end()};
}

Json Job::to_json() const {
  const std::lock_guard lock(mutex_);
  Json json = {{"id", id}, {"state", name_of(state_)}, {"run", run}};
  json["from"] = order.from.empty() ? Json(nullptr) : Json(order.from);
  json["data"] = order.data.empty() ? Json(nullptr) : Json(order.data);
  json["accepted"] = accepted;
  json["rejected"] = rejected;
  json["stage"] = stage_;
  json["done"] = done_;
  json["total"] = total_;
  json["note"] = note_;
  json["error"] = error_.empty() ? Json(nullptr) : Json(error_);
  json["epochs"] = Json::array();
  if (const Result<std::vector<EpochReport>> trace = load_trace(folder)) {
    for (const EpochReport& epoch : *trace) json["epochs"].push_back(lerpp::to_json(epoch));
  }
  json["log"] = log_;
  json["metrics"] = nullptr;
  return json;
}

}  // namespace lerpp
