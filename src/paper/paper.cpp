// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <system_error>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/paper/paper.hpp>

#include "paper/parts.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

struct Maker {
  const char* item;
  const char* title;
  Result<Measurements> (*plan)(Workshop&);
  Result<PaperPart> (*make)(Workshop&);
};

constexpr std::array makers = {
    Maker{"table1", "Table 1: Family, WN18 and WN18RR", plan_table1, make_table1},
    Maker{"table2", "Table 2: Kinship and UMLS", plan_table2, make_table2},
    Maker{"table3", "Table 3: rules", plan_table3, make_table3},
    Maker{"table4", "Table 4: functions", plan_table4, make_table4},
    Maker{"figure3", "Figure 3: the space of the functions", plan_figure3, make_figure3},
    Maker{"figure4a", "Figure 4a: depth", plan_figure4a, make_figure4a},
    Maker{"figure4b", "Figure 4b: width", plan_figure4b, make_figure4b},
    Maker{"figure4c", "Figure 4c: length", plan_figure4c, make_figure4c},
    Maker{"figure5", "Figure 5 and Table 5: TransE with functions", plan_figure5, make_figure5},
    Maker{"cost", "Time, parameters and Theorem 1", plan_cost, make_cost},
    Maker{"events", "Appendix: event graphs", plan_events, make_events},
};

/// Whether a part is asked for: "figure4" stands for all that begin so.
bool is_wanted(std::string_view item, const std::vector<std::string>& only) {
  if (only.empty()) return true;
  return std::any_of(only.begin(), only.end(),
                     [&](const std::string& name) { return item.starts_with(name); });
}

Result<std::vector<std::string>> names_of(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    std::string name(list.substr(0, list.find(',')));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    if (name.empty()) continue;
    const bool known = std::any_of(makers.begin(), makers.end(), [&](const Maker& maker) {
      return std::string_view(maker.item).starts_with(name);
    });
    if (!known) {
      std::string all;
      for (const Maker& maker : makers)
        all += fmt::format("{}{}", all.empty() ? "" : ", ", maker.item);
      return fail(fmt::format("there is no part '{}'", name), "--only", "choose of " + all,
                  ErrorKind::usage);
    }
    names.push_back(std::move(name));
  }
  return names;
}

Result<void> write(const Paper& paper, const fs::path& folder) {
  for (const PaperPart& part : paper.parts) {
    for (const PaperPart::Picture& picture : part.pictures)
      LERP_CHECK(write_file(folder / (picture.name + ".svg"), picture.svg));
  }
  LERP_CHECK(write_file(folder / "paper.json", to_json(paper).dump(2) + "\n"));
  LERP_CHECK(write_file(folder / "paper.md", to_markdown(paper)));
  return write_file(folder / "paper.html", to_html(paper));
}

std::string command_of(const Paper& paper, const fs::path& folder, const char* item) {
  return fmt::format(
      "lerp paper {} --out {} --only {}{}", paper.root, folder.string(), item,
      paper.options.quick ? " --quick" : fmt::format(" --seeds {}", paper.options.seeds));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> paper_items() {
  std::vector<std::pair<std::string, std::string>> items;
  items.reserve(makers.size());
  for (const Maker& maker : makers) items.emplace_back(maker.item, maker.title);
  return items;
}

Result<Paper> make_paper(const fs::path& root, const fs::path& folder, const PaperOptions& options,
                         const Observer& observer,
                         const std::function<void(const std::string&)>& say) {
  LERP_CHECK(check_options(options));
  LERP_TRY(only, names_of(options.only));
  std::error_code code;
  if (!fs::is_directory(root, code)) {
    return fail("there is no such folder", root.string(),
                "give the folder that holds the datasets family, kinship, umls, ...");
  }
  fs::create_directories(folder, code);
  const Result<FileLock> lock = FileLock::take(folder);
  if (!lock) return tl::unexpected<Error>(lock.error());
  Workshop workshop(root, folder, options, observer, say);
  Measurements wanted;
  for (const Maker& maker : makers) {
    if (!is_wanted(maker.item, only)) continue;
    LERP_TRY(measurements, maker.plan(workshop));
    for (Measurement& one : measurements) wanted.push_back(std::move(one));
  }
  LERP_CHECK(workshop.measure(std::move(wanted)));
  Paper paper;
  paper.root = root.string();
  paper.options = options;
  for (const Maker& maker : makers) {
    if (!is_wanted(maker.item, only)) {
      paper.not_asked.emplace_back(maker.title);
      continue;
    }
    LERP_TRY(part, maker.make(workshop));
    part.item = maker.item;
    part.title = maker.title;
    part.command = command_of(paper, folder, maker.item);
    paper.parts.push_back(std::move(part));
  }
  paper.left_out = workshop.left_out();
  LERP_CHECK(write(paper, folder));
  return paper;
}

}  // namespace lerpp
