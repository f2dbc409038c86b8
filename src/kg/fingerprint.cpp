#define XXH_INLINE_ALL
#include <memory>

#include <fmt/format.h>
#include <xxhash.h>

#include <lerp/kg/fingerprint.hpp>

namespace lerpp {

std::string fingerprint(const Dataset& dataset) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  XXH3_64bits_reset(state.get());
  const auto add = [&](const void* bytes, std::size_t size) {
    XXH3_64bits_update(state.get(), bytes, size);
  };
  for (const Vocabulary* names : {&dataset.entities, &dataset.relations}) {
    for (Vocabulary::Id id = 0; id < names->size(); ++id) {
      add(names->name(id).data(), names->name(id).size());
      add("\n", 1);
    }
  }
  for (const std::vector<Fact>& facts : dataset.splits) {
    const std::uint64_t count = facts.size();
    add(&count, sizeof(count));
    add(facts.data(), facts.size() * sizeof(Fact));
  }
  return fmt::format("{:016x}", XXH3_64bits_digest(state.get()));
}

}  // namespace lerpp
