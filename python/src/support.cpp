// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace lerpp::python {
namespace {

/// The last report of a long call, for whoever shows it.
struct Told {
  std::string stage, unit, note;
  std::uint64_t done = 0, total = 0;
  bool fresh = false;
};

struct Watch {
  std::mutex mutex;  ///< of what follows
  std::condition_variable ended;
  bool over = false;
  Told told;
  std::exception_ptr thrown;

  void report(const Progress& progress) {
    const std::lock_guard lock(mutex);
    told = {std::string(progress.stage),
            std::string(progress.unit),
            progress.note,
            progress.done,
            progress.total,
            true};
  }
  /// Whether the work is over; waits for it a little.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex);
    return ended.wait_for(lock, time, [this] { return over; });
  }
  Told take() {
    const std::lock_guard lock(mutex);
    Told taken = told;
    told.fresh = false;
    return taken;
  }
};

void show(const nb::object& progress, const Told& told) {
  if (!progress.is_none() && told.fresh)
    progress(told.stage, told.done, told.total, told.unit, told.note);
}

}  // namespace

void raise(const Error& error) {
  const nb::module_ errors = nb::module_::import_("lerp._errors");
  const char* const name = error.kind == ErrorKind::interrupted ? "Interrupted" : "LerpError";
  const nb::object made =
      errors.attr("make")(name, to_string(error), error.what, error.where, error.remedy);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

Split ranked_split(const std::string& name, bool train) {
  if (name == "valid") return Split::valid;
  if (name == "test") return Split::test;
  if (train && name == "train") return Split::train;
  raise({fmt::format("'{}' is no split that can be ranked", name), "",
         train ? "give train, valid or test" : "give valid or test", ErrorKind::usage});
}

bool watch(const nb::object& progress, const std::function<void(const Observer&)>& work) {
  Watch watch;
  std::stop_source stop;
  const Observer observer = {
      [&watch](const Progress& told) { watch.report(told); }, stop.get_token(), {}};
  std::optional<nb::python_error> raised;
  {
    const std::jthread worker([&] {
      std::exception_ptr thrown;
      try {
        work(observer);
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard lock(watch.mutex);
      watch.thrown = thrown;
      watch.over = true;
      watch.ended.notify_all();
    });
    // The first look comes soon, so that short calls are short.
    for (auto pause = std::chrono::milliseconds(5);; pause = std::chrono::milliseconds(50)) {
      bool over = false;
      {
        const nb::gil_scoped_release release;
        over = watch.wait(pause);
      }
      try {
        if (!raised) show(progress, watch.take());
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
      } catch (nb::python_error& error) {
        if (!raised) raised.emplace(std::move(error));
        stop.request_stop();
      }
      if (over) break;
    }
  }
  if (raised && !raised->matches(PyExc_KeyboardInterrupt)) throw nb::python_error(*raised);
  if (watch.thrown) std::rethrow_exception(watch.thrown);
  return raised.has_value();
}

}  // namespace lerpp::python
