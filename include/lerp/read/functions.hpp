// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/logic/formula.hpp>
#include <lerp/model/model.hpp>

/// The soft functions of a model, read as formulas.
namespace lerpp {

struct FunctionsOptions {
  std::uint32_t top = 0;
  std::uint32_t examples = 3;
  std::uint32_t beam = 4;
  std::uint32_t sample = 20'000;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"top", "functions to show; 0 is all", 0, 1e6}, self.top);
    visit(Field{"examples", "entities named for each", 0, 1000}, self.examples);
    visit(Field{"beam", "readings of a function that are followed from column to column", 1, 64},
          self.beam);
    visit(Field{"sample", "entities on which readings are compared with the values", 2, 1e9},
          self.sample);
    visit(Field{"threads", "0 is one for each core", 0, 1024}, self.threads);
  }
};

/// The formula that comes closest to one soft function, as measured on a graph.
struct FunctionReading {
  Formula formula;
  /// Of the formula (0 or 1) with the soft value, over the entities.
  double correlation = 0;
  /// Share of the entities whose value lies on the formula's side of the middle between `low` and
  /// `high`.
  double agreement = 0;
  double low = 0;   ///< mean soft value where the formula does not hold
  double high = 0;  ///< and where it does
  /// The value hardly differs between entities, so there is nothing to read: the formula is true.
  bool constant = false;
};

/// One for each of L_1..L_m, in their order; none where the model has no functions.
std::vector<FunctionReading> read_functions(const Model& model, const Graph& graph,
                                            const FunctionsOptions& options = {});

/// How far each of L_1..L_m holds of each entity, from 0 to 1: what the functions make of a graph.
struct EntityFunctions {
  std::size_t entities = 0;   ///< rows, in the order of the dataset
  std::size_t functions = 0;  ///< columns
  std::vector<float> values;
};
/// Of all entities of the known graph. Fails where the model has no functions.
Result<EntityFunctions> entity_functions(const Model& model, const KnownGraph& known,
                                         unsigned threads = 0, const Observer& observer = {});

/// The functions that read the same.
struct ReadFunction {
  Formula formula;
  std::vector<std::uint32_t> numbers;  ///< i of L_i, counted from 1, the most faithful first
  double correlation = 0;              ///< of the most faithful, as are the next three
  double agreement = 0;
  double low = 0;
  double high = 0;
  double use = 0;    ///< their share of the weight of all constraints of all rules
  double share = 0;  ///< of the entities of which the formula holds
  std::vector<EntityId> examples;
};

/// The functions that say something, the most used first.
Result<std::vector<ReadFunction>> functions(const Model& model, const KnownGraph& known,
                                            const FunctionsOptions& options = {});
Json to_json(const std::vector<ReadFunction>& functions, const Dataset& dataset);
std::string to_text(const std::vector<ReadFunction>& functions, const Dataset& dataset);

}  // namespace lerpp
