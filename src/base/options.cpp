#include <lerp/base/options.hpp>

namespace lerpp {

std::string Field::allowed() const {
  if (has_range()) return fmt::format("{} to {}", min, max);
  std::string text;
  for (std::string_view choice : choices) {
    if (choice.empty()) break;
    if (!text.empty()) text += '|';
    text += choice;
  }
  return text;
}

Result<void> check_field(const Field& field, double value) {
  if (!field.has_range() || (value >= field.min && value <= field.max)) return {};
  return fail(fmt::format("{} is {}", field.name, value), "",
              "give a value from " + field.allowed(), ErrorKind::usage);
}

Result<void> check_field(const Field& field, std::string_view value) {
  if (!field.has_choices()) return {};
  if (std::find(field.choices.begin(), field.choices.end(), value) != field.choices.end() &&
      !value.empty()) {
    return {};
  }
  return fail(fmt::format("{} is '{}'", field.name, value), "", "give one of " + field.allowed(),
              ErrorKind::usage);
}

}  // namespace lerpp
