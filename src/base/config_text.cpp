#include "base/config_text.hpp"

#include <lerp/base/json.hpp>

namespace lerpp {

std::string toml_text(std::string_view text) {
  // A JSON string is a TOML basic string, but for the one control character that JSON leaves as it
  // is.
  std::string result = Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = result.find('\x7F', at)) != std::string::npos;)
    result.replace(at, 1, "\\u007F");
  return result;
}

}  // namespace lerpp
