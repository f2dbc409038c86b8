// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>

#include <lerp/base/crew.hpp>

namespace lerpp {
namespace {

namespace fs = std::filesystem;

constexpr const char* module_name = "liblerp_mpi.so";

unsigned number_in(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// How many processes the launcher says it has started: 1 where there is none, 0 where it does not
/// say.
unsigned launched() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const unsigned count = number_in(variable); count > 0) return count;
  }
  return std::getenv("PMIX_RANK") != nullptr ? number_in("SLURM_STEP_NUM_TASKS") : 1;
}

Result<fs::path> find_module() {
  std::error_code code;
  const fs::path binary = fs::read_symlink("/proc/self/exe", code).parent_path();
  for (const fs::path& place : {binary, binary.parent_path() / "lib" / "lerp"}) {
    if (fs::exists(place / module_name, code)) return place / module_name;
  }
  return fail("this lerp was built without MPI and cannot work in several processes",
              binary / module_name,
              "install libopenmpi-dev and build it again, or start it without mpirun");
}

}  // namespace

unsigned launched_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    if (std::getenv(variable) != nullptr) return number_in(variable);
  }
  return 0;
}

Result<Crew> join_crew() {
  const unsigned count = launched();
  if (count == 1) return Crew{};
  LERP_TRY(path, find_module());
  // Open MPI loads plugins of its own, which look for its names among those of the program.
  void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) {
    return fail(std::string("the MPI module cannot be loaded, ") + ::dlerror(), path,
                "install openmpi-bin, or start lerp without mpirun");
  }
  using Make = CrewLink* (*)(int);
  const auto make = reinterpret_cast<Make>(::dlsym(module, "lerp_make_link"));
  std::unique_ptr<CrewLink> link(make == nullptr ? nullptr : make(crew_link_version));
  if (!link) {
    return fail("the MPI module belongs to another version of lerp", path, "build both again");
  }
  if (count > 0 && link->size() != count) {
    return fail("the launcher started " + std::to_string(count) + " processes, and MPI sees " +
                    std::to_string(link->size()),
                path, "start lerp with the mpirun of the MPI that it was built with");
  }
  return link->size() == 1 ? Crew{} : Crew(std::move(link));
}

}  // namespace lerpp
