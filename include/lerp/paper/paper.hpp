// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>

/// Every experiment of the paper from one call: its tables and figures with our figures beside the
/// published ones. See docs/paper.md.
namespace lerpp {

struct PaperOptions {
  std::string only;
  std::uint32_t seeds = 3;
  bool quick = false;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"only", "parts to make, separated by commas; all where left out"}, self.only);
    visit(Field{"seeds", "runs of each measurement, with seeds 1, 2, ...", 1, 1000}, self.seeds);
    visit(Field{"quick", "one seed and small models: a look at everything in minutes, no result"},
          self.quick);
    visit(Field{"threads", "how many threads to use; 0 is one for each core", 0, 1024},
          self.threads);
  }
};

/// A table or a figure of the paper, made again.
struct PaperPart {
  struct Table {
    std::string caption;
    std::vector<std::string> heads;
    std::vector<std::vector<std::string>> rows;
  };
  struct Picture {
    std::string name;  ///< of the file, without its ending
    std::string caption;
    std::string svg;
  };

  std::string item;     ///< "table2"
  std::string title;    ///< "Table 2: Kinship and UMLS"
  std::string verdict;  ///< one sentence
  std::string command;  ///< that makes this part alone
  std::vector<std::string> notes;
  std::vector<Table> tables;
  std::vector<Picture> pictures;
  std::vector<Json> rows;  ///< of paper.json
};

struct Paper {
  std::string root;  ///< the folder of the datasets, as it was given
  PaperOptions options;
  std::vector<PaperPart> parts;
  std::vector<std::string> left_out;   ///< "wn18 is not in data"
  std::vector<std::string> not_asked;  ///< titles of the parts that --only leaves out
};

/// The parts that --only may name, each with its title.
std::vector<std::pair<std::string, std::string>> paper_items();

/// Makes what is missing and writes paper.json, paper.md, paper.html and the pictures into the
/// folder. Measurements are kept there one by one: after an interruption the same call goes on, in
/// the middle of a training where it was one. A dataset that the root does not hold is left out,
/// and named. `say` hears of every measurement.
Result<Paper> make_paper(const std::filesystem::path& root, const std::filesystem::path& folder,
                         const PaperOptions& options, const Observer& observer = {},
                         const std::function<void(const std::string&)>& say = {});

/// The list of rows.
Json to_json(const Paper& paper);
std::string to_markdown(const Paper& paper);
std::string to_html(const Paper& paper);
/// The verdicts.
std::string to_text(const Paper& paper);

}  // namespace lerpp
