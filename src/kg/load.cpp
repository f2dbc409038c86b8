#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/kg/dataset.hpp>

#include "kg/layout.hpp"
#include "kg/libkge.hpp"
#include "kg/names.hpp"
#include "kg/ntriples.hpp"
#include "kg/openke.hpp"
#include "kg/reading.hpp"
#include "kg/separated.hpp"
#include "kg/texts.hpp"
#include "kg/turtle.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;
using formats::Layout;
using formats::LayoutKind;
using formats::Reading;

std::string dataset_name(const fs::path& path, bool folder) {
  std::error_code code;
  // "." and "data/" have a name only once they are spelled out.
  fs::path whole = fs::weakly_canonical(path, code);
  if (code) whole = path;
  return folder ? whole.filename().string() : formats::stem_of(path);
}

std::uint64_t bytes_of(const fs::path& file) {
  std::error_code code;
  const auto bytes = fs::file_size(file, code);
  return code ? 0 : bytes;
}

/// Reads the facts of one file, whatever it holds. Returns what was recognised.
Result<std::string> read_facts(std::string_view text, const std::string& where, LayoutKind kind,
                               Reading& reading, Split split) {
  if (kind == LayoutKind::openke) {
    LERP_CHECK(formats::read_openke(text, where, reading, split));
    return "OpenKE";
  }
  if (kind == LayoutKind::libkge) {
    LERP_CHECK(formats::read_del(text, where, reading, split));
    return "LibKGE";
  }
  if (formats::looks_like_ntriples(text)) {
    LERP_CHECK(formats::read_ntriples(text, where, reading, split));
    return "N-Triples";
  }
  if (formats::looks_like_turtle(text)) {
    LERP_CHECK(formats::read_turtle(text, where, reading, split));
    return "Turtle";
  }
  LERP_TRY(delimiter, formats::read_separated(text, where, reading, split));
  return fmt::format("three columns, {} separated", formats::name_of(delimiter));
}

Result<bool> read_list(const formats::LayoutFile<formats::NamesKind>& file, Vocabulary& names,
                       std::string& list, const Observer& observer) {
  if (file.path.empty()) return false;
  LERP_TRY(bytes, read_file(file.path));
  LERP_TRY(read, formats::read_names(bytes.view(), file.path.string(), file.form, observer));
  names = std::move(read.names);
  list = file.path.filename().string();
  return read.ids;
}

Result<void> read_split(const Layout& layout, Split split, Reading& reading, bool dict) {
  const fs::path& file = layout.splits[static_cast<std::size_t>(split)];
  if (file.empty()) return {};
  const std::string where = file.string();
  reading.bytes_file = bytes_of(file);
  reading.report(0);
  if (reading.observer.stopped()) return tl::unexpected(formats::stopped_error(where));
  std::string format;
  {
    // The text is let go before repetitions are looked for, which takes memory too.
    LERP_TRY(bytes, read_file(file));
    LERP_TRY(found, read_facts(bytes.view(), where, layout.kind, reading, split));
    format = std::move(found);
  }
  reading.bytes_done += reading.bytes_file;
  reading.bytes_file = 0;

  Dataset& dataset = reading.dataset;
  std::vector<Fact>& facts = dataset[split];
  if (facts.empty()) {
    return fail("the file holds no facts", where, "put facts into it or remove it");
  }
  if (facts.size() > std::numeric_limits<std::uint32_t>::max()) {
    return fail("the file holds more than 4,294,967,295 facts", where, "split it");
  }
  dataset.repeated[static_cast<std::size_t>(split)] =
      remove_repeated(facts, dataset.entities.size(), reading.threads, reading.observer);
  if (reading.observer.stopped()) return tl::unexpected(formats::stopped_error(where));
  if (split != Split::train) return {};
  const bool columns = format.starts_with("three columns");
  const bool lists = !reading.entity_list.empty() || !reading.relation_list.empty() ||
                     !layout.splits[static_cast<std::size_t>(Split::facts)].empty();
  dataset.format = columns && dict ? "RNNLogic" : columns && lists ? "Neural-LP" : format;
  return {};
}

Result<void> read_text_file(const formats::LayoutFile<formats::TextKey>& file, Dataset& dataset,
                            formats::TextsFor whose, const Observer& observer) {
  if (file.path.empty()) return {};
  LERP_TRY(bytes, read_file(file.path));
  return formats::read_texts(bytes.view(), file.path.string(), dataset, whose, file.form, observer);
}

}  // namespace

Result<Dataset> load(const fs::path& path, const LoadOptions& options, const Observer& observer) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) {
    return fail("there is no such file or folder", path.string(), "check the path");
  }
  const bool folder = fs::is_directory(status);
  Layout layout;
  if (folder) {
    LERP_TRY(found, formats::find_layout(path));
    layout = found;
  } else {
    layout.splits[static_cast<std::size_t>(Split::train)] = path;
  }

  Reading reading;
  reading.threads = options.threads;
  reading.observer = observer;
  reading.dataset.name = dataset_name(path, folder);
  for (const fs::path& file : layout.splits) {
    if (!file.empty()) reading.bytes_total += bytes_of(file);
  }
  LERP_TRY(entity_ids,
           read_list(layout.entities, reading.dataset.entities, reading.entity_list, observer));
  LERP_TRY(relation_ids,
           read_list(layout.relations, reading.dataset.relations, reading.relation_list, observer));
  for (const Split split : all_splits) {
    LERP_CHECK(read_split(layout, split, reading, entity_ids || relation_ids));
  }

  Dataset& dataset = reading.dataset;
  using formats::TextsFor;
  formats::apply_labels(reading);
  LERP_CHECK(read_text_file(layout.entity_texts, dataset, TextsFor::entities, observer));
  LERP_CHECK(read_text_file(layout.relation_texts, dataset, TextsFor::relations, observer));
  LERP_CHECK(
      read_text_file({options.names, formats::TextKey::name}, dataset, TextsFor::both, observer));
  if (observer.stopped()) return tl::unexpected(formats::stopped_error(path.string()));
  reading.report(0);
  return std::move(dataset);
}

}  // namespace lerpp
