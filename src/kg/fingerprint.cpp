// SPDX-License-Identifier: Apache-2.0
#include <lerp/kg/fingerprint.hpp>

#include "base/run_folder.hpp"
#include "kg/digest.hpp"

namespace lerpp {

std::string fingerprint(const Dataset& dataset) {
  Digest digest;
  for (const Vocabulary* names : {&dataset.entities, &dataset.relations}) {
    for (Vocabulary::Id id = 0; id < names->size(); ++id) {
      digest.add(names->name(id).data(), names->name(id).size());
      digest.add("\n", 1);
    }
  }
  for (const std::vector<Fact>& facts : dataset.splits) digest.add(facts);
  return digest.text();
}

Result<Dataset> load_unchanged(const std::filesystem::path& path, const std::string& known,
                               const LoadOptions& options, const Observer& observer,
                               std::string remedy) {
  LERP_TRY(dataset, load(path, options, observer));
  if (fingerprint(dataset) != known) return changed_data(path, std::move(remedy));
  return std::move(dataset);
}

}  // namespace lerpp
