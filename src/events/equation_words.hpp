// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lerp/events/induce.hpp>

namespace lerpp {

/// A relation of a formula, as it is written.
struct Step {
  std::string name;
  bool backwards = false;
  bool role = false;   ///< of an event; else it is an order, or a relation of two entities
  bool order = false;  ///< "before"
};

/// The names of types, roles and relations in equations.
class EquationWords {
 public:
  explicit EquationWords(const EquationNames& names) : names_(names) {}

  std::string type(LabelId node_type) const;
  /// Life.Die.Unspecified is a "Die", Contact.Contact.Meet a "Meet".
  std::string noun(LabelId node_type) const;
  Step step(OperatorId op) const;

 private:
  EquationNames names_;
};

}  // namespace lerpp
