// SPDX-License-Identifier: Apache-2.0
#include "model/model_file.hpp"

#include <bit>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/model_files.hpp"
#include "support/unsummed.hpp"

namespace lerpp {
namespace {

Model model_of(const ModelShape& shape) {
  Model model;
  for (RelationId relation = 0; relation < shape.relations; ++relation) {
    model.relations.push_back("relation " + std::to_string(relation));
  }
  model.parameters = initial_parameters<float>(shape, 7);
  return model;
}

std::string bytes_of(const Model& model) {
  const ScratchFolder folder;
  const Result<void> saved = save_model(model, folder / "model.safetensors");
  EXPECT_TRUE(saved) << to_string(saved.error());
  return slurp(folder / "model.safetensors");
}

Result<Model> parse(std::string bytes) {
  return parse_model(FileBytes(std::move(bytes)), "model.safetensors");
}

std::string error_of(std::string bytes) {
  const Result<Model> model = parse(std::move(bytes));
  return model ? "no error" : to_string(model.error());
}

/// What the file of a small model is blamed for once `from` in its header became `to`.
std::string blame(std::string_view from, std::string_view to) {
  const std::string file = bytes_of(model_of({2, 3, 2, 2, 2}));
  return error_of(raw_file(replaced(without_signature(header_of(file)), from, to), data_of(file)));
}

void expect_same(const Model& expected, const Model& actual) {
  EXPECT_EQ(expected.relations, actual.relations);
  EXPECT_EQ(expected.shape(), actual.shape());
  const auto before = expected.parameters.values();
  const auto after = actual.parameters.values();
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(before[i]), std::bit_cast<std::uint32_t>(after[i]));
  }
}

TEST(ModelFile, ComesBackBitForBit) {
  const ScratchFolder folder;
  for (const ModelShape& shape :
       {ModelShape{3, 4, 2, 2, 3}, ModelShape{1, 1, 1, 1, 1}, ModelShape{2, 1, 4, 3, 2},
        ModelShape{5, 80, 0, 4, 3}, ModelShape{2, 0, 0, 1, 1}, ModelShape{12, 80, 3, 4, 3}}) {
    Model model = model_of(shape);
    model.parameters.values()[0] = -0.0F;
    model.parameters.values()[1] = std::numeric_limits<float>::denorm_min();
    ASSERT_TRUE(save_model(model, folder / "deep/model.safetensors"));
    const Result<Model> loaded = load_model(folder / "deep/model.safetensors");
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    expect_same(model, *loaded);
    EXPECT_EQ(slurp(folder / "deep/model.safetensors"), bytes_of(*loaded));
  }
}

/// A model whose targets have some operators and paths each.
Model scoped_model() {
  ModelShape shape{2, 3, 1, 2, 2};
  shape.evidence = true;
  shape.prior = 1;
  shape.constants = 1;
  shape.paths = 2;
  const std::vector<std::vector<OperatorId>> operators = {{0, 2}, {0, 1, 2, 3}, {1}, {}};
  shape.scopes = Scopes(operators, std::vector<std::uint32_t>{2, 0, 1, 0});
  Model model = model_of(shape);
  std::vector<std::vector<RelationPath>> paths(4);
  paths[0] = {RelationPath{0, 1}, RelationPath{2}};
  paths[2] = {RelationPath{3}};
  model.paths = std::make_shared<PathTable>(2, 2, std::move(paths));
  return model;
}

TEST(ModelFile, ScopesComeBack) {
  const Model model = scoped_model();
  const std::string file = bytes_of(model);
  EXPECT_NE(header_of(file).find(R"("version":"4")"), std::string::npos);
  const Result<Model> loaded = parse(file);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  expect_same(model, *loaded);
  EXPECT_EQ(*model.paths, *loaded->paths);
  EXPECT_EQ(bytes_of(*loaded), file);
}

TEST(ModelFile, PlainRulesComeBack) {
  ModelShape shape{2, 3, 1, 5, 2};
  shape.plain = 3;
  const Model model = model_of(shape);
  const std::string file = bytes_of(model);
  EXPECT_NE(header_of(file).find(R"("version":"5")"), std::string::npos);
  const Result<Model> loaded = parse(file);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  expect_same(model, *loaded);
}

TEST(ModelFile, TellsDamagedScopes) {
  const std::string file = test::unsummed(bytes_of(scoped_model()));
  const auto blame_place = [&](std::uint64_t from, std::uint64_t to, std::size_t number) {
    // The number-th time that such a number stands among the scopes, which come last.
    std::string bytes = file;
    const auto find = [&](std::size_t at) {
      return bytes.find(std::string(reinterpret_cast<const char*>(&from), sizeof from), at);
    };
    std::size_t at = find(bytes.size() - (4 + 4 + 7) * sizeof from);
    while (number-- > 0) at = find(at + sizeof from);
    bytes.replace(at, sizeof to, reinterpret_cast<const char*>(&to), sizeof to);
    return error_of(bytes);
  };
  EXPECT_NE(blame_place(4, 9, 0).find("a target has more operators than there are"),
            std::string::npos);
  EXPECT_NE(blame_place(3, 4, 0).find("the operators of target 1 are out of order"),
            std::string::npos);
  EXPECT_NE(blame_place(2, std::uint64_t{1} << 40U, 0).find("more paths than there can be"),
            std::string::npos);
}

TEST(ModelFile, HasTheDocumentedHeader) {
  const std::string file = bytes_of(model_of({1, 1, 2, 1, 1}));
  const std::string header = header_of(file);
  EXPECT_EQ(header.size() % 8, 0U);
  const std::string plain = without_signature(header);
  EXPECT_EQ(plain.substr(0, plain.find_last_not_of(' ') + 1),
            R"({"__metadata__":{"format":"lerp-model","version":"1","width":"1","depth":"2",)"
            R"("rules":"1","length":"1","relations":"[\"relation 0\"]"},)"
            R"("alpha.1":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
            R"("alpha.2":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]},)"
            R"("p.2":{"dtype":"F32","shape":[1,6],"data_offsets":[16,40]},)"
            R"("beta_and.2":{"dtype":"F32","shape":[1,1],"data_offsets":[40,44]},)"
            R"("beta_or.2":{"dtype":"F32","shape":[1,1],"data_offsets":[44,48]},)"
            R"("a":{"dtype":"F32","shape":[2,1,1,3],"data_offsets":[48,72]},)"
            R"("rho":{"dtype":"F32","shape":[2,1,2,2],"data_offsets":[72,104]},)"
            R"("w":{"dtype":"F32","shape":[2,1],"data_offsets":[104,112]}})");
  EXPECT_EQ(data_of(file).size(), 112U);
}

TEST(ModelFile, KeepsAnyName) {
  Model model = model_of({4, 2, 1, 1, 1});
  model.relations = {"\"\\\n\t", "M\xC3\xBCtter \xF0\x9F\x8C\xB3", "not UTF-8: \xFF\xFE",
                     std::string("\0nul", 4)};
  const Result<Model> loaded = parse(bytes_of(model));
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  expect_same(model, *loaded);
}

TEST(ModelFile, KeepsAnEmbeddingAndWhoseItIs) {
  ModelShape shape{2, 3, 2, 2, 2};
  shape.evidence = true;
  shape.embedding = 4;
  shape.entities = 5;
  Model model = model_of(shape);
  model.entities = "0123456789abcdef";
  const std::string file = bytes_of(model);
  const Result<Model> loaded = parse(file);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  expect_same(model, *loaded);
  EXPECT_EQ(loaded->entities, model.entities);
  const auto blamed = [&](std::string_view from, std::string_view to) {
    return error_of(
        raw_file(replaced(without_signature(header_of(file)), from, to), data_of(file)));
  };
  EXPECT_NE(blamed("entity_names", "nobody_names").find("the metadata has no \"entity_names\""),
            std::string::npos);
  EXPECT_NE(blamed(R"("evidence":"1")", R"("evidence":"0")").find("rules that are summed"),
            std::string::npos);
  EXPECT_NE(blamed(R"("entities":"5")", R"("entities":"0")").find("entities is \"0\""),
            std::string::npos);
  EXPECT_NE(blamed(R"("embedding":"4")", R"("embedding":"0")").find("is none of this model"),
            std::string::npos);
  // Without the embedding nothing of it is left.
  const Model rules = without_embedding(model);
  EXPECT_EQ(rules.entities, "");
  EXPECT_EQ(rules.shape().entities, 0U);
  EXPECT_EQ(bytes_of(rules).find("entity"), std::string::npos);
}

TEST(ModelFile, SaysThatRulesWithoutAPathAreGone) {
  ModelShape shape{2, 3, 2, 2, 2};
  shape.evidence = true;
  const std::string file = bytes_of(model_of(shape));
  const std::string header = replaced(without_signature(header_of(file)), R"("evidence":"1")",
                                      R"("evidence":"1","pairs":"5")");
  EXPECT_NE(error_of(raw_file(header, data_of(file))).find("which an early lerp learned"),
            std::string::npos);
  EXPECT_NE(error_of(raw_file(replaced(replaced(without_signature(header_of(file)),
                                                R"("evidence":"1")", R"("evidence":"0")"),
                                       R"("constants":"0")", R"("constants":"1")"),
                              data_of(file)))
                .find("rules that are summed"),
            std::string::npos);
}

TEST(ModelFile, IgnoresUnknownMetadata) {
  EXPECT_EQ(blame("\"format\"", "\"dataset\":\"family\",\"format\""), "no error");
}

TEST(ModelFile, TellsForeignFiles) {
  EXPECT_EQ(error_of(raw_file("{}", "")),
            "this safetensors file holds no lerp model (model.safetensors): give the "
            "model.safetensors of a run");
  EXPECT_NE(blame("lerp-model", "other").find("holds no lerp model"), std::string::npos);
  EXPECT_NE(error_of("anna\taunt\tben\n").find("this is no safetensors file"), std::string::npos);
  EXPECT_NE(error_of("").find("the file is empty (model.safetensors)"), std::string::npos);
}

TEST(ModelFile, TellsNewerFiles) {
  EXPECT_EQ(blame(R"("version":"1")", R"("version":"6")"),
            "version 6 of the format, which an early lerp wrote, is newer than this program "
            "(model.safetensors): "
            "get a lerp newer than 0.1.0");
}

TEST(ModelFile, TellsDamagedHeaders) {
  struct Case {
    const char* from;
    const char* to;
    const char* sentence;
  };
  const std::vector<Case> cases = {
      {R"("version":"1",)", "", "the metadata has no \"version\""},
      {R"("version":"1")", R"("version":"0")", "version is \"0\", which is no number from 1 on"},
      {R"("version":"1")", R"("version":"one")", "version is \"one\""},
      {R"("width":"3",)", "", "the metadata has no \"width\""},
      {R"("width":"3")", R"("width":"0")", "width is \"0\""},
      {R"("width":"3")", R"("width":"-3")", "width is \"-3\""},
      {R"("width":"3")", R"("width":"3 ")", "width is \"3 \""},
      {R"("width":"3")", R"("width":"99999999999")", "width is \"99999999999\""},
      {R"("width":"3")", R"("width":"4294967295")",
       "the tensor \"alpha.1\" has the shape [3, 4] instead of [4294967295, 4]"},
      {R"("depth":"2")", R"("depth":"4294967295")", "depth is 4294967295, but there are 8 tensors"},
      {R"("depth":"2")", R"("depth":"3")", "the tensor \"alpha.3\" is missing"},
      {R"("depth":"2")", R"("depth":"1")", "the tensor \"alpha.2\" is none of this model"},
      {R"("rules":"2")", R"("rules":"4294967295")",
       "the tensor \"a\" has the shape [4, 2, 2, 5] instead of [4, 4294967295, 2, 5]"},
      {R"("rules":"2")", R"("rules":"0")", "rules is \"0\""},
      {R"("length":"2")", R"("length":"0")", "length is \"0\""},
      {R"("length":"2")", R"("length":"4294967295")", "instead of [4, 2, 4294967295, 5]"},
      {R"("relations":)", R"("names":)", "the metadata has no list of relations"},
      {R"([\"relation 0\",\"relation 1\"])", "[]", "the metadata has no list of relations"},
      {R"([\"relation 0\",)", R"([)",
       "there are 1 names of relations, but weights for 4 targets instead of 2"},
      {R"([\"relation 0\",)", R"([7,)", "relation 0 has no name"},
      {R"([\"relation 0\",)", R"([[256],)", "relation 0 has no name"},
      {R"(\"relation 1\"])", R"(\"relation 1\")", "the metadata has no list of relations"},
      {"relation 0", "relation 1", "two relations are named \"relation 1\""},
      {R"("w":)", R"("v":)", "the tensor \"w\" is missing"},
      {R"("p.2":)", R"("p.3":)", "the tensor \"p.2\" is missing"},
      {R"([3,6])", R"([6,3])", "the tensor \"p.2\" has the shape [6, 3] instead of [3, 6]"},
      {R"("a":{"dtype":"F32","shape":[4,2,2,5])", R"("a":{"dtype":"F64","shape":[4,2,1,5])",
       "the tensor \"a\" is of type F64 instead of F32"},
      {R"("w":{)", R"("x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"w":{)",
       "the tensor \"x\" is none of this model"},
  };
  for (const auto& [from, to, sentence] : cases) {
    const std::string error = blame(from, to);
    EXPECT_NE(error.find(sentence), std::string::npos) << from << " -> " << to << "\n" << error;
    EXPECT_NE(error.find("(model.safetensors): "), std::string::npos) << error;
  }
}

TEST(ModelFile, TellsValuesThatAreNoNumbers) {
  const ScratchFolder folder;
  Model model = model_of({2, 3, 2, 2, 2});
  const std::string good = test::unsummed(bytes_of(model));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    std::string file = good;
    std::memcpy(file.data() + file.size() - sizeof(float), &bad, sizeof(float));
    EXPECT_EQ(error_of(file),
              "the tensor \"w\" has a value that is not a finite number (model.safetensors): train "
              "the model again");
    model.parameters.tensor(model.parameters.p(2))[0] = bad;
    ASSERT_TRUE(std::ofstream(folder / "kept") << "kept");
    const Result<void> saved = save_model(model, folder / "kept");
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().what.find("\"p.2\""), std::string::npos) << saved.error().what;
    EXPECT_EQ(slurp(folder / "kept"), "kept");
  }
}

TEST(ModelFile, TellsEveryTruncation) {
  const std::string good = bytes_of(model_of({1, 1, 2, 1, 1}));
  for (std::size_t size = 0; size < good.size(); ++size) {
    const Result<Model> model = parse(good.substr(0, size));
    ASSERT_FALSE(model) << size;
    EXPECT_EQ(model.error().where, "model.safetensors");
    EXPECT_FALSE(model.error().what.empty() || model.error().remedy.empty());
  }
}

/// Either an error with all its parts, or the model that was written but for values and names.
void expect_error_or_shape(std::string bytes, const ModelShape& shape) {
  const Result<Model> model = parse(std::move(bytes));
  if (model) {
    RC_ASSERT(model->shape() == shape);
    RC_ASSERT(model->relations.size() == shape.relations);
  } else {
    RC_ASSERT(!model.error().what.empty() && !model.error().remedy.empty());
    RC_ASSERT(model.error().where == "model.safetensors");
  }
}

RC_GTEST_PROP(ModelFile, DamageIsAnErrorOrHarmless, ()) {
  static const ModelShape shape{2, 3, 2, 2, 2};
  static const std::string good = bytes_of(model_of(shape));
  std::string bytes = good;
  const auto hits = *rc::gen::inRange<int>(0, 4);
  for (int hit = 0; hit < hits; ++hit) {
    // Half of the damage goes to the header, where more can break.
    const std::size_t end = *rc::gen::element(bytes.size(), header_of(good).size() + 8);
    bytes[*rc::gen::inRange<std::size_t>(0, end)] = *rc::gen::arbitrary<char>();
  }
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size()));
      break;
    case 1:
      bytes += *rc::gen::arbitrary<std::string>();
      break;
    case 2:
      bytes.erase(*rc::gen::inRange<std::size_t>(0, bytes.size()), 1);
      break;
    default:
      break;
  }
  expect_error_or_shape(std::move(bytes), shape);
}

RC_GTEST_PROP(ModelFile, AnyBytesAreAnErrorOrAModel, (const std::string& header)) {
  parse(header);
  parse(raw_file(header, "data"));
  parse(raw_file(
      R"({"__metadata__":{"format":"lerp-model","version":"1","relations":")" + header + "\"}}",
      ""));
}

RC_GTEST_PROP(ModelFile, AnyShapeComesBack, ()) {
  const ModelShape shape{
      *rc::gen::inRange<std::uint32_t>(1, 5), *rc::gen::inRange<std::uint32_t>(1, 6),
      *rc::gen::inRange<std::uint32_t>(0, 5), *rc::gen::inRange<std::uint32_t>(1, 4),
      *rc::gen::inRange<std::uint32_t>(1, 5)};
  const Model model = model_of(shape);
  const Result<Model> loaded = parse(bytes_of(model));
  RC_ASSERT(loaded.has_value());
  expect_same(model, *loaded);
}

}  // namespace
}  // namespace lerpp
