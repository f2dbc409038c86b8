// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <lerp/train/options.hpp>

#include "server/message.hpp"

namespace lerpp {

struct ApiState;

/// What is to be learned.
struct TrainingOrder {
  std::string from;  ///< a served run that is learned again, or
  std::string data;  ///< a dataset below the folder of them
  bool decisions = true;
  OptionRequest options = {};
};

/// A training that the page has begun. What it tells is kept in lines, so that whoever listens late
/// hears all of it.
class Job {
 public:
  enum class State { running, stopping, done, stopped, failed };
  struct Event {
    std::string name;
    Json data;
  };

  std::string id;
  TrainingOrder order;
  std::string run;  ///< name of the new run
  std::filesystem::path folder = {};
  std::size_t accepted = 0;
  std::size_t rejected = 0;

  void tell(std::string name, Json data);
  void progress(const Progress& report);
  void enter(State state, std::string error = {});
  State state() const;
  bool is_over() const;
  /// Events after a number, waiting a moment for one; and how far there is anything to say.
  std::vector<Event> after(std::size_t number, std::chrono::milliseconds wait);
  Json to_json() const;

  std::stop_source stop;

 private:
  mutable std::mutex mutex_;
  std::condition_variable told_;
  State state_ = State::running;
  std::string error_;
  std::string stage_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  std::string note_;
  std::vector<std::string> log_;
  std::vector<Event> events_;
  std::size_t epochs_told_ = 0;
};

/// The trainings of a server, one at a time.
class Jobs {
 public:
  Jobs(ApiState& state, std::function<void(const std::string&)> say);
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;
  ~Jobs();

  Answered<std::shared_ptr<Job>> begin(TrainingOrder order);
  Answered<std::shared_ptr<Job>> resume(const std::string& id);
  Answered<std::shared_ptr<Job>> find(const std::string& id) const;
  std::vector<std::shared_ptr<Job>> all() const;
  /// Asks the running one to write its checkpoint and end, and waits for it.
  void stop_all();

  /// Datasets below the folder that was named at the start.
  std::vector<std::string> datasets() const;

 private:
  bool busy() const;
  void start(const std::shared_ptr<Job>& job, bool resumed);
  void work(Job& job, bool resumed);
  Result<void> learn(Job& job, const Observer& observer);
  struct Material {
    std::filesystem::path path;
    Dataset dataset;
  };
  Result<Material> material(Job& job, const Observer& observer);

  ApiState& state_;
  std::function<void(const std::string&)> say_;
  mutable std::mutex mutex_;
  bool ending_ = false;
  std::vector<std::shared_ptr<Job>> jobs_;
  std::thread worker_;
};

}  // namespace lerpp
