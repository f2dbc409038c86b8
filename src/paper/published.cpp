// SPDX-License-Identifier: Apache-2.0
#include "paper/published.hpp"

#include <array>

namespace lerpp {
namespace {

constexpr std::array rows = {
    PublishedRow{"family", "LERP", .970, .947, .997},
    PublishedRow{"family", "DRUM", .958, .927, .996},
    PublishedRow{"family", "Neural LP", .931, .880, .994},
    PublishedRow{"wn18", "LERP", .958, .932, .987},
    PublishedRow{"wn18", "DRUM", .944, .939, .954},
    PublishedRow{"wn18", "Neural LP", .94},
    PublishedRow{"wn18rr", "LERP", .622, .593, .682},
    PublishedRow{"wn18rr", "DRUM", .486, .425, .586},
    PublishedRow{"wn18rr", "Neural LP", .435, .371, .566},
    PublishedRow{"kinship", "LERP", .643, {}, {}, true},
    PublishedRow{"kinship", "DRUM", .534},
    PublishedRow{"kinship", "Neural LP", .302},
    PublishedRow{"umls", "LERP", .762, {}, {}, true},
    PublishedRow{"umls", "DRUM", .695},
    PublishedRow{"umls", "Neural LP", .483},
};

constexpr std::array references = {
    ReferenceTime{"family", false, 60, "5 epochs"},
    ReferenceTime{"kinship", false, 132, "10 epochs, 4,800 rules a target"},
    ReferenceTime{"kinship", true, 165, "10 epochs, 4,800 rules a target"},
    ReferenceTime{"umls", false, 222, "15 epochs, 800 rules a target"},
    ReferenceTime{"umls", true, 190, "10 epochs, 800 rules a target"},
    ReferenceTime{"wn18rr", false, 24'480, "4 epochs, from the time of a batch"},
};

constexpr std::array event_rows = {
    PublishedEvents{"event-general", "LERP", .672, .347},
    PublishedEvents{"event-general", "Event Graph Model", .520, .401},
    PublishedEvents{"event-ied", "LERP", .978, .242},
    PublishedEvents{"event-ied", "Event Graph Model", .691, .223},
};

}  // namespace

const PublishedRow* find_published(std::string_view dataset, std::string_view method) {
  for (const PublishedRow& row : rows) {
    if (row.dataset == dataset && row.method == method) return &row;
  }
  return nullptr;
}

const ReferenceTime* find_reference(std::string_view dataset, bool on_valid) {
  for (const ReferenceTime& time : references) {
    if (time.dataset == dataset && time.on_valid == on_valid) return &time;
  }
  return nullptr;
}

std::span<const PublishedEvents> published_events() {
  return event_rows;
}

}  // namespace lerpp
