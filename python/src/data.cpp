// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

#include <algorithm>

#include <nanobind/ndarray.h>

#include <lerp/kg/generate.hpp>
#include <lerp/kg/import.hpp>
#include <lerp/kg/stats.hpp>

#include "names.hpp"
#include "support.hpp"

namespace lerpp::python {
namespace {

using Ids = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Split split_named(std::string_view name) {
  for (const Split split : all_splits) {
    if (name_of(split) == name) return split;
  }
  raise({fmt::format("there is no split '{}'", name), "", "give facts, train, valid or test",
         ErrorKind::usage});
}

/// Gives names new numbers, in the order in which they are asked for.
class Renumbering {
 public:
  explicit Renumbering(const Vocabulary& old) : old_(old), ids_(old.size(), Vocabulary::none) {}

  Vocabulary::Id operator()(Vocabulary::Id id) {
    if (ids_[id] == Vocabulary::none) ids_[id] = renamed_.intern(old_.name(id));
    return ids_[id];
  }
  Vocabulary take() { return std::move(renamed_); }

 private:
  const Vocabulary& old_;
  std::vector<Vocabulary::Id> ids_;
  Vocabulary renamed_;
};

/// Makes a dataset of what other libraries hold.
class Builder {
 public:
  explicit Builder(const std::string& name) {
    dataset_.name = name;
    dataset_.format = "memory";
  }

  /// Names that are numbered as another library does.
  void number(const nb::list& entities, const nb::list& relations) {
    numbered_ = true;
    ids_of_list(entities, dataset_.entities, "entities");
    ids_of_list(relations, dataset_.relations, "relations");
    if (dataset_.entities.size() != entities.size() ||
        dataset_.relations.size() != relations.size()) {
      raise({"a name stands for several numbers", "",
             "give every entity and relation a name of its own"});
    }
  }

  void add_lists(const std::string& split, const nb::list& subjects, const nb::list& relations,
                 const nb::list& objects) {
    add(split, {ids_of_list(subjects, dataset_.entities, "subject"),
                ids_of_list(relations, dataset_.relations, "relation"),
                ids_of_list(objects, dataset_.entities, "object")});
  }

  void add_stream(const std::string& split, const nb::capsule& stream,
                  const std::vector<std::string>& columns) {
    add(split, ids_of_stream(stream, {{columns.at(0), &dataset_.entities},
                                      {columns.at(1), &dataset_.relations},
                                      {columns.at(2), &dataset_.entities}}));
  }

  void add_ids(const std::string& split, const Ids& ids) {
    std::vector<Fact>& facts = dataset_[split_named(split)];
    for (std::size_t row = 0; row < ids.shape(0); ++row) {
      const std::int64_t* const fact = ids.data() + row * ids.shape(1);
      const auto known = [](std::int64_t id, Vocabulary::Id size) { return id >= 0 && id < size; };
      if (ids.shape(1) != 3 || !known(fact[0], dataset_.entities.size()) ||
          !known(fact[1], dataset_.relations.size()) || !known(fact[2], dataset_.entities.size())) {
        raise({"the numbers are of no named entity or relation",
               fmt::format("{}, row {}", split, row + 1),
               "give rows of subject, relation and object, numbered from 0"});
      }
      facts.push_back({static_cast<EntityId>(fact[0]), static_cast<RelationId>(fact[1]),
                       static_cast<EntityId>(fact[2])});
    }
  }

  void add_prefix(const std::string& name, const std::string& iri) {
    dataset_.prefixes.push_back({name, iri});
  }

  Data finish() {
    if (!numbered_) renumber();
    std::size_t all = 0;
    for (const Split split : all_splits) {
      dataset_.repeated[static_cast<std::size_t>(split)] =
          remove_repeated(dataset_[split], dataset_.entities.size());
      all += dataset_[split].size();
    }
    if (all == 0)
      raise({"there are no facts", dataset_.name, "give rows of subject, relation and object"});
    std::stable_sort(dataset_.prefixes.begin(), dataset_.prefixes.end(),
                     [](const Prefix& a, const Prefix& b) { return a.iri.size() > b.iri.size(); });
    return {std::make_shared<const Dataset>(std::move(dataset_))};
  }

 private:
  void add(const std::string& name, const std::vector<std::vector<Vocabulary::Id>>& columns) {
    const Split split = split_named(name);
    dataset_[split].reserve(dataset_[split].size() + columns[0].size());
    for (std::size_t row = 0; row < columns[0].size(); ++row)
      dataset_[split].push_back({columns[0][row], columns[1][row], columns[2][row]});
  }

  /// In the order of the facts, as names of a file are numbered: columns came one after the other.
  void renumber() {
    Renumbering entities(dataset_.entities);
    Renumbering relations(dataset_.relations);
    for (const Split split : all_splits) {
      for (Fact& fact : dataset_[split]) {
        fact.subject = entities(fact.subject);
        fact.relation = relations(fact.relation);
        fact.object = entities(fact.object);
      }
    }
    dataset_.entities = entities.take();
    dataset_.relations = relations.take();
  }

  Dataset dataset_;
  bool numbered_ = false;
};

Data load_data(const std::filesystem::path& path, const Settings& choices, unsigned threads,
               const std::filesystem::path& names, const nb::object& progress) {
  LoadOptions options;
  options.threads = threads;
  options.names = names;
  options.choices = options_of<ReadChoices>(choices);
  Dataset dataset =
      watched(progress, [&](const Observer& observer) { return load(path, options, observer); });
  return {std::make_shared<const Dataset>(std::move(dataset)), path};
}

/// As the reader of files holds facts out.
Data held_out(const Data& data, double share, std::uint64_t seed) {
  Dataset dataset = *data.dataset;
  HoldoutOptions options;
  options.valid = share;
  options.test = 0;
  options.seed = seed;
  options.by_relation = true;
  hold_out(dataset, options);
  return {std::make_shared<const Dataset>(std::move(dataset))};
}

nb::object facts_of(const Data& data, const std::string& split) {
  static_assert(sizeof(Fact) == 3 * sizeof(std::uint32_t));
  const std::vector<Fact>& facts = (*data.dataset)[split_named(split)];
  auto* owner = new std::shared_ptr<const Dataset>(data.dataset);
  const nb::capsule capsule(owner, [](void* held) noexcept {
    delete static_cast<std::shared_ptr<const Dataset>*>(held);
  });
  return nb::cast(nb::ndarray<nb::numpy, const std::uint32_t, nb::ndim<2>>(
      reinterpret_cast<const std::uint32_t*>(facts.data()), {facts.size(), std::size_t{3}},
      capsule));
}

nb::list names_of(const Vocabulary& vocabulary) {
  nb::list names;
  for (Vocabulary::Id id = 0; id < vocabulary.size(); ++id)
    names.append(nb::str(vocabulary.name(id).data(), vocabulary.name(id).size()));
  return names;
}

}  // namespace

void bind_data(nb::module_& module) {
  nb::class_<Data>(module, "Data")
      .def_prop_ro("name", [](const Data& data) { return data.dataset->name; })
      .def_prop_ro("path", [](const Data& data) { return data.path.string(); })
      .def_prop_ro("format", [](const Data& data) { return data.dataset->format; })
      .def_prop_ro("notes", [](const Data& data) { return data.dataset->notes; })
      .def_prop_ro("held_out", [](const Data& data) { return data.dataset->held_out; })
      .def("headline", [](const Data& data) { return headline(*data.dataset); })
      .def(
          "count",
          [](const Data& data, const std::string& split) {
            return (*data.dataset)[split_named(split)].size();
          },
          nb::arg("split"))
      .def("entities", [](const Data& data) { return names_of(data.dataset->entities); })
      .def("relations", [](const Data& data) { return names_of(data.dataset->relations); })
      .def("entity_count", [](const Data& data) { return data.dataset->entities.size(); })
      .def("relation_count", [](const Data& data) { return data.dataset->relations.size(); })
      .def("facts", &facts_of, nb::arg("split"))
      .def(
          "stats",
          [](const Data& data, unsigned threads) {
            return dump(to_json(unlocked([&] { return statistics(*data.dataset, threads); })));
          },
          nb::arg("threads"))
      .def(
          "write",
          [](const Data& data, const std::filesystem::path& folder) {
            unlocked([&] { return write_dataset(*data.dataset, folder); });
          },
          nb::arg("folder"))
      .def("hold_out", &held_out, nb::arg("share"), nb::arg("seed"));
  nb::class_<Builder>(module, "Builder")
      .def(nb::init<const std::string&>(), nb::arg("name"))
      .def("number", &Builder::number, nb::arg("entities"), nb::arg("relations"))
      .def("add_lists", &Builder::add_lists, nb::arg("split"), nb::arg("subjects"),
           nb::arg("relations"), nb::arg("objects"))
      .def("add_stream", &Builder::add_stream, nb::arg("split"), nb::arg("stream"),
           nb::arg("columns"))
      .def("add_ids", &Builder::add_ids, nb::arg("split"), nb::arg("ids"))
      .def("add_prefix", &Builder::add_prefix, nb::arg("name"), nb::arg("iri"))
      .def("finish", &Builder::finish);
  module.def("load", &load_data, nb::arg("path"), nb::arg("choices"), nb::arg("threads"),
             nb::arg("names"), nb::arg("progress").none());
  module.def(
      "generate_family",
      [](const std::filesystem::path& folder, const Settings& settings) {
        const auto options = options_of<FamilyOptions>(settings);
        unlocked([&] { return write_generated(generate_family(options), folder); });
      },
      nb::arg("folder"), nb::arg("settings"));
}

}  // namespace lerpp::python
