// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/files.hpp>
#include <lerp/kg/generate.hpp>

namespace lerpp {

Result<void> write_generated(const Generated& generated, const std::filesystem::path& folder,
                             WriteFormat format, const Observer& observer) {
  // The dataset goes into a folder of its own inside the staged one, and moves out with the rules.
  LERP_TRY(staged, StagedFolder::create(folder));
  const std::filesystem::path inner = staged.path() / "dataset";
  LERP_CHECK(write_dataset(generated.dataset, inner, format, observer));
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(inner, error)) {
    files.push_back(entry.path());
  }
  for (const std::filesystem::path& file : files) {
    if (!error) std::filesystem::rename(file, staged.path() / file.filename(), error);
  }
  if (!error) std::filesystem::remove(inner, error);
  if (error) {
    return fail("the files cannot be moved: " + error.message(), folder.string(),
                "check the permissions and the space left");
  }
  std::string rules;
  for (const std::string& rule : generated.rules) rules += rule + '\n';
  LERP_CHECK(write_file(staged.path() / "rules.txt", rules));
  return staged.commit();
}

}  // namespace lerpp
