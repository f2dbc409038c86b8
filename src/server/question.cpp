// SPDX-License-Identifier: Apache-2.0
#include "server/question.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lerpp {
namespace {

/// A number of an address; whole ones stay whole.
std::optional<Json> number_of(const std::string& text) {
  std::uint64_t whole = 0;
  const char* end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, whole);
      read.ec == std::errc() && read.ptr == end && !text.empty()) {
    return Json(whole);
  }
  double number = 0;
  if (const auto read = std::from_chars(text.data(), end, number);
      read.ec == std::errc() && read.ptr == end && std::isfinite(number)) {
    return Json(number);
  }
  return {};
}

/// Whether a number is whole, even where it is written as 3.0.
std::optional<std::uint64_t> whole_of(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (!value.is_number_float()) return {};
  const double number = value.get<double>();
  constexpr double most = 9'007'199'254'740'992.0;
  if (number < 0 || number > most || number != std::floor(number)) return {};
  return static_cast<std::uint64_t>(number);
}

}  // namespace

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

Answered<Question> Question::of_body(const WebRequest& request) {
  std::string type = request.header("content-type");
  type.resize(std::min(type.find(';'), type.size()));
  while (type.ends_with(' ')) type.pop_back();
  std::transform(type.begin(), type.end(), type.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (type != "application/json")
    return refuse(415, "the body is not JSON", "", "send it as Content-Type: application/json");
  Question question;
  question.json_ = Json::parse(request.body, nullptr, false);
  if (question.json_.is_discarded())
    return refuse(400, "the body cannot be read as JSON", "", "send one JSON object in UTF-8");
  if (!question.json_.is_object())
    return refuse(400, "the body is not a JSON object", "", "send {\"name\": value, …}");
  return question;
}

Question Question::of_query(const WebRequest& request) {
  Question question;
  question.texts_ = true;
  for (const auto& [name, value] : request.query) {
    if (question.json_.contains(name)) question.complain(name, "is given twice", "give it once");
    question.json_[name] = value;
  }
  return question;
}

Json* Question::find(const std::string& name) {
  taken_.insert(name);
  const auto found = json_.find(name);
  return found == json_.end() ? nullptr : &*found;
}

bool Question::has(const std::string& name) {
  return find(name) != nullptr;
}

void Question::complain(const std::string& name, const std::string& what,
                        const std::string& remedy) {
  if (!error_) error_ = Error{fmt::format("{} {}", name, what), "", remedy, ErrorKind::usage};
}

std::string Question::text(const std::string& name, std::size_t least, std::size_t most,
                           const std::optional<std::string>& otherwise) {
  const Json* value = find(name);
  if (value == nullptr) {
    if (!otherwise) complain(name, "is missing", "give it");
    return otherwise.value_or("");
  }
  if (!value->is_string()) {
    complain(name, "is not a text", "give a text");
    return {};
  }
  std::string text = value->get<std::string>();
  const std::size_t size = letters(text);
  if (size < least || size > most) {
    complain(name, fmt::format("has {} letters", size), fmt::format("give {} to {}", least, most));
  }
  // What an address holds need not be UTF-8: nothing that is has such a name.
  if (texts_ && Json::parse(dump(text), nullptr, false) != Json(text))
    complain(name, "is not UTF-8", "encode it as UTF-8");
  return text;
}

std::string Question::choice(const std::string& name, std::span<const std::string_view> choices,
                             std::optional<std::string_view> otherwise) {
  std::string chosen =
      text(name, 0, 4096,
           otherwise ? std::optional<std::string>(*otherwise) : std::optional<std::string>());
  if (has(name) && std::find(choices.begin(), choices.end(), chosen) == choices.end()) {
    complain(name, "is none of what it can be",
             fmt::format("give one of {}", fmt::join(choices, ", ")));
  }
  return chosen;
}

std::uint64_t Question::whole(const std::string& name, std::uint64_t least, std::uint64_t most,
                              std::optional<std::uint64_t> otherwise) {
  const Json* value = find(name);
  if (value == nullptr) {
    if (!otherwise) complain(name, "is missing", "give it");
    return otherwise.value_or(least);
  }
  std::optional<std::uint64_t> read;
  if (!texts_) {
    read = whole_of(*value);
  } else if (const std::optional<Json> parsed = number_of(value->get<std::string>())) {
    read = whole_of(*parsed);
  }
  if (!read || *read < least || *read > most) {
    complain(name, "is no whole number within its limits",
             fmt::format("give one of {} to {}", least, most));
    return least;
  }
  return *read;
}

double Question::number(const std::string& name, double least, double most, double otherwise) {
  const Json* value = find(name);
  if (value == nullptr) return otherwise;
  std::optional<Json> read;
  if (!texts_) {
    if (value->is_number()) read = *value;
  } else {
    read = number_of(value->get<std::string>());
  }
  const double number = read ? read->get<double>() : least - 1;
  if (!(number >= least && number <= most)) {
    complain(name, "is no number within its limits",
             fmt::format("give one of {} to {}", least, most));
    return least;
  }
  return number;
}

bool Question::flag(const std::string& name, bool otherwise) {
  const Json* value = find(name);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  if (texts_ && (*value == "true" || *value == "false")) return *value == "true";
  complain(name, "is neither true nor false", "give true or false");
  return otherwise;
}

std::vector<std::string> Question::texts(const std::string& name, std::size_t least,
                                         std::size_t most, std::size_t longest) {
  std::vector<std::string> texts;
  const Json* value = find(name);
  if (value == nullptr) {
    if (least > 0) complain(name, "is missing", "give a list of texts");
    return texts;
  }
  if (!value->is_array() || value->size() < least || value->size() > most) {
    complain(name, "is no list of so many texts", fmt::format("give {} to {}", least, most));
    return texts;
  }
  for (const Json& item : *value) {
    const std::size_t size = item.is_string() ? letters(item.get_ref<const std::string&>()) : 0;
    if (size < 1 || size > longest) {
      complain(name, "holds what is no text within its limits",
               fmt::format("give texts of 1 to {} letters", longest));
      return texts;
    }
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

std::vector<Question::Names> Question::facts(const std::string& name, std::size_t least,
                                             std::size_t most) {
  std::vector<Names> facts;
  const Json* value = find(name);
  if (value == nullptr) {
    if (least > 0) complain(name, "is missing", "give facts with head, relation and tail");
    return facts;
  }
  if (!value->is_array() || value->size() < least || value->size() > most) {
    complain(name, "is no list of so many facts", fmt::format("give {} to {}", least, most));
    return facts;
  }
  for (const Json& item : *value) {
    if (!item.is_object()) {
      complain(name, "holds what is no fact", "give objects with head, relation and tail");
      return facts;
    }
    Question fact;
    fact.json_ = item;
    facts.push_back({fact.need("head"), fact.need("relation"), fact.need("tail")});
    if (const Answered<void> checked = fact.check(); !checked) {
      complain(name + ": " + checked.error().error.what, "in one of the facts",
               checked.error().error.remedy);
    }
  }
  return facts;
}

Answered<void> Question::check() {
  if (error_) return tl::unexpected<Refusal>(Refusal(*error_));
  for (const auto& [name, value] : json_.items()) {
    if (!taken_.contains(name)) {
      return refuse(400, fmt::format("there is no field '{}' here", name), "",
                    fmt::format("leave it out, or give one of {}", fmt::join(taken_, ", ")));
    }
  }
  return {};
}

std::string Question::canonical() const {
  return nlohmann::json(json_).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace lerpp
