// SPDX-License-Identifier: Apache-2.0
#include "kg/ntriples.hpp"

#include <cstring>

#include "kg/lines.hpp"
#include "kg/terms.hpp"

namespace lerpp::formats {
namespace {

void skip_blanks(std::string_view& rest) {
  const std::size_t begin = rest.find_first_not_of(" \t");
  rest.remove_prefix(begin == std::string_view::npos ? rest.size() : begin);
}

struct Statement {
  bool nothing = false;  ///< a blank line or a comment
  std::string_view problem;
  Term subject;
  Term relation;
  Term object;
  bool graph = false;  ///< whether a graph was named
};

/// Takes the graph of N-Quads, if there is one. What is wrong with it, or nothing.
std::string_view take_graph(std::string_view& rest, Scratch& scratch, bool& graph) {
  if (!rest.starts_with('<') && !rest.starts_with("_:")) return {};
  const Term term = take_term(rest, scratch);
  if (term.kind == TermKind::bad) return term.problem;
  graph = true;
  skip_blanks(rest);
  return {};
}

Statement parse_statement(std::string_view rest, Scratch& scratch) {
  Statement statement;
  skip_blanks(rest);
  if (rest.empty() || rest.front() == '#') {
    statement.nothing = true;
    return statement;
  }
  for (Term* term : {&statement.subject, &statement.relation, &statement.object}) {
    skip_blanks(rest);
    if (rest.empty() || rest.front() == '.') {
      statement.problem = "the statement has fewer than three terms";
      return statement;
    }
    *term = take_term(rest, scratch);
    if (term->kind == TermKind::bad) {
      statement.problem = term->problem;
      return statement;
    }
    if (term->name.empty()) {
      statement.problem = "an IRI is empty";
      return statement;
    }
  }
  skip_blanks(rest);
  statement.problem = take_graph(rest, scratch, statement.graph);
  if (!statement.problem.empty()) return statement;
  if (statement.subject.kind == TermKind::literal) {
    statement.problem = "the subject is a literal";
  } else if (statement.relation.kind != TermKind::iri) {
    statement.problem = "the predicate is not an IRI";
  } else if (!rest.starts_with('.')) {
    statement.problem = "the statement does not end with a full stop after three terms";
  } else {
    rest.remove_prefix(1);
    skip_blanks(rest);
    if (!rest.empty() && rest.front() != '#') {
      statement.problem = "something follows the full stop";
    }
  }
  return statement;
}

class NTriplesParser : public LineParser {
 public:
  explicit NTriplesParser(bool literals) : literals_(literals) {}

  std::size_t parse(std::string_view text, std::size_t place, Block& block) const override {
    while (place < text.size() && !block.full()) {
      std::string_view rest = text.substr(place);
      const std::string_view line = take_line(rest);
      const Statement statement = parse_statement(line, block.scratch);
      const std::size_t next = text.size() - rest.size();
      if (!statement.problem.empty()) {
        block.bad = place;
        return next;
      }
      if (!statement.nothing) add(place, statement, block);
      place = next;
    }
    return place;
  }

  Error explain(std::string_view line) const override {
    Scratch scratch;
    return {std::string(parse_statement(line, scratch).problem), "",
            "write <subject> <predicate> <object> . on every line"};
  }

 private:
  void add(std::size_t place, const Statement& statement, Block& block) const {
    const Term& object = statement.object;
    if (statement.graph) ++block.graphs;
    if (object.kind == TermKind::literal && is_label(statement.relation.iri)) {
      block.labels.push_back(make_label(statement.subject.name, object.value, object.language));
      return;
    }
    if (object.kind == TermKind::literal && !literals_) {
      ++block.literals;
      return;
    }
    block.add(place, {statement.subject.name, statement.relation.name, object.name});
  }

  bool literals_;
};

}  // namespace

bool looks_like_ntriples(std::string_view text) {
  text = without_bom(text);
  constexpr std::size_t sample = 100;
  std::size_t good = 0;
  std::size_t seen = 0;
  Scratch scratch;
  while (!text.empty() && seen < sample) {
    std::string_view line = take_line(text);
    scratch.clear();
    const Statement statement = parse_statement(line, scratch);
    if (statement.nothing) continue;
    ++seen;
    if (statement.problem.empty()) {
      ++good;
      continue;
    }
    line = line.substr(0, line.find_last_not_of(" \t") + 1);
    // These go on: Turtle.
    if (line.ends_with(';') || line.ends_with(',')) return false;
  }
  return good > 0 && 2 * good >= seen;
}

Result<void> read_ntriples(std::string_view text, const std::string& where, Reading& reading,
                           Split split) {
  LinesOptions options;
  options.entities = reading.entity_kind();
  options.relations = reading.relation_kind();
  const NTriplesParser parser(reading.choices.literals);
  LERP_CHECK(read_lines(without_bom(text), where, reading, split, parser, options));
  return {};
}

}  // namespace lerpp::formats
