// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/text.hpp>
#include <lerp/events/load.hpp>

#include "events/read_events.hpp"
#include "kg/digest.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> file_of(const fs::path& folder, Split split) {
  const std::vector<const char*> stems = split == Split::train   ? std::vector{"train"}
                                         : split == Split::valid ? std::vector{"dev", "valid"}
                                                                 : std::vector{"test"};
  for (const char* stem : stems) {
    for (const char* ending : {".jsonl", ".json"}) {
      for (const char* packed : {"", ".gz", ".zst"}) {
        fs::path path = folder / fmt::format("{}{}{}", stem, ending, packed);
        if (fs::exists(path)) return path;
      }
    }
  }
  return std::nullopt;
}

Result<void> read_split(const fs::path& path, formats::EventReading& reading,
                        std::vector<EventGraph>& graphs) {
  LERP_TRY(bytes, read_file(path));
  LERP_CHECK(formats::read_events(bytes.view(), path.string(), reading));
  if (reading.graphs.empty()) {
    return fail("the file holds no event graphs", path.string(),
                "put event graphs into it or remove it");
  }
  graphs = std::move(reading.graphs);
  reading.graphs.clear();
  return {};
}

}  // namespace

const std::vector<EventGraph>& EventData::operator[](Split split) const {
  return splits[split == Split::train ? 0 : split == Split::valid ? 1 : 2];
}

std::vector<EventGraph>& EventData::operator[](Split split) {
  return splits[split == Split::train ? 0 : split == Split::valid ? 1 : 2];
}

Result<EventData> load_events(const fs::path& path, const EventNames& known,
                              const Observer& observer) {
  EventData data;
  data.name = fs::path(path / "").parent_path().filename().string();
  data.source = path.string();
  formats::EventReading reading;
  reading.names = known;
  if (fs::is_directory(path)) {
    if (!file_of(path, Split::train)) {
      return fail("the folder has no train.jsonl", path.string(),
                  "put train.jsonl, dev.jsonl and test.jsonl there, plain or gzip");
    }
    std::uint64_t done = 0;
    for (const Split split : {Split::train, Split::valid, Split::test}) {
      observer.report({"reading", done++, 3, "files", ""});
      if (const auto file = file_of(path, split)) {
        LERP_CHECK(read_split(*file, reading, data[split]));
      }
      if (split == Split::train) data.trained = reading.names.sizes();
    }
  } else {
    LERP_CHECK(read_split(path, reading, data[Split::train]));
    data.trained = reading.names.sizes();
  }
  data.names = std::move(reading.names);
  if (reading.cyclic > 0) {
    data.notes.push_back(fmt::format(
        "the order of {} graph{} goes in a circle (the first is '{}'): events on it stand last",
        thousands(reading.cyclic), reading.cyclic == 1 ? "" : "s", reading.first_cyclic));
  }
  if (reading.loose > 0) {
    data.notes.push_back(
        fmt::format("{} reference{} to what the document does not hold passed over",
                    thousands(reading.loose), reading.loose == 1 ? "" : "s"));
  }
  return data;
}

std::string fingerprint(const EventData& data) {
  Digest digest;
  const EventNames& names = data.names;
  for (const Vocabulary* list : {&names.event_types, &names.entity_types, &names.roles,
                                 &names.relations, &names.scenarios}) {
    const std::string own = fingerprint(*list);
    digest.add(own.data(), own.size());
  }
  for (const std::vector<EventGraph>& graphs : data.splits) {
    const std::uint64_t count = graphs.size();
    digest.add(&count, sizeof(count));
    for (const EventGraph& graph : graphs) {
      digest.add(&graph.scenario, sizeof(graph.scenario));
      digest.add(graph.events);
      digest.add(graph.entities);
      digest.add(graph.arguments);
      digest.add(graph.relations);
      digest.add(graph.order);
    }
  }
  return digest.text();
}

}  // namespace lerpp
