// SPDX-License-Identifier: Apache-2.0
#include "kg/ntriples.hpp"

#include "fuzz.hpp"
#include "kg/terms.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  formats::looks_like_ntriples(bytes);
  fuzz::check_reader([] { return formats::Reading(); },
                     [&](formats::Reading& reading) {
                       return formats::read_ntriples(bytes, "x", reading, Split::train);
                     });
  // What was read is written so that it reads the same.
  formats::Reading reading;
  if (!formats::read_ntriples(bytes, "x", reading, Split::train)) return;
  const Dataset& dataset = reading.dataset;
  std::string text;
  for (const Fact& fact : dataset[Split::train]) {
    formats::write_term(dataset.entities.name(fact.subject), formats::TermPlace::subject, text);
    text += ' ';
    formats::write_term(dataset.relations.name(fact.relation), formats::TermPlace::predicate, text);
    text += ' ';
    formats::write_term(dataset.entities.name(fact.object), formats::TermPlace::object, text);
    text += " .\n";
  }
  formats::Reading again;
  fuzz::require(formats::read_ntriples(text, "x", again, Split::train).has_value());
  fuzz::require(again.dataset.splits == dataset.splits);
  fuzz::require(again.dataset.entities.size() == dataset.entities.size());
  for (EntityId id = 0; id < dataset.entities.size(); ++id) {
    fuzz::require(again.dataset.entities.name(id) == dataset.entities.name(id));
  }
}
