// SPDX-License-Identifier: Apache-2.0
#include "kg/turtle.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>

#include <serd/serd.h>

#include "kg/lines.hpp"
#include "kg/separated.hpp"
#include "kg/terms.hpp"

namespace lerpp::formats {
namespace {

std::string_view view(const SerdNode* node) {
  return {reinterpret_cast<const char*>(node->buf), node->n_bytes};
}
std::string_view view(const SerdChunk& chunk) {
  return {reinterpret_cast<const char*>(chunk.buf), chunk.len};
}

/// The text as serd reads it, and how far it got.
struct Source {
  std::string_view text;
  std::size_t place = 0;
  const Reading* reading = nullptr;

  static std::size_t read(void* buffer, std::size_t size, std::size_t count, void* stream) {
    auto* self = static_cast<Source*>(stream);
    const std::size_t bytes = std::min(size * count, self->text.size() - self->place);
    std::memcpy(buffer, self->text.data() + self->place, bytes);
    self->place += bytes;
    return bytes / size;
  }
  static int error(void*) { return 0; }
};

using Environment = std::unique_ptr<SerdEnv, decltype(&serd_env_free)>;
using Reader = std::unique_ptr<SerdReader, decltype(&serd_reader_free)>;

/// Goes through a Turtle text once.
class Turtle {
 public:
  Turtle(std::string_view text, const std::string& where, Reading& reading, Split split)
      : where_(where),
        reading_(reading),
        split_(split),
        environment_(serd_env_new(nullptr), &serd_env_free) {
    source_.text = text;
  }

  Result<void> run(std::size_t page) {
    const Reader reader(
        serd_reader_new(SERD_TURTLE, this, nullptr, &on_base, &on_prefix, &on_statement, nullptr),
        &serd_reader_free);
    serd_reader_set_strict(reader.get(), true);
    serd_reader_set_error_sink(reader.get(), &on_error, this);
    const SerdStatus status = serd_reader_read_source(reader.get(), &Source::read, &Source::error,
                                                      &source_, nullptr, page);
    if (!error_ && status > SERD_FAILURE) {
      error_ = Error{"the Turtle is not well-formed", where_, "correct it"};
    }
    if (error_) return tl::unexpected(*error_);
    return {};
  }

  /// The statement that was refused, from 1; none where the Turtle itself is wrong.
  std::uint64_t refused() const { return refused_; }

  /// The line of a statement. Serd tells no lines but in its own errors: so it goes through the
  /// text again, a byte at a time.
  static std::uint64_t line_of(std::string_view text, const std::string& where,
                               std::uint64_t statement) {
    Reading nothing;
    Turtle again(text, where, nothing, Split::train);
    again.wanted_ = statement;
    static_cast<void>(again.run(1));
    const std::string_view before = text.substr(0, again.source_.place);
    return static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  }

 private:
  static SerdStatus on_base(void* handle, const SerdNode* uri) {
    return serd_env_set_base_uri(static_cast<Turtle*>(handle)->environment_.get(), uri);
  }

  static SerdStatus on_prefix(void* handle, const SerdNode* name, const SerdNode* uri) {
    auto* self = static_cast<Turtle*>(handle);
    const SerdStatus status = serd_env_set_prefix(self->environment_.get(), name, uri);
    if (status == SERD_SUCCESS && self->wanted_ == 0) {
      self->reading_.prefixes.push_back({std::string(view(name)), std::string(view(uri))});
    }
    return status;
  }

  static SerdStatus on_statement(void* handle, SerdStatementFlags, const SerdNode*,
                                 const SerdNode* subject, const SerdNode* predicate,
                                 const SerdNode* object, const SerdNode* datatype,
                                 const SerdNode* language) {
    auto* self = static_cast<Turtle*>(handle);
    ++self->statements_;
    if (self->wanted_ != 0) {
      return self->statements_ < self->wanted_ ? SERD_SUCCESS : SERD_ERR_BAD_ARG;
    }
    Result<void> added = self->add(subject, predicate, object, datatype, language);
    if (added) return SERD_SUCCESS;
    self->error_ = std::move(added.error());
    self->refused_ = self->statements_;
    return SERD_ERR_BAD_ARG;
  }

  static SerdStatus on_error(void* handle, const SerdError* error) {
    auto* self = static_cast<Turtle*>(handle);
    if (self->error_) return SERD_SUCCESS;
    std::array<char, 256> message = {};
    // The analyzer cannot see that serd started the list.
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    std::vsnprintf(message.data(), message.size(), error->fmt, *error->args);
    std::string_view what = message.data();
    while (what.ends_with('\n')) what.remove_suffix(1);
    // A message may quote bytes of a character that it cuts.
    const std::string shown =
        find_invalid_utf8(what) ? "bad character" : one_line(std::string(what));
    self->error_ = Error{"the Turtle is not well-formed, " + shown,
                         at_line(self->where_, error->line), "correct the statement"};
    return SERD_SUCCESS;
  }

  /// The IRI of a node: prefixes spelled out, and resolved against the base.
  Result<std::string_view> iri(const SerdNode* node) {
    if (node->type == SERD_CURIE) {
      SerdChunk prefix = {};
      SerdChunk suffix = {};
      if (serd_env_expand(environment_.get(), node, &prefix, &suffix) != SERD_SUCCESS) {
        return fail("the prefix of " + quoted(view(node)) + " is not declared", where_,
                    "declare it with @prefix");
      }
      std::string& whole = scratch_.next();
      whole = view(prefix);
      whole += view(suffix);
      return whole;
    }
    if (serd_uri_string_has_scheme(node->buf)) return view(node);
    SerdNode absolute = serd_env_expand_node(environment_.get(), node);
    std::string& whole = scratch_.next();
    whole = absolute.buf == nullptr ? view(node) : view(&absolute);
    serd_node_free(&absolute);
    return whole;
  }

  Result<std::string_view> name(const SerdNode* node) {
    if (node->type == SERD_BLANK) {
      std::string& label = scratch_.next();
      label = "_:";
      label += view(node);
      return label;
    }
    LERP_TRY(whole, iri(node));
    if (whole.empty()) return fail("an IRI is empty", where_, "give it a base or a name");
    return iri_name(whole, scratch_);
  }

  Result<void> add(const SerdNode* subject, const SerdNode* predicate, const SerdNode* object,
                   const SerdNode* datatype, const SerdNode* language) {
    if (reading_.observer.stopped()) return tl::unexpected(stopped_error(where_));
    constexpr std::uint64_t report_statements = 1 << 16;
    if (statements_ % report_statements == 0) {
      reading_.report(static_cast<double>(source_.place) /
                      static_cast<double>(source_.text.size()));
    }
    scratch_.clear();
    LERP_TRY(subject_name, name(subject));
    LERP_TRY(relation_iri, iri(predicate));
    const std::string_view relation = iri_name(relation_iri, scratch_);
    if (subject_name.empty() || relation.empty()) {
      return fail("an IRI is empty", where_, "give it a base or a name");
    }
    if (object->type != SERD_LITERAL) {
      LERP_TRY(object_name, name(object));
      if (object_name.empty()) return fail("an IRI is empty", where_, "give it a base or a name");
      return add_fact(reading_, split_, {subject_name, relation, object_name}, where_);
    }
    const std::string_view tag = language == nullptr ? std::string_view() : view(language);
    if (is_label(relation_iri)) {
      reading_.labels.push_back(make_label(subject_name, view(object), tag));
      return {};
    }
    if (!reading_.choices.literals) {
      ++reading_.literals;
      return {};
    }
    std::string_view type;
    if (datatype != nullptr) {
      LERP_TRY(whole, iri(datatype));
      type = whole;
    }
    const std::string_view literal = literal_name(view(object), tag, type, scratch_);
    return add_fact(reading_, split_, {subject_name, relation, literal}, where_);
  }

  const std::string& where_;
  Reading& reading_;
  Split split_;
  Environment environment_;
  Source source_;
  Scratch scratch_;
  std::optional<Error> error_;
  std::uint64_t statements_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t wanted_ = 0;  ///< stop there; 0 is nowhere
};

/// How deep brackets nest outside strings, IRIs and comments. Serd calls itself for each of them.
std::size_t deepest_nesting(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto skip_to = [&](char end) { i = std::min(text.find(end, i + 1), text.size()); };
    if (c == '#') {
      skip_to('\n');
    } else if (c == '<') {
      skip_to('>');
    } else if (c == '\\') {
      ++i;
    } else if (c == '"' || c == '\'') {
      const std::string_view rest = text.substr(i);
      const bool is_long = rest.size() >= 3 && rest[1] == c && rest[2] == c;
      const std::size_t width = is_long ? 3 : 1;
      i += width;
      while (i < text.size() && text.substr(i, width) != rest.substr(0, width)) {
        i += text[i] == '\\' ? 2 : 1;
      }
      i += width - 1;
    } else if (c == '[' || c == '(') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == ')') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

bool looks_like_turtle(std::string_view text) {
  std::string_view rest = without_bom(text);
  while (!rest.empty()) {
    std::string_view copy = rest;
    std::string_view line = take_line(copy);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.empty() && line.front() != '#') {
      rest = line;
      break;
    }
    rest = copy;
  }
  std::string word(rest.substr(0, rest.find_first_of(" \t\r\n<")));
  const bool iri_follows = rest.find('<') != std::string_view::npos;
  if (word == "@prefix" || word == "@base") return iri_follows;
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const bool term = rest.starts_with('<') || rest.starts_with('[') || rest.starts_with('(') ||
                    rest.starts_with("_:");
  if (!term && !((word == "prefix" || word == "base") && iri_follows)) return false;
  const DelimiterGuess guess = guess_delimiter(text);
  return !(guess.consistent && guess.width == 3);
}

Result<void> read_turtle(std::string_view text, const std::string& where, Reading& reading,
                         Split split) {
  LERP_CHECK(check_utf8(text, where));
  text = without_bom(text);
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) {
    return fail("the line holds a zero byte", at_place(where, text, zero), "remove it");
  }
  constexpr std::size_t deepest = 500;
  if (deepest_nesting(text) > deepest) {
    return fail("brackets nest more than 500 deep", where, "name the inner nodes instead");
  }
  constexpr std::size_t page = 4096;
  Turtle turtle(text, where, reading, split);
  auto result = turtle.run(page);
  if (!result && turtle.refused() > 0 && result.error().kind == ErrorKind::failure) {
    result.error().where = at_line(where, Turtle::line_of(text, where, turtle.refused()));
  }
  return result;
}

}  // namespace lerpp::formats
