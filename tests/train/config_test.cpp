// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/train/run.hpp>

#include "base/run_folder.hpp"
#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::sentence;
using test::TemporaryFolder;

TEST(Config, DefaultsAreInRange) {
  EXPECT_EQ(sentence(check_options(TrainOptions{})), "");
  ASSERT_TRUE(preset("paper", {}));
  EXPECT_EQ(sentence(check_options(*preset("paper", {}))), "");
  EXPECT_EQ(sentence(preset("papers", {})),
            "there is no preset 'papers': choose one of paper, default, best");
}

TEST(Config, PresetsCountAllKnownFacts) {
  Dataset dataset;
  for (int i = 0; i < 1500; ++i) dataset.entities.intern(std::to_string(i));
  const auto chosen = [&](std::size_t facts, std::size_t train) {
    dataset[Split::facts].assign(facts, Fact{});
    dataset[Split::train].assign(train, Fact{});
    return options_to_json(preset("default", dataset).value());
  };
  EXPECT_EQ(chosen(15'000, 5'000), chosen(0, 20'000));  // rich
  EXPECT_EQ(chosen(10'000, 5'000), chosen(0, 15'000));  // thin
  EXPECT_NE(chosen(0, 20'000), chosen(0, 15'000));
}

TEST(Config, PathsAreShorterWhereEverythingIsLinked) {
  const auto length = [](int entities, std::size_t facts) {
    Dataset dataset;
    for (int i = 0; i < entities; ++i) dataset.entities.intern(std::to_string(i));
    dataset[Split::train].assign(facts, Fact{});
    return preset("default", dataset).value().evidence.path_length;
  };
  EXPECT_EQ(length(14, 1'592), 2U);
  EXPECT_EQ(length(104, 8'544), 3U);
  EXPECT_EQ(length(135, 1'959), 3U);
}

TEST(Config, LargeGraphsHaveFewerLanes) {
  const auto lanes = [](int entities) {
    Dataset dataset;
    for (int i = 0; i < entities; ++i) dataset.entities.intern(std::to_string(i));
    dataset[Split::train].assign(1, Fact{});
    return preset("default", dataset).value().train.lanes;
  };
  EXPECT_EQ(lanes(41'000), 64U);
  EXPECT_EQ(lanes(50'000), 64U);
  EXPECT_EQ(lanes(100'000), 32U);
  EXPECT_EQ(lanes(1'000'000), 8U);
}

TEST(Config, SmallGraphsOfManyFactsHaveFewerEpochs) {
  const auto epochs = [](const char* name, std::size_t facts) {
    Dataset dataset;
    for (int i = 0; i < 100; ++i) dataset.entities.intern(std::to_string(i));
    dataset[Split::train].assign(facts, Fact{});
    return preset(name, dataset).value().train.epochs;
  };
  EXPECT_EQ(epochs("default", 100), 6U);
  EXPECT_EQ(epochs("default", 2'000), 6U);
  EXPECT_EQ(epochs("default", 3'200), 3U);
  EXPECT_EQ(epochs("default", 90'000), 2U);
  EXPECT_EQ(epochs("best", 3'200), 6U);
}

TEST(Config, ManyRelationsAreNotAskedMoreInAll) {
  // As many facts of relation r as counts[r].
  const auto asked = [](const std::vector<std::uint32_t>& counts) {
    Dataset dataset;
    for (int i = 0; i < 40'000; ++i) dataset.entities.intern(std::to_string(i));
    for (RelationId relation = 0; relation < counts.size(); ++relation) {
      dataset.relations.intern("r" + std::to_string(relation));
      dataset[Split::train].insert(dataset[Split::train].end(), counts[relation],
                                   Fact{0, relation, 1});
    }
    return preset("default", dataset).value().train.queries;
  };
  EXPECT_EQ(asked({30'000, 30'000, 10}), 4'000U);
  EXPECT_EQ(asked(std::vector<std::uint32_t>(200, 1'000)), 250U);
  // Of 50,000 facts forty small relations take 10,000, and twenty large ones share the others.
  std::vector<std::uint32_t> counts(40, 250);
  counts.insert(counts.end(), 20, 20'000);
  EXPECT_EQ(asked(counts), 2'000U);
}

Result<void> save_config(const RunConfig& config, const std::filesystem::path& path) {
  return write_file(
      path, config_to_toml(RunKind::rules, {config.data, config.fingerprint}, config.options));
}

RC_GTEST_PROP(Config, ComesBackFromItsFile, ()) {
  RunConfig config;
  config.data = "/data/\"odd\"\t\\name " + *rc::gen::string<std::string>().as("name");
  config.fingerprint = "0123456789abcdef";
  // Any value in range, of whatever type.
  TrainOptions::fields(config.options, [](const Field& field, auto& value) {
    using Value = std::decay_t<decltype(value)>;
    const double at = *rc::gen::inRange(0, 1001) / 1000.0;
    if constexpr (std::is_same_v<Value, std::string>) {
      const auto count = std::ranges::find(field.choices, "") - field.choices.begin();
      value = field.choices[*rc::gen::inRange<std::size_t>(0, static_cast<std::size_t>(count))];
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = *rc::gen::arbitrary<bool>();
    } else {
      value = static_cast<Value>(field.min + at * at * (field.max - field.min));
    }
  });
  const TemporaryFolder folder;
  // A path of any bytes is too much to ask of a text file; what is UTF-8 comes back.
  if (Json(config.data.string()).dump(-1, ' ', false, Json::error_handler_t::replace) !=
      Json(config.data.string()).dump(-1, ' ', false, Json::error_handler_t::ignore)) {
    config.data = "/data";
  }
  RC_ASSERT(sentence(save_config(config, folder / "config.toml")) == "");
  const Result<RunConfig> loaded = load_config(folder / "config.toml");
  RC_ASSERT(sentence(loaded) == "");
  RC_ASSERT(loaded->data == config.data);
  RC_ASSERT(loaded->fingerprint == config.fingerprint);
  RC_ASSERT(options_to_json(loaded->options) == options_to_json(config.options));
}

TEST(Config, KeepsAnyPath) {
  const TemporaryFolder folder;
  RunConfig config;
  std::string path = "/data/ünï \U0001F600";
  for (char byte = 1; byte < 0x7F; ++byte) path += byte;
  config.data = path + "\x7F\x7F";
  ASSERT_TRUE(save_config(config, folder / "config.toml"));
  const Result<RunConfig> loaded = load_config(folder / "config.toml");
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->data, config.data);
}

/// What is said of a file with this content.
std::string blame(std::string_view content) {
  const TemporaryFolder folder;
  return sentence(load_config(folder.put("c.toml", content)), folder.path().string());
}

TEST(Config, TellsMistakesWithTheirLine) {
  EXPECT_EQ(blame("[rules]\nlenght = 3\n"),
            "there is no option 'rules.lenght' (c.toml, line 2): did you mean rules.length?");
  EXPECT_EQ(blame("[train]\nseed = 1\nbach = 3\n"),
            "there is no option 'train.bach' (c.toml, line 3): did you mean train.batch?");
  EXPECT_EQ(blame("[rules]\nlength = 17\n"),
            "rules.length is 17 (c.toml, line 2): give a value from 0 to 16");
  EXPECT_EQ(blame("[rules]\nlength = \"long\"\n"),
            "rules.length is 'long' (c.toml, line 2): give a number from 0 to 16");
  EXPECT_EQ(blame("[rules]\nlength = 2.5\n"),
            "rules.length is '2.5' (c.toml, line 2): give a number from 0 to 16");
  EXPECT_EQ(blame("[rules]\nlength = -1\n"),
            "rules.length is '-1' (c.toml, line 2): give a number from 0 to 16");
  EXPECT_EQ(blame("[rules]\nlength = [1, 2]\n"),
            "rules.length is not a single value (c.toml, line 2): give a number, a text or true or "
            "false");
  EXPECT_EQ(blame("[train]\nrate = nan\n"),
            "train.rate is nan (c.toml, line 2): give a value from 1e-09 to 100");
  EXPECT_EQ(blame("[train]\non_valid = 1\n"),
            "train.on_valid is '1' (c.toml, line 2): give true or false");
  EXPECT_EQ(blame("[train]\nschedule = \"steep\"\n"),
            "train.schedule is 'steep' (c.toml, line 2): give one of constant|linear|cosine");
  EXPECT_EQ(blame("rules = 3\n"),
            "'rules' stands outside of any section (c.toml, line 1): put it below a line such as "
            "[train]");
  EXPECT_NE(blame("[rules\n").find("this is not TOML, "), std::string::npos);
  EXPECT_NE(blame("[rules\n").find("(c.toml, line 1): correct the line"), std::string::npos);
  EXPECT_NE(blame("[rules]\nlength = 2\nlength = 3\n").find("line 3"), std::string::npos);
  EXPECT_EQ(blame(""), "");
}

TEST(Config, ChangesOnlyWhatItMentions) {
  const TemporaryFolder folder;
  TrainOptions defaults;
  defaults.rules.length = 7;
  defaults.train.rate = 0.5;
  const Result<RunConfig> loaded =
      load_config(folder.put("c.toml", "[train]\nrate = 1\n"), defaults);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->options.rules.length, 7U);
  EXPECT_EQ(loaded->options.train.rate, 1);
  EXPECT_NE(sentence(load_config(folder / "nowhere.toml")).find("nowhere.toml"), std::string::npos);
}

TEST(Options, AreSetByName) {
  TrainOptions options;
  ASSERT_TRUE(set_option(options, "rules.length", "4"));
  ASSERT_TRUE(set_option(options, "train.rate", "1e-3"));
  ASSERT_TRUE(set_option(options, "train.schedule", "cosine"));
  ASSERT_TRUE(set_option(options, "train.on_valid", "true"));
  EXPECT_EQ(options.rules.length, 4U);
  EXPECT_EQ(options.train.rate, 1e-3);
  EXPECT_EQ(options.train.schedule, "cosine");
  EXPECT_TRUE(options.train.on_valid);
  for (const char* wrong : {"", " 4", "4 ", "four", "4x", "-1", "99999999999999999999", "17"}) {
    const Result<void> set = set_option(options, "rules.length", wrong);
    ASSERT_FALSE(set) << wrong;
    EXPECT_EQ(set.error().kind, ErrorKind::usage);
  }
  EXPECT_EQ(sentence(set_option(options, "rule.length", "3")),
            "there is no option 'rule.length': did you mean rules.length?");
}

TEST(Options, ThatWereRemovedAreToldUnlessIdle) {
  TrainOptions options;
  EXPECT_EQ(sentence(set_option(options, "train.clip", "0")),
            "there is no option 'train.clip' any more, since it gave nothing: leave it out");
  EXPECT_EQ(
      blame("[train]\nclip = 0.5\n"),
      "there is no option 'train.clip' any more, since it gave nothing (c.toml, line 2): leave it "
      "out");
  // As a run of before has them.
  EXPECT_EQ(blame("[evidence]\npairs = 0\n[train]\ngrowth = 1\nclip = 0\ndropout = 0\n"), "");
}

TEST(Options, AreResolvedByTheSizeOfTheGraph) {
  const auto resolved = [](int entities) {
    Dataset dataset;
    for (int i = 0; i < entities; ++i) dataset.entities.intern(std::to_string(i));
    const Result<ResolvedOptions> options = resolve(dataset, OptionRequest{.preset = "paper"});
    EXPECT_TRUE(options);
    EXPECT_GT((*options)->train.threads, 0U);
    return std::pair((*options)->rules.count, (*options)->train.epochs);
  };
  EXPECT_EQ(resolved(100), std::pair(200U, 10U));
  EXPECT_EQ(resolved(3000), std::pair(4U, 10U));
  EXPECT_EQ(resolved(20'000), std::pair(4U, 4U));
}

TEST(Options, TheLaterOfThemWin) {
  const TemporaryFolder folder;
  OptionRequest request{.preset = "paper"};
  const auto resolved = [&] {
    const Result<ResolvedOptions> options = resolve(Dataset{}, request);
    EXPECT_TRUE(options) << to_string(options.error());
    return options ? **options : TrainOptions{};
  };
  EXPECT_EQ(resolved().rules.length, 3U);
  request.config = folder.put("c.toml", "[rules]\nlength = 4\n[train]\nseed = 4\nthreads = 1\n");
  EXPECT_EQ(resolved().rules.length, 4U);
  request.settings = {"rules.length=5", "train.seed=5"};
  EXPECT_EQ(resolved().rules.length, 5U);
  EXPECT_EQ(resolved().train.seed, 5U);
  EXPECT_EQ(resolved().train.threads, 1U);
  EXPECT_FALSE(resolved().train.on_valid);
  request.seed = 6;
  request.threads = usable_cores() + 7;
  request.on_valid = true;
  EXPECT_EQ(resolved().train.seed, 6U);
  EXPECT_EQ(resolved().train.threads, usable_cores());
  EXPECT_TRUE(resolved().train.on_valid);
  request.threads = exactly(usable_cores() + 7);
  EXPECT_EQ(worker_count(resolved().train.threads), usable_cores() + 7);
}

TEST(Options, AreCheckedHoweverTheyCome) {
  const auto said = [](const OptionRequest& request) {
    return sentence(resolve(Dataset{}, request));
  };
  const std::string summed =
      "evidence.* is added to evidence, and the rules are summed: set rules.readout=evidence, or "
      "evidence.* to 0 and false";
  EXPECT_EQ(said({.preset = "papers"}),
            "there is no preset 'papers': choose one of paper, default, best");
  EXPECT_EQ(said({.preset = "paper", .settings = {"evidence.prior=true"}}), summed);
  EXPECT_EQ(said({.settings = {"rules.readout=sum"}}), summed);
  EXPECT_EQ(said({.settings = {"rules.length=17"}}),
            "rules.length is 17: give a value from 0 to 16");
  EXPECT_EQ(said({.threads = 2000}), "train.threads is 2000: give a value from 0 to 1024");
  TrainOptions options;
  options.evidence.constants = true;
  EXPECT_EQ(sentence(resolve(Dataset{}, options)), summed);
}

}  // namespace
}  // namespace lerpp
