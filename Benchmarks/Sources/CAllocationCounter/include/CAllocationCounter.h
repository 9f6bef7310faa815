// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdbool.h>

/// Whether allocations can be counted on this system.
bool allocation_counter_works(void);

/// Starts counting the allocations of all threads, from zero.
void allocation_counter_start(void);

/// Stops counting.
///
/// Returns how many blocks all threads have asked for since the start; 0 where that cannot be counted.
long allocation_counter_stop(void);

/// How many bytes of the heap are in use, with what the allocator adds to each block; 0 where that cannot be told.
long allocation_counter_bytes_in_use(void);

#endif
