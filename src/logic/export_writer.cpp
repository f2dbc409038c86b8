// SPDX-License-Identifier: Apache-2.0
#include "logic/export_writer.hpp"

#include <fmt/format.h>

namespace lerpp {

std::string ConditionWriter::write(const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::fact:
      return fact(condition.fact);
    case Condition::Kind::some:
      return some(condition);
    case Condition::Kind::differ:
      return differ(condition.fact.subject, condition.fact.object);
    case Condition::Kind::any:
      return any(condition);
    case Condition::Kind::no:
      return no(condition);
    case Condition::Kind::all:
      break;
  }
  std::string text = write_all(condition.parts);
  return condition.parts.empty() ? text : "(" + std::move(text) + ")";
}

std::string ConditionWriter::write_all(std::span<const Condition> parts) {
  std::string out;
  for (const Condition& part : parts) {
    if (!out.empty()) out += connectives_.conjunction;
    out += write(part);
  }
  return out.empty() ? std::string(connectives_.truth) : out;
}

std::string ConditionWriter::any(const Condition& condition) {
  std::string out;
  for (const Condition& part : condition.parts) {
    out += out.empty() ? "(" : connectives_.disjunction;
    out += write(part);
  }
  return out.empty() ? std::string(connectives_.falsity) : out + ")";
}

std::string ConditionWriter::no(const Condition& condition) {
  const Condition& inner = condition.parts.front();
  const std::string text = write(inner);
  if (inner.kind == Condition::Kind::fact || inner.kind == Condition::Kind::some) {
    return std::string(connectives_.negation) + text;
  }
  return fmt::format("{}({})", connectives_.negation_group, text);
}

std::string decimal(double number) {
  std::string text = fmt::format("{}", number);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text[exponent + 1] == '+') text.erase(exponent + 1, 1);
  if (text.find('.') == std::string::npos) text.insert(std::min(exponent, text.size()), ".0");
  return text;
}

}  // namespace lerpp
