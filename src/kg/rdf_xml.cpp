// SPDX-License-Identifier: Apache-2.0
#include "kg/rdf_xml.hpp"

#include "kg/lines.hpp"
#include "kg/terms.hpp"

#ifdef LERP_RAPTOR

#include <algorithm>
#include <memory>
#include <optional>

#include <raptor2.h>

namespace lerpp::formats {
namespace {

using World = std::unique_ptr<raptor_world, decltype(&raptor_free_world)>;
using Uri = std::unique_ptr<raptor_uri, decltype(&raptor_free_uri)>;
using XmlParser = std::unique_ptr<raptor_parser, decltype(&raptor_free_parser)>;

std::string_view view(const unsigned char* text, std::size_t size) {
  return {reinterpret_cast<const char*>(text), size};
}
std::string_view view(raptor_uri* uri) {
  if (uri == nullptr) return {};
  std::size_t size = 0;
  const unsigned char* const text = raptor_uri_as_counted_string(uri, &size);
  return view(text, size);
}

/// Goes through an RDF/XML text once.
class RdfXml {
 public:
  RdfXml(const std::string& where, Reading& reading, Split split)
      : where_(where),
        reading_(reading),
        split_(split),
        world_(raptor_new_world(), &raptor_free_world),
        parser_(nullptr, &raptor_free_parser) {}

  Result<void> run(std::string_view text) {
    if (!world_) return fail("there is not enough memory", where_, "free some memory");
    raptor_world_open(world_.get());
    raptor_world_set_log_handler(world_.get(), this, &on_message);
    parser_.reset(raptor_new_parser(world_.get(), "rdfxml"));
    const Uri base(raptor_new_uri(world_.get(), base_iri()), &raptor_free_uri);
    if (!parser_ || !base) return fail("there is not enough memory", where_, "free some memory");
    // No file of facts makes the program fetch another.
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_NO_NET, nullptr, 1);
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_NO_FILE, nullptr, 1);
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_LOAD_EXTERNAL_ENTITIES, nullptr, 0);
    raptor_parser_set_statement_handler(parser_.get(), this, &on_statement);
    raptor_parser_set_namespace_handler(parser_.get(), this, &on_namespace);
    raptor_parser_parse_start(parser_.get(), base.get());
    constexpr std::size_t piece = std::size_t{1} << 16;
    for (std::size_t place = 0; place < text.size() && !error_; place += piece) {
      if (reading_.observer.stopped()) return tl::unexpected(stopped_error(where_));
      reading_.report(static_cast<double>(place) / static_cast<double>(text.size()));
      const std::string_view part = text.substr(place, piece);
      const bool last = place + part.size() == text.size();
      const int failed = raptor_parser_parse_chunk(
          parser_.get(), reinterpret_cast<const unsigned char*>(part.data()), part.size(),
          last ? 1 : 0);
      if (failed != 0 && !error_) {
        error_ = Error{"the RDF/XML is not well-formed", where_, "correct it"};
      }
    }
    if (error_) return tl::unexpected(*error_);
    return {};
  }

 private:
  /// Names that are relative have no base but the file, which is no part of what they mean.
  static const unsigned char* base_iri() {
    return reinterpret_cast<const unsigned char*>("urn:base:");
  }

  static void on_message(void* handle, raptor_log_message* message) {
    auto* self = static_cast<RdfXml*>(handle);
    if (message->level < RAPTOR_LOG_LEVEL_ERROR || self->error_) return;
    const int line = message->locator == nullptr ? 0 : message->locator->line;
    self->error_ =
        Error{"the RDF/XML is not well-formed, " + one_line(message->text),
              line > 0 ? at_line(self->where_, static_cast<std::uint64_t>(line)) : self->where_,
              "correct it"};
  }

  static void on_namespace(void* handle, raptor_namespace* space) {
    auto* self = static_cast<RdfXml*>(handle);
    const unsigned char* const name = raptor_namespace_get_prefix(space);
    raptor_uri* const iri = raptor_namespace_get_uri(space);
    if (name == nullptr || iri == nullptr) return;
    self->reading_.prefixes.push_back(
        {std::string(reinterpret_cast<const char*>(name)), std::string(view(iri))});
  }

  static void on_statement(void* handle, raptor_statement* statement) {
    auto* self = static_cast<RdfXml*>(handle);
    if (self->error_) return;
    Result<void> added = self->add(*statement);
    if (added) return;
    self->error_ = std::move(added.error());
    raptor_parser_parse_abort(self->parser_.get());
  }

  std::string_view name(const raptor_term* term) {
    if (term->type == RAPTOR_TERM_TYPE_URI) return iri_name(view(term->value.uri), scratch_);
    std::string& label = scratch_.next();
    label = "_:";
    label += view(term->value.blank.string, term->value.blank.string_len);
    return label;
  }

  Result<void> add(const raptor_statement& statement) {
    scratch_.clear();
    const std::string_view subject = name(statement.subject);
    const std::string_view relation_iri = view(statement.predicate->value.uri);
    const std::string_view relation = iri_name(relation_iri, scratch_);
    if (statement.object->type != RAPTOR_TERM_TYPE_LITERAL) {
      return add_named({subject, relation, name(statement.object)});
    }
    const raptor_term_literal_value& literal = statement.object->value.literal;
    const std::string_view value = view(literal.string, literal.string_len);
    const std::string_view language = view(literal.language, literal.language_len);
    if (is_label(relation_iri)) {
      reading_.labels.push_back(make_label(subject, value, language));
      return {};
    }
    if (!reading_.choices.literals) {
      ++reading_.literals;
      return {};
    }
    return add_named(
        {subject, relation, literal_name(value, language, view(literal.datatype), scratch_)});
  }

  Result<void> add_named(const Cells& cells) {
    if (cells.subject.empty() || cells.relation.empty() || cells.object.empty()) {
      return fail("an IRI is empty", where_, "give it a name");
    }
    return add_fact(reading_, split_, cells, where_);
  }

  const std::string& where_;
  Reading& reading_;
  Split split_;
  World world_;
  XmlParser parser_;
  Scratch scratch_;
  std::optional<Error> error_;
};

}  // namespace

Result<void> read_rdf_xml(std::string_view text, const std::string& where, Reading& reading,
                          Split split) {
  LERP_CHECK(check_utf8(text, where));
  return RdfXml(where, reading, split).run(without_bom(text));
}

}  // namespace lerpp::formats

#else

namespace lerpp::formats {

Result<void> read_rdf_xml(std::string_view /*text*/, const std::string& where, Reading& /*reading*/,
                          Split /*split*/) {
  return fail("this is RDF/XML, which this lerp was built without", where,
              "write it as N-Triples, for example with rapper -o ntriples, or build lerp with "
              "libraptor2");
}

}  // namespace lerpp::formats

#endif
