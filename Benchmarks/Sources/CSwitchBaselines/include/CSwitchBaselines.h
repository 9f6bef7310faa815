// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What a switch between stacks costs without Swift: the least that can be done in C, and what others do.
//
// Each function goes to another stack and back, `iterations` times, on the calling thread. The other side counts, and
// its last count is returned: `iterations`, or something is wrong. Not to be called on two threads at a time.

#ifndef CSWITCHBASELINES_H
#define CSWITCHBASELINES_H

#include <stdbool.h>
#include <stdint.h>

/// A loop in C around one inlined statement, that saves as little as can be.
uint64_t switch_baseline_inlined(uint64_t iterations);

/// A called routine that saves what a callee must preserve, as small libraries have it. No floating-point control.
uint64_t switch_baseline_called(uint64_t iterations);

/// Whether Boost.Context is there.
///
/// Looked for while the program runs, so that it need not be there to build it.
bool switch_baseline_boost_is_available(void);

/// Boost.Context: `jump_fcontext`. Zero if it is not there.
uint64_t switch_baseline_boost(uint64_t iterations);

#endif
