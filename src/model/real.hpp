// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the templates of the engine are compiled for: single precision. Tests compare it with
/// double precision, and for them alone every source that names this is compiled once more
/// (tests/CMakeLists.txt).
#ifdef LERP_DOUBLE
#define LERP_REAL double
#else
#define LERP_REAL float
#endif
