// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/error.hpp>

struct sqlite3;

namespace lerpp {

/// What somebody has decided about a fact, by names: the log outlives the run it was asked of.
struct Decision {
  std::int64_t id = 0;  ///< rises with every decision
  std::string key;      ///< made by who decided, once
  std::string head;
  std::string relation;
  std::string tail;
  std::string verdict;                      ///< accept, reject, unsure or undo
  std::optional<std::int64_t> undoes = {};  ///< the decision that is taken back
  std::string note = {};
  std::string who = {};
  std::string at = {};     ///< UTC, ISO 8601
  std::string model = {};  ///< digest of the model that was asked
  bool in_force = false;   ///< the last word on its fact, and not taken back
};

/// Decisions in an SQLite file: rows are added and never changed, and are on disk when add()
/// returns. Several threads and several processes may share a file.
class DecisionLog {
 public:
  /// Opens the file or makes it.
  static Result<std::unique_ptr<DecisionLog>> open(const std::filesystem::path& path);
  DecisionLog(const DecisionLog&) = delete;
  DecisionLog& operator=(const DecisionLog&) = delete;
  ~DecisionLog();

  struct Added {
    Decision decision;
    bool fresh = true;   ///< or the key was known already, and nothing was written
    bool same = true;    ///< whether what was known says the same
    bool exists = true;  ///< whether there is what is to be taken back, and it is in force
  };
  /// Takes id and time; of an undo, the fact.
  Result<Added> add(Decision decision);
  Result<std::vector<Decision>> after(std::int64_t id, bool in_force, std::size_t most);
  struct Counts {
    std::int64_t last = 0;
    std::int64_t accepted = 0;
    std::int64_t rejected = 0;
    std::int64_t unsure = 0;
  };
  Result<Counts> counts();

 private:
  explicit DecisionLog(sqlite3* base, std::string where) : base_(base), where_(std::move(where)) {}
  Result<void> execute(const char* statement);
  Result<std::optional<Decision>> one(const char* condition, const std::string& value);
  tl::unexpected<Error> failed(const char* doing) const;

  std::mutex mutex_;
  sqlite3* base_;
  std::string where_;
};

}  // namespace lerpp
