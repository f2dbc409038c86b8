#include "cli/verb.hpp"

namespace lerpp::cli {

void add_report(Program& /*program*/) {}

}  // namespace lerpp::cli
