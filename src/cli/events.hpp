// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lerp/events/ending.hpp>

#include "cli/verb.hpp"

/// The verbs below `lerp events`.
namespace lerpp::cli {

/// Says what is odd about the data.
void say_notes(Console& console, const EventData& data);
/// Into a text, or one that may be absent.
template <class Text>
void add_ending(CLI::App& verb, Text& ending) {
  verb.add_option("--ending", ending,
                  "what an ending event is: reached (something comes before it and nothing after) "
                  "or unfollowed (nothing comes after)")
      ->default_str("reached")
      ->check(CLI::IsMember({"reached", "unfollowed"}));
}
void add_split(CLI::App& verb, std::string& split);

void add_event_baseline(Program& program, CLI::App& events);
void add_event_train(Program& program, CLI::App& events);
void add_event_eval(Program& program, CLI::App& events);
void add_event_induce(Program& program, CLI::App& events);

}  // namespace lerpp::cli
