#include "explain/report_parts.hpp"

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>

namespace lerpp {

Json to_json(const Standing& standing) {
  return {{"score", standing.score},
          {"rank", standing.rank.realistic()},
          {"probability", standing.probability}};
}

std::string rank_text(const Rank& rank) {
  const std::string whole = thousands(rank.greater + 1 + rank.equal / 2);
  return rank.equal % 2 == 0 ? whole : whole + ".5";
}

std::string named(std::string_view name, std::string_view label) {
  return name == label ? std::string(name) : fmt::format("{} {}", name, label);
}

}  // namespace lerpp
