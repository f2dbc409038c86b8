// SPDX-License-Identifier: Apache-2.0
#include "server/decision_log.hpp"

#include <array>
#include <ctime>

#include <fmt/format.h>
#include <sqlite3.h>

namespace lerpp {
namespace {

constexpr int busy_ms = 10'000;

// Nothing is ever changed: what is in force follows from the rows.
constexpr const char* schema = R"(
  CREATE TABLE IF NOT EXISTS decision (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    head TEXT NOT NULL, relation TEXT NOT NULL, tail TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accept', 'reject', 'unsure', 'undo')),
    undoes INTEGER REFERENCES decision(id),
    note TEXT NOT NULL, who TEXT NOT NULL, at TEXT NOT NULL, model TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS decision_fact ON decision(head, relation, tail);
  CREATE UNIQUE INDEX IF NOT EXISTS decision_undoes ON decision(undoes) WHERE undoes IS NOT NULL;
  CREATE TRIGGER IF NOT EXISTS decision_stays BEFORE UPDATE ON decision
    BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END;
  CREATE TRIGGER IF NOT EXISTS decision_remains BEFORE DELETE ON decision
    BEGIN SELECT RAISE(ABORT, 'decisions are never removed'); END;
)";

/// The last decision on its fact that nobody has taken back.
constexpr const char* force =
    "(d.verdict <> 'undo' AND NOT EXISTS (SELECT 1 FROM decision u WHERE u.undoes = d.id) AND "
    "NOT EXISTS (SELECT 1 FROM decision l WHERE l.head = d.head AND l.relation = d.relation AND "
    "l.tail = d.tail AND l.id > d.id AND l.verdict <> 'undo' AND "
    "NOT EXISTS (SELECT 1 FROM decision u WHERE u.undoes = l.id)))";

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

/// A statement with its values, asked row by row.
class Statement {
 public:
  Statement(sqlite3* base, const std::string& text) {
    ::sqlite3_prepare_v2(base, text.c_str(), static_cast<int>(text.size()), &statement_, nullptr);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { ::sqlite3_finalize(statement_); }

  void bind(const std::string& value) {
    ::sqlite3_bind_text(statement_, ++place_, value.data(), static_cast<int>(value.size()),
                        SQLITE_TRANSIENT);
  }
  void bind(std::int64_t value) { ::sqlite3_bind_int64(statement_, ++place_, value); }
  void bind(const std::optional<std::int64_t>& value) {
    if (value) return bind(*value);
    ::sqlite3_bind_null(statement_, ++place_);
  }
  int step() { return statement_ == nullptr ? SQLITE_ERROR : ::sqlite3_step(statement_); }
  std::string text(int column) const {
    const unsigned char* value = ::sqlite3_column_text(statement_, column);
    const auto size = static_cast<std::size_t>(::sqlite3_column_bytes(statement_, column));
    return value == nullptr ? std::string()
                            : std::string(reinterpret_cast<const char*>(value), size);
  }
  std::int64_t number(int column) const { return ::sqlite3_column_int64(statement_, column); }
  bool is_null(int column) const {
    return ::sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int place_ = 0;
};

std::string select(const std::string& condition) {
  return fmt::format(
      "SELECT d.id, d.key, d.head, d.relation, d.tail, d.verdict, d.undoes, d.note, d.who, d.at, "
      "d.model, {} FROM decision d WHERE {}",
      force, condition);
}

Decision read_row(const Statement& row) {
  Decision decision;
  int column = 0;
  decision.id = row.number(column++);
  decision.key = row.text(column++);
  decision.head = row.text(column++);
  decision.relation = row.text(column++);
  decision.tail = row.text(column++);
  decision.verdict = row.text(column++);
  if (!row.is_null(column)) decision.undoes = row.number(column);
  ++column;
  decision.note = row.text(column++);
  decision.who = row.text(column++);
  decision.at = row.text(column++);
  decision.model = row.text(column++);
  decision.in_force = row.number(column) != 0;
  return decision;
}

bool says_the_same(const Decision& a, const Decision& b) {
  if (a.verdict != b.verdict || a.undoes != b.undoes) return false;
  return a.undoes || (a.head == b.head && a.relation == b.relation && a.tail == b.tail);
}

/// Takes the file for itself until it is committed or goes out of scope.
class Transaction {
 public:
  explicit Transaction(sqlite3* base) : base_(base) { open_ = run("BEGIN IMMEDIATE"); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (open_) run("ROLLBACK");
  }
  bool is_open() const { return open_; }
  bool commit() {
    if (!run("COMMIT")) return false;
    open_ = false;
    return true;
  }

 private:
  bool run(const char* text) {
    return ::sqlite3_exec(base_, text, nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  sqlite3* base_;
  bool open_ = false;
};

}  // namespace

Result<std::unique_ptr<DecisionLog>> DecisionLog::open(const std::filesystem::path& path) {
  sqlite3* base = nullptr;
  const int code = ::sqlite3_open_v2(
      path.c_str(), &base, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX,
      nullptr);
  std::unique_ptr<DecisionLog> log(new DecisionLog(base, path.string()));
  if (code != SQLITE_OK) return log->failed("opened");
  ::sqlite3_busy_timeout(base, busy_ms);
  LERP_CHECK(log->execute("PRAGMA journal_mode=WAL"));
  LERP_CHECK(log->execute("PRAGMA synchronous=FULL"));
  LERP_CHECK(log->execute(schema));
  return log;
}

DecisionLog::~DecisionLog() {
  ::sqlite3_close(base_);
}

tl::unexpected<Error> DecisionLog::failed(const char* doing) const {
  return fail(fmt::format("the decisions cannot be {}: {}", doing, ::sqlite3_errmsg(base_)), where_,
              "check the disk and who may write there");
}

Result<void> DecisionLog::execute(const char* statement) {
  if (::sqlite3_exec(base_, statement, nullptr, nullptr, nullptr) != SQLITE_OK)
    return failed("opened");
  return {};
}

Result<std::optional<Decision>> DecisionLog::one(const char* condition, const std::string& value) {
  Statement row(base_, select(condition));
  row.bind(value);
  const int code = row.step();
  if (code == SQLITE_ROW) return std::optional<Decision>(read_row(row));
  if (code != SQLITE_DONE) return failed("read");
  return std::optional<Decision>();
}

Result<DecisionLog::Added> DecisionLog::add(Decision decision) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(base_);
  if (!transaction.is_open()) return failed("written");
  LERP_TRY(before, one("d.key = ?", decision.key));
  if (before) return Added{*before, false, says_the_same(*before, decision), true};
  if (decision.undoes) {
    LERP_TRY(undone, one("d.id = CAST(? AS INTEGER)", fmt::format("{}", *decision.undoes)));
    if (!undone || !undone->in_force) return Added{decision, true, true, false};
    decision.head = undone->head;
    decision.relation = undone->relation;
    decision.tail = undone->tail;
  }
  decision.at = now_text();
  Statement row(base_,
                "INSERT INTO decision (key, head, relation, tail, verdict, undoes, note, who, at, "
                "model) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.bind(decision.key);
  row.bind(decision.head);
  row.bind(decision.relation);
  row.bind(decision.tail);
  row.bind(decision.verdict);
  row.bind(decision.undoes);
  row.bind(decision.note);
  row.bind(decision.who);
  row.bind(decision.at);
  row.bind(decision.model);
  if (row.step() != SQLITE_DONE) return failed("written");
  decision.id = ::sqlite3_last_insert_rowid(base_);
  if (!transaction.commit()) return failed("written");
  decision.in_force = !decision.undoes;
  return Added{decision};
}

Result<std::vector<Decision>> DecisionLog::after(std::int64_t id, bool in_force, std::size_t most) {
  const std::lock_guard lock(mutex_);
  Statement row(base_, select(fmt::format("d.id > ? {} ORDER BY d.id LIMIT ?",
                                          in_force ? fmt::format("AND {}", force) : "")));
  row.bind(id);
  row.bind(static_cast<std::int64_t>(most));
  std::vector<Decision> decisions;
  int code = SQLITE_ROW;
  while ((code = row.step()) == SQLITE_ROW) decisions.push_back(read_row(row));
  if (code != SQLITE_DONE) return failed("read");
  return decisions;
}

Result<DecisionLog::Counts> DecisionLog::counts() {
  const std::lock_guard lock(mutex_);
  Statement row(base_,
                fmt::format("SELECT (SELECT COALESCE(MAX(id), 0) FROM decision), "
                            "COALESCE(SUM(d.verdict = 'accept'), 0), "
                            "COALESCE(SUM(d.verdict = 'reject'), 0), "
                            "COALESCE(SUM(d.verdict = 'unsure'), 0) FROM decision d WHERE {}",
                            force));
  if (row.step() != SQLITE_ROW) return failed("read");
  return Counts{row.number(0), row.number(1), row.number(2), row.number(3)};
}

}  // namespace lerpp
