#include <lerp/base/parallel.hpp>
#include <lerp/train/options.hpp>

namespace lerpp {
namespace {

// The paper takes 200 rules on Kinship and UMLS (about a hundred entities) and 4 elsewhere, 4
// epochs on WordNet (41,000 entities) and 10 elsewhere.
constexpr std::uint32_t small_graph = 1000;
constexpr std::uint32_t large_graph = 10'000;

}  // namespace

Result<TrainOptions> preset(std::string_view name) {
  if (name == "paper") return TrainOptions{};
  return fail(fmt::format("there is no preset '{}'", name), "", "give paper", ErrorKind::usage);
}

void resolve(TrainOptions& options, const Dataset& dataset) {
  const std::uint32_t entities = dataset.entities.size();
  if (options.rules.count == 0) options.rules.count = entities <= small_graph ? 200 : 4;
  if (options.train.epochs == 0) options.train.epochs = entities > large_graph ? 4 : 10;
  options.train.threads = worker_count(options.train.threads);
}

ModelShape shape_of(const TrainOptions& options, RelationId relations) {
  return {relations, options.functions.depth == 0 ? 0 : options.functions.width,
          options.functions.depth, options.rules.count, options.rules.length};
}

}  // namespace lerpp
