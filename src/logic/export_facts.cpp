// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/logic/export.hpp>

#include "logic/export_writer.hpp"

namespace lerpp {
namespace {

constexpr std::size_t report_facts = std::size_t{1} << 18;

/// Entries of one kind, gathered into statements.
class Statements {
 public:
  Statements(AtomicFile& file, std::size_t group, std::string_view open, std::string_view separator,
             std::string_view close)
      : file_(file), group_(group), open_(open), separator_(separator), close_(close) {}

  template <class Spell>
  void add(Spell&& spell) {
    line_ = count_ == 0 ? open_ : separator_;
    spell(line_);
    file_.write(line_);
    if (++count_ == group_) finish();
  }
  void finish() {
    if (count_ > 0) file_.write(close_);
    count_ = 0;
  }

 private:
  AtomicFile& file_;
  std::size_t group_;
  std::string_view open_;
  std::string_view separator_;
  std::string_view close_;
  std::size_t count_ = 0;
  std::string line_;
};

}  // namespace

Result<void> export_facts(const Dataset& dataset, ExportFormat format,
                          const std::filesystem::path& path, const Observer& observer) {
  LERP_CHECK(check_fact_names(dataset, format));
  const ExportWriter::Facts& layout = writer_of(format).facts;
  LERP_TRY(file, AtomicFile::create(path));
  file.write(layout.start);
  if (layout.entity != nullptr) {
    Statements entities(file, layout.group, layout.open_entities, layout.separator,
                        layout.close_entities);
    for (EntityId id = 0; id < dataset.entities.size(); ++id) {
      entities.add([&](std::string& out) { layout.entity(dataset.entities.name(id), out); });
    }
    entities.finish();
  }
  file.write(layout.between);
  const std::size_t total = dataset[Split::facts].size() + dataset[Split::train].size();
  std::size_t done = 0;
  Statements facts(file, layout.group, layout.open_facts, layout.separator, layout.close_facts);
  for (const Split split : {Split::facts, Split::train}) {
    for (const Fact& fact : dataset[split]) {
      if (done++ % report_facts == 0) {
        observer.report({"writing", done - 1, total, "facts", ""});
        if (observer.stopped()) return fail_stopped("writing", path.string());
      }
      facts.add([&](std::string& out) {
        layout.fact(dataset.entities.name(fact.subject), dataset.relations.name(fact.relation),
                    dataset.entities.name(fact.object), out);
      });
    }
  }
  facts.finish();
  file.write(layout.end);
  return file.commit();
}

}  // namespace lerpp
