// SPDX-License-Identifier: Apache-2.0
#include "cli/next_steps.hpp"

#include <algorithm>
#include <array>

namespace lerpp::cli {
namespace {

struct Step {
  std::string_view after;  ///< a verb, or "a run" that was learned
  std::string_view steps;  ///< @ stands for the folder or file
};

/// The one place that knows what follows what.
constexpr std::array steps = {
    Step{"lerp stats", "lerp train @"},
    Step{"lerp baseline", "lerp train @"},
    Step{"lerp generate family", "lerp stats @, lerp train @"},
    Step{"lerp generate scale", "lerp stats @, lerp train @"},
    Step{"lerp import debian", "lerp stats @, lerp train @"},
    Step{"lerp import wordnet", "lerp stats @, lerp train @"},
    Step{"lerp import dataset", "lerp stats @, lerp train @"},
    Step{"a run", "lerp rules @, lerp complete @, lerp report @"},
    Step{"lerp eval", "lerp rules @, lerp complete @, lerp report @"},
    Step{"lerp rules", "lerp distill @, lerp report @"},
    Step{"lerp functions", "lerp rules @, lerp report @"},
    Step{"lerp distill", "lerp rules @ --from list, lerp report @"},
};

/// A name as a shell takes it for one word.
std::string shell_word(const std::string& name) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:@%,=";
  if (!name.empty() && name.find_first_not_of(plain) == std::string::npos) return name;
  std::string word = "'";
  for (const char c : name) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace

std::string next_steps(std::string_view verb, const std::string& name) {
  const auto* const found = std::find_if(steps.begin(), steps.end(),
                                         [&](const Step& step) { return step.after == verb; });
  if (found == steps.end() || name == "-") return {};
  std::string text;
  for (const char c : found->steps) text += c == '@' ? shell_word(name) : std::string(1, c);
  return text;
}

std::string folder_text(const std::string& folder) {
  return folder.ends_with('/') ? folder : folder + "/";
}

}  // namespace lerpp::cli
