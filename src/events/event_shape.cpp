#include <lerp/events/model.hpp>

namespace lerpp {
namespace {

constexpr std::size_t operations = 6;

/// Where a column's tables begin.
std::size_t column_start(const EventShape& shape, std::uint32_t column) {
  const std::size_t width = shape.width;
  const std::size_t one = (shape.operators() + 2 * width + operations) * width;
  return shape.start().end() + column * one;
}

}  // namespace

EventBlock EventShape::chaining(std::uint32_t column) const {
  return {column_start(*this, column), operators(), width};
}

EventBlock EventShape::conjunction(std::uint32_t column) const {
  return {chaining(column).end(), width, width};
}

EventBlock EventShape::disjunction(std::uint32_t column) const {
  return {conjunction(column).end(), width, width};
}

EventBlock EventShape::operation(std::uint32_t column) const {
  return {disjunction(column).end(), operations, width};
}

EventBlock EventShape::weights() const {
  return {column_start(*this, columns), evidence_rows(), heads};
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
  shape.share = options.readout == "share";
  return shape;
}

}  // namespace lerpp
