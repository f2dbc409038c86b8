// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lerp/read/functions.hpp>

#include "model/functions.hpp"

namespace lerpp {

Result<EntityFunctions> entity_functions(const Model& model, const KnownGraph& known,
                                         unsigned threads, const Observer& observer) {
  if (model.shape().functions() == 0) {
    return fail("the model has no functions", "", "train one with functions.depth=1 or more");
  }
  Team team(threads);
  const Buffer<float> padded = all_functions(known.graph(), model.parameters, team, observer);
  if (observer.stopped()) return fail_stopped("computing functions");
  EntityFunctions found;
  found.entities = known.graph().entities();
  found.functions = model.shape().functions();
  found.values.resize(found.entities * found.functions);
  if (found.entities == 0) return found;
  const std::size_t width = padded.size() / found.entities;
  for (std::size_t row = 0; row < found.entities; ++row) {
    std::copy_n(padded.data() + row * width, found.functions,
                found.values.data() + row * found.functions);
  }
  return found;
}

}  // namespace lerpp
