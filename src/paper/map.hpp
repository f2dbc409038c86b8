// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/paper/paper.hpp>

namespace lerpp {

/// Where each piece of the paper is: the file that computes it, and the verb or option that shows
/// it.
PaperPart::Table map_of_paper();
/// What the paper has and the program has not, and why.
PaperPart::Table left_out_of_paper();

}  // namespace lerpp
