// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include <lerp/base/files.hpp>
#include <lerp/kg/dataset.hpp>

#include "kg/terms.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t report_facts = std::size_t{1} << 18;

Error cannot_write(std::string_view name, std::string_view why, std::string remedy) {
  std::string shown;
  formats::write_literal(name.substr(0, 80), shown);
  return {fmt::format("the name {} {}", shown, why), "", std::move(remedy)};
}

/// What a stopped call says; asked for each number, it looks only now and then.
Result<void> go_on(std::uint64_t number, const Observer& observer) {
  constexpr std::uint64_t numbers_per_look = 1 << 12;
  if (number % numbers_per_look != 0 || !observer.stopped()) return {};
  return fail_stopped("writing");
}

/// What no format holds: an empty name, or bytes that are no text.
Result<void> check_names(const Vocabulary& names, WriteFormat format, const Observer& observer) {
  for (Vocabulary::Id id = 0; id < names.size(); ++id) {
    LERP_CHECK(go_on(id, observer));
    const std::string_view name = names.name(id);
    if (name.empty()) {
      return fail(fmt::format("the name of number {} is empty", id), "", "give it a name");
    }
    if (!simdjson::validate_utf8(name.data(), name.size())) {
      return fail(fmt::format("the name of number {} is not valid UTF-8", id), "",
                  "convert the names to UTF-8");
    }
    if (format == WriteFormat::tsv && name.find_first_of("\t\n\r") != std::string_view::npos) {
      return tl::unexpected(
          cannot_write(name, "holds a tab or a line end", "write N-Triples, which can hold it"));
    }
  }
  return {};
}

template <class Texts>
Result<void> check_texts(const Texts& texts) {
  for (const auto& [id, text] : texts) {
    if (simdjson::validate_utf8(text.data(), text.size())) continue;
    return fail(fmt::format("the text of number {} is not valid UTF-8", id), "",
                "convert the texts to UTF-8");
  }
  return {};
}

/// Writes whole lines and watches for interruptions.
class Writer {
 public:
  Writer(const Dataset& dataset, const fs::path& folder, const Observer& observer)
      : dataset_(dataset), folder_(folder), observer_(observer) {
    for (const auto& facts : dataset.splits) total_ += facts.size();
  }

  Result<void> tsv() {
    for (const Split split : all_splits) {
      if (dataset_[split].empty()) continue;
      LERP_CHECK(facts(split, ".txt", [&](const Fact& fact, std::string& line) {
        line += dataset_.entities.name(fact.subject);
        line += '\t';
        line += dataset_.relations.name(fact.relation);
        line += '\t';
        line += dataset_.entities.name(fact.object);
        line += '\n';
      }));
    }
    LERP_CHECK(names("entities.txt", dataset_.entities));
    LERP_CHECK(names("relations.txt", dataset_.relations));
    LERP_CHECK(texts("entity2text.txt", dataset_.entities, dataset_.entity_texts));
    return texts("relation2text.txt", dataset_.relations, dataset_.relation_texts);
  }

  Result<void> ntriples() {
    using formats::TermPlace;
    using formats::write_term;
    for (const Split split : all_splits) {
      if (dataset_[split].empty()) continue;
      LERP_CHECK(facts(split, ".nt", [&](const Fact& fact, std::string& line) {
        write_term(dataset_.entities.name(fact.subject), TermPlace::subject, line);
        line += ' ';
        write_term(dataset_.relations.name(fact.relation), TermPlace::predicate, line);
        line += ' ';
        write_term(dataset_.entities.name(fact.object), TermPlace::object, line);
        line += " .\n";
      }));
    }
    return {};
  }

 private:
  template <class Spell>
  Result<void> facts(Split split, std::string_view ending, Spell&& spell) {
    LERP_TRY(file, AtomicFile::create(folder_ / fmt::format("{}{}", name_of(split), ending)));
    std::string line;
    bool first = true;
    const std::vector<Fact>& facts = dataset_[split];
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (done_ % report_facts == 0) observer_.report({"writing", done_, total_, "facts", ""});
      LERP_CHECK(go_on(done_++, observer_));
      prefetch(facts, i);
      line.clear();
      spell(facts[i], line);
      // A name may start with what looks like a byte order mark: then it needs one more.
      if (std::exchange(first, false) && line.starts_with(mark)) file.write(mark);
      file.write(line);
    }
    if (ending == ".nt" && split == Split::train) {
      LERP_CHECK(labels(file, dataset_.entities, dataset_.entity_texts));
      LERP_CHECK(labels(file, dataset_.relations, dataset_.relation_texts));
    }
    return file.commit();
  }

  /// Has the names of the facts to come on their way.
  void prefetch(const std::vector<Fact>& facts, std::size_t place) const {
    constexpr std::size_t ahead = 16;
    const Vocabulary& names = dataset_.entities;
    if (place + 2 * ahead >= facts.size()) return;
    names.prefetch_start(facts[place + 2 * ahead].subject);
    names.prefetch_start(facts[place + 2 * ahead].object);
    names.prefetch_name(facts[place + ahead].subject);
    names.prefetch_name(facts[place + ahead].object);
  }

  Result<void> names(std::string_view name, const Vocabulary& names) {
    LERP_TRY(file, AtomicFile::create(folder_ / name));
    for (Vocabulary::Id id = 0; id < names.size(); ++id) {
      LERP_CHECK(go_on(id, observer_));
      if (id == 0 && names.name(id).starts_with(mark)) file.write(mark);
      file.write(names.name(id));
      file.write("\n");
    }
    return file.commit();
  }

  /// In the order of ids, so that the same dataset gives the same bytes.
  template <class Texts>
  Result<void> texts(std::string_view name, const Vocabulary& names, const Texts& texts) {
    if (texts.empty()) return {};
    LERP_TRY(file, AtomicFile::create(folder_ / name));
    bool first = true;
    for (Vocabulary::Id id = 0; id < names.size(); ++id) {
      LERP_CHECK(go_on(id, observer_));
      const auto text = texts.find(id);
      if (text == texts.end()) continue;
      std::string line = fmt::format("{}\t{}", names.name(id), text->second);
      // A text is for people: it does without its line ends.
      for (char& c : line) {
        if (c == '\n' || c == '\r') c = ' ';
      }
      if (std::exchange(first, false) && line.starts_with(mark)) file.write(mark);
      file.write(line);
      file.write("\n");
    }
    return file.commit();
  }

  template <class Texts>
  Result<void> labels(AtomicFile& file, const Vocabulary& names, const Texts& texts) const {
    for (Vocabulary::Id id = 0; id < names.size(); ++id) {
      LERP_CHECK(go_on(id, observer_));
      const auto text = texts.find(id);
      if (text == texts.end()) continue;
      std::string line;
      formats::write_term(names.name(id), formats::TermPlace::subject, line);
      line += fmt::format(" <{}> ", formats::rdfs_label);
      formats::write_literal(text->second, line);
      line += " .\n";
      file.write(line);
    }
    return {};
  }

  static constexpr std::string_view mark = "\xEF\xBB\xBF";
  const Dataset& dataset_;
  const fs::path& folder_;
  const Observer& observer_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

Result<void> write_dataset(const Dataset& dataset, const fs::path& folder, WriteFormat format,
                           const Observer& observer) {
  LERP_CHECK(check_names(dataset.entities, format, observer));
  LERP_CHECK(check_names(dataset.relations, format, observer));
  LERP_CHECK(check_texts(dataset.entity_texts));
  LERP_CHECK(check_texts(dataset.relation_texts));
  LERP_TRY(staged, StagedFolder::create(folder));
  Writer writer(dataset, staged.path(), observer);
  LERP_CHECK(format == WriteFormat::tsv ? writer.tsv() : writer.ntriples());
  return staged.commit();
}

}  // namespace lerpp
