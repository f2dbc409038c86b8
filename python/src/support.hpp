// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <lerp/base/error.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/kg/dataset.hpp>

/// What all parts of the module share: errors as exceptions, options from Python, long calls.
namespace lerpp::python {

namespace nb = nanobind;

/// Raises lerp.LerpError, or lerp.Interrupted, with the library's own sentence.
[[noreturn]] void raise(const Error& error);

template <class T>
T unwrap(Result<T>&& result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// JSON as text, which Python reads back to the same numbers.
inline std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Names and values of options, as the command line has them: {"min-probability", "0.5"}. Python
/// writes names with underscores.
using Settings = std::vector<std::pair<std::string, std::string>>;

template <class Options>
Options options_of(const Settings& settings, Options options = {}) {
  const auto has = [&options](std::string_view name) {
    bool found = false;
    Options::fields(options,
                    [&](const Field& field, const auto&) { found = found || field.name == name; });
    return found;
  };
  for (auto [name, value] : settings) {
    if (!has(name)) {
      std::string dashed = name;
      for (char& letter : dashed) letter = letter == '_' ? '-' : letter;
      if (has(dashed)) name = dashed;
    }
    unwrap(set_option(options, name, value));
  }
  unwrap(check_options(options));
  return options;
}

/// The value of what was interrupted or not. The library's own sentence says how to go on; where
/// the work was over before it could stop, Ctrl-C is still one.
template <class T>
T finish(Result<T>&& result, bool interrupted) {
  if (result && interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return unwrap(std::move(result));
}

/// Calls `work(observer)` on a thread of its own without the interpreter's lock. Meanwhile this
/// thread shows progress (a callable of stage, done, total, unit and note, or None) and looks for
/// Ctrl-C, which stops the work at the next safe point. Returns whether it was asked to stop; what
/// else a signal or the callable raised is thrown.
bool watch(const nb::object& progress, const std::function<void(const Observer&)>& work);

template <class Work>
auto watched(const nb::object& progress, Work&& work) {
  using Returned = std::decay_t<decltype(work(std::declval<const Observer&>()))>;
  std::optional<Returned> result;
  const bool interrupted =
      watch(progress, [&](const Observer& observer) { result.emplace(work(observer)); });
  return finish(std::move(*result), interrupted);
}

/// For calls that are over at once.
template <class Work>
auto unlocked(Work&& work) {
  auto result = [&] {
    const nb::gil_scoped_release release;
    return work();
  }();
  return unwrap(std::move(result));
}

/// A split whose facts are ranked: valid or test, or train where that makes sense.
Split ranked_split(const std::string& name, bool train = false);

void bind_data(nb::module_& module);
void bind_tables(nb::module_& module);
void bind_training(nb::module_& module);
void bind_run(nb::module_& module);
void bind_curation(nb::module_& module);
void bind_lists(nb::module_& module);
void bind_ranking(nb::module_& module);
void bind_events(nb::module_& module);

}  // namespace lerpp::python
