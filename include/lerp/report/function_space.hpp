// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/options.hpp>
#include <lerp/base/svg.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/logic/formula.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/model/model.hpp>

/// The space of the logical functions, L(e) of every entity, as a picture: do entities of one role
/// lie together?
namespace lerpp {

/// What some entities are and others are not.
struct Role {
  std::string name;
  Formula formula;
};
/// "is a son: ∃z son(x,z)", or the formula alone, which is its own name then.
Result<Role> parse_role(std::string_view text, const Names& names);
/// Of Family: is a daughter, is a son, has a sister, has a brother. Elsewhere the operators that
/// nearest to half of the entities take part in.
std::vector<Role> usual_roles(const KnownGraph& known);

struct FunctionSpaceOptions {
  std::uint32_t entities = 4000;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"entities", "entities looked at, drawn evenly from all", 10, 1e6}, self.entities);
    visit(Field{"seed", "of the halves that planes are fitted and tried on", 0, 1e18}, self.seed);
    visit(Field{"threads", "0 is one for each core", 0, 1024}, self.threads);
  }
};

struct FunctionSpace {
  /// The plane in the space of the functions that tells those of a role from the others.
  struct Separation {
    Role role;
    std::string text;                ///< of the formula
    std::vector<bool> holds;         ///< of each of the points
    double share = 0;                ///< of the entities, by which the role holds
    double accuracy = 0;             ///< of the plane, on the half that it was not fitted on
    double balanced = 0;             ///< mean of the accuracies among holders and others
    double accuracy_in_picture = 0;  ///< of the best plane in the picture, likewise
    /// The plane where it cuts the picture, or else the best one in the picture: a x + b y + c z +
    /// d = 0.
    std::array<double, 4> plane = {};
    bool cuts = false;  ///< whether it is that of the whole space
  };

  std::string dataset;
  std::uint32_t functions = 0;
  std::vector<EntityId> entities;             ///< those that were looked at
  std::vector<std::array<double, 3>> points;  ///< of each: its first three principal components
  std::array<double, 3> variance = {};        ///< shares of it
  std::vector<Separation> roles;
};

/// Fails where the model has no functions.
Result<FunctionSpace> function_space(const Model& model, const KnownGraph& known,
                                     const std::vector<Role>& roles,
                                     const FunctionSpaceOptions& options = {});

Json to_json(const FunctionSpace& space, const Dataset& dataset);
std::string to_text(const FunctionSpace& space);
std::string to_svg(const FunctionSpace& space);
/// The same picture with a script that turns it by mouse, finger and arrow keys. Without scripts it
/// stands still.
std::string to_turning_picture(const FunctionSpace& space);

}  // namespace lerpp
