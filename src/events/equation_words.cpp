// SPDX-License-Identifier: Apache-2.0
#include "events/equation_words.hpp"

namespace lerpp {

std::string EquationWords::type(LabelId node_type) const {
  const LabelId events = names_.shape.sizes.event_types;
  return std::string(node_type < events ? names_.names.event_types.name(node_type)
                                        : names_.names.entity_types.name(node_type - events));
}

std::string EquationWords::noun(LabelId node_type) const {
  std::string name = type(node_type);
  constexpr std::string_view nothing_more = ".Unspecified";
  if (name.ends_with(nothing_more)) name.resize(name.size() - nothing_more.size());
  const std::size_t dot = name.rfind('.');
  // An ending dot would leave nothing to say.
  return dot == std::string::npos || dot + 1 == name.size() ? name : name.substr(dot + 1);
}

Step EquationWords::step(OperatorId op) const {
  const EventShape& shape = names_.shape;
  const LabelId relations = shape.relations() + 1;  // "is" among them
  Step step;
  step.backwards = op >= relations;
  const LabelId relation = step.backwards ? op - relations : op;
  if (relation == shape.before()) {
    step.name = "before";
    step.order = true;
  } else if (relation < shape.sizes.roles) {
    step.name = names_.names.roles.name(relation);
    step.role = true;
  } else if (relation < shape.before()) {
    step.name = names_.names.relations.name(relation - shape.sizes.roles);
  } else {
    step.name = "is";
  }
  return step;
}

}  // namespace lerpp
