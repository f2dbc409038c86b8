// SPDX-License-Identifier: Apache-2.0
#include <lerp/events/model.hpp>

namespace lerpp {

ModelShape EventShape::functions() const {
  ModelShape shape;
  shape.relations = relations();
  shape.width = width;
  shape.depth = width == 0 ? 0 : columns;
  shape.rules = 0;
  shape.length = 0;
  shape.types = node_types();
  return shape;
}

std::size_t EventShape::function_parameters() const {
  std::size_t count = 0;
  for (const Tensor& tensor : tensors_of(functions())) count += tensor.size;
  return count;
}

EventShape event_shape(const EventOptions& options, const EventSizes& sizes, LabelId heads) {
  EventShape shape;
  shape.sizes = sizes;
  shape.heads = heads;
  shape.width = options.width;
  shape.columns = options.columns;
  shape.types = options.types;
  shape.last = options.last;
  shape.idle = options.idle;
  shape.scenario = options.scenario;
  shape.repeats = options.repeats;
  shape.own = options.own;
  shape.readout = options.readout == "each"    ? EventReadout::each
                  : options.readout == "share" ? EventReadout::share
                                               : EventReadout::some;
  return shape;
}

}  // namespace lerpp
