// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/text.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/kg/import.hpp>

#include "kg/foreign.hpp"
#include "kg/json_lines.hpp"
#include "kg/layout.hpp"
#include "kg/libkge.hpp"
#include "kg/names.hpp"
#include "kg/ntriples.hpp"
#include "kg/openke.hpp"
#include "kg/rdf_xml.hpp"
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
  LERP_CHECK(formats::refuse_foreign(text, where));
  if (formats::looks_like_rdf_xml(text)) {
    LERP_CHECK(formats::read_rdf_xml(text, where, reading, split));
    return "RDF/XML";
  }
  if (formats::looks_like_ntriples(text)) {
    const std::uint64_t graphs = reading.graphs;
    LERP_CHECK(formats::read_ntriples(text, where, reading, split));
    return reading.graphs > graphs ? "N-Quads" : "N-Triples";
  }
  if (formats::looks_like_json_lines(text)) {
    LERP_CHECK(formats::read_json_lines(text, where, reading, split));
    return "JSON lines";
  }
  if (formats::looks_like_turtle(text)) {
    LERP_CHECK(formats::read_turtle(text, where, reading, split));
    return "Turtle";
  }
  LERP_TRY(delimiter, formats::read_separated(text, where, reading, split));
  return fmt::format("three columns, {} separated", formats::name_of(delimiter));
}

Result<bool> read_list(const formats::LayoutFile<formats::NamesKind>& file, Vocabulary& names,
                       std::string& list, std::uint64_t most, const Observer& observer) {
  if (file.path.empty()) return false;
  LERP_TRY(bytes, read_file(file.path, most));
  LERP_TRY(read, formats::read_names(bytes.view(), file.path.string(), file.form, observer));
  names = std::move(read.names);
  list = file.path.filename().string();
  return read.ids;
}

/// What a file without facts holds instead.
tl::unexpected<Error> no_facts(const std::string& where, const Reading& reading) {
  if (reading.literals > 0) {
    return fail("the objects of all facts are literals, which are left out", where,
                "keep them with --literals");
  }
  return fail("the file holds no facts", where, "put facts into it or remove it");
}

Result<void> read_split(const Layout& layout, Split split, Reading& reading, bool dict,
                        std::uint64_t most) {
  const fs::path& file = layout.splits[static_cast<std::size_t>(split)];
  if (file.empty()) return {};
  const std::string where = file.string();
  reading.bytes_file = bytes_of(file);
  reading.report(0);
  if (reading.observer.stopped()) return tl::unexpected(formats::stopped_error(where));
  std::string format;
  {
    // The text is let go before repetitions are looked for, which takes memory too.
    LERP_TRY(bytes, read_file(file, most));
    LERP_TRY(found, read_facts(bytes.view(), where, layout.kind, reading, split));
    format = std::move(found);
  }
  reading.bytes_done += reading.bytes_file;
  reading.bytes_file = 0;

  Dataset& dataset = reading.dataset;
  std::vector<Fact>& facts = dataset[split];
  if (facts.empty()) return no_facts(where, reading);
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
                            formats::TextsFor whose, std::uint64_t most, const Observer& observer) {
  if (file.path.empty()) return {};
  LERP_TRY(bytes, read_file(file.path, most));
  return formats::read_texts(bytes.view(), file.path.string(), dataset, whose, file.form, observer);
}

/// Where the facts are: the files of a folder, one file, or standard input.
Result<Layout> layout_of(const fs::path& path, Dataset& dataset) {
  Layout layout;
  fs::path& train = layout.splits[static_cast<std::size_t>(Split::train)];
  if (path == "-") {
    dataset.name = "standard input";
    train = "/dev/stdin";
    return layout;
  }
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found) {
    return fail("there is no such file or folder", path.string(), "check the path");
  }
  if (!fs::exists(status)) {
    return fail("the file or folder cannot be opened, " + code.message(), path.string(),
                "check the path and its permissions");
  }
  const bool folder = fs::is_directory(status);
  dataset.name = dataset_name(path, folder);
  if (folder) return formats::find_layout(path);
  train = path;
  return layout;
}

/// Says what was left out of RDF.
void note_left_out(Reading& reading) {
  if (reading.literals > 0) {
    reading.note(
        fmt::format("{} with a literal (a text, a number, a date) {} left out; --literals "
                    "keeps them",
                    reading.literals == 1 ? "a fact" : thousands(reading.literals) + " facts",
                    reading.literals == 1 ? "is" : "are"));
  }
  if (reading.graphs > 0) reading.note("the graphs that facts belong to are left out");
}

/// Holds out validation facts where the data has no splits of its own.
void hold_out_some(Reading& reading) {
  Dataset& dataset = reading.dataset;
  ReadChoices& choices = dataset.choices;
  const bool whole = dataset[Split::valid].empty() && dataset[Split::test].empty();
  if (choices.holdout > 0 && whole) {
    HoldoutOptions options;
    options.valid = choices.holdout;
    options.test = 0;
    options.seed = choices.holdout_seed;
    options.by_relation = true;
    const std::size_t facts = dataset[Split::train].size();
    hold_out(dataset, options);
    dataset.held_out = dataset[Split::valid].size();
    reading.note(dataset.held_out > 0
                     ? fmt::format("the data has no splits: {} of {} facts are held out for "
                                   "validation; --no-holdout learns from all",
                                   thousands(dataset.held_out), thousands(facts))
                     : std::string("the data has no splits, and no fact can be spared for "
                                   "validation: each is the only one of an entity or a relation"));
  }
  // What had no say is not written down.
  if (dataset.held_out == 0) {
    choices.holdout = 0;
    choices.holdout_seed = ReadChoices{}.holdout_seed;
  }
}

}  // namespace

Result<Dataset> load(const fs::path& path, const LoadOptions& options, const Observer& observer) {
  LERP_CHECK(check_options(options.choices));
  Reading reading;
  reading.threads = options.threads;
  reading.observer = observer;
  reading.choices = options.choices;
  reading.dataset.choices = options.choices;
  Dataset& dataset = reading.dataset;
  LERP_TRY(layout, layout_of(path, dataset));
  for (const fs::path& file : layout.splits) {
    if (!file.empty()) reading.bytes_total += bytes_of(file);
  }
  const std::uint64_t most = options.max_input;
  LERP_TRY(entity_ids,
           read_list(layout.entities, dataset.entities, reading.entity_list, most, observer));
  LERP_TRY(relation_ids,
           read_list(layout.relations, dataset.relations, reading.relation_list, most, observer));
  for (const Split split : all_splits) {
    LERP_CHECK(read_split(layout, split, reading, entity_ids || relation_ids, most));
  }

  using formats::TextsFor;
  formats::apply_labels(reading);
  formats::apply_prefixes(reading);
  LERP_CHECK(read_text_file(layout.entity_texts, dataset, TextsFor::entities, most, observer));
  LERP_CHECK(read_text_file(layout.relation_texts, dataset, TextsFor::relations, most, observer));
  LERP_CHECK(read_text_file({options.names, formats::TextKey::name}, dataset, TextsFor::both, most,
                            observer));
  if (observer.stopped()) return tl::unexpected(formats::stopped_error(path.string()));
  note_left_out(reading);
  hold_out_some(reading);
  reading.report(0);
  return std::move(dataset);
}

}  // namespace lerpp
