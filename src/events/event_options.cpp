// SPDX-License-Identifier: Apache-2.0
#include <lerp/events/model.hpp>

namespace lerpp {

Result<EventOptions> event_preset(std::string_view name) {
  EventOptions options;
  if (name == "default") return options;
  if (name != "paper") return fail_unknown("preset", name, "choose one of paper, default");
  options.types = options.last = options.idle = options.scenario = options.repeats = false;
  options.own = true;
  options.width = 32;
  return options;
}

Result<EventOptions> resolve(const EventOptionRequest& request) {
  LERP_TRY(options, event_preset(request.preset));
  for (const std::string& setting : request.settings) LERP_CHECK(set_option(options, setting));
  if (request.ending) options.ending = *request.ending;
  if (request.seed) options.seed = *request.seed;
  if (request.threads) options.threads = *request.threads;
  LERP_CHECK(check_options(options));
  return options;
}

}  // namespace lerpp
