#include <mutex>

#include <lerp/base/parallel.hpp>
#include <lerp/model/paths.hpp>

#include "model/path_miner.hpp"

namespace lerpp {

Result<PathTable> mine_paths(const Graph& graph, const PathOptions& options,
                             const Observer& observer) {
  LERP_CHECK(check_options(options));
  const OperatorRows rows(graph);
  const FactsByRelation facts(graph);
  std::vector<std::vector<RelationPath>> paths(graph.operators());
  std::mutex mutex;
  std::size_t done = 0;
  std::atomic<std::size_t> next = 0;
  run_workers(worker_count(options.threads), [&](unsigned) {
    PathMiner miner(rows, facts, options);
    for (std::size_t at = next++; at < paths.size() && !observer.stopped(); at = next++) {
      paths[at] = miner.choose(static_cast<OperatorId>(at));
      const std::scoped_lock lock(mutex);
      observer.report({"mining paths", ++done, paths.size(), "targets", {}});
    }
  });
  if (observer.stopped()) return fail_stopped("looking for paths");
  return PathTable(graph.relations(), options.paths, std::move(paths));
}

}  // namespace lerpp
