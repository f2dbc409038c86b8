// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/server/server.hpp>

#include "server/cache.hpp"
#include "server/gate.hpp"
#include "server/message.hpp"
#include "server/question.hpp"
#include "server/served.hpp"

namespace lerpp {

class DecisionBooks;
class Jobs;

/// What a route is given.
struct Asked {
  Question question;
  std::string part = {};  ///< of the path, where the route has {…}
  Observer observer = {};
  std::size_t last_event = 0;  ///< of a stream that goes on
};

/// How much a route works.
enum class Pace {
  instant,  ///< looks something up
  quick,    ///< works on one core for milliseconds
  slow      ///< works on all cores for seconds
};

/// A route, and what answers it.
struct Route {
  std::string method;
  std::string path;  ///< below /api/v1; {…} is a part without slashes
  Pace pace = Pace::instant;
  bool kept = false;  ///< the same question has the same answer
  std::function<Answered<WebReply>(Asked&)> answer;
};

/// What routes share.
struct ApiState {
  ServeOptions options;
  ServedRuns runs;
  std::unique_ptr<DecisionBooks> decisions;
  std::unique_ptr<Jobs> jobs;
  std::atomic<std::uint64_t> given_up = 0;  ///< questions that nobody waited for any more
};

// The routes, by what they are about.
void add_run_routes(std::vector<Route>& routes, ApiState& state);
void add_question_routes(std::vector<Route>& routes, ApiState& state);
void add_rule_routes(std::vector<Route>& routes, ApiState& state);
void add_compare_routes(std::vector<Route>& routes, ApiState& state);
void add_curate_routes(std::vector<Route>& routes, ApiState& state);
void add_neighbourhood_routes(std::vector<Route>& routes, ApiState& state);
void add_picture_routes(std::vector<Route>& routes, ApiState& state);
void add_decision_routes(std::vector<Route>& routes, ApiState& state);
void add_training_routes(std::vector<Route>& routes, ApiState& state);

/// Takes a request to its route: cores, cache and patience are its concern.
class Api {
 public:
  Api(ApiState& state, unsigned cores);

  WebReply answer(const WebRequest& request, const std::atomic<bool>& ending);

 private:
  Answered<WebReply> find(const WebRequest& request, const std::atomic<bool>& ending);
  Answered<WebReply> ask(const Route& route, const WebRequest& request, std::string part,
                         const std::atomic<bool>& ending);
  Answered<WebReply> work(const Route& route, Asked& asked);

  ApiState& state_;
  std::vector<Route> routes_;
  AnswerCache cache_;
  Gate quick_;
  Gate slow_;
};

}  // namespace lerpp
