// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

NB_MODULE(_core, module) {
  module.doc() = "The library, as the package lerp calls it.";
  lerpp::python::bind_tables(module);
  lerpp::python::bind_data(module);
  lerpp::python::bind_training(module);
  lerpp::python::bind_run(module);
  lerpp::python::bind_ranking(module);
  lerpp::python::bind_events(module);
}
