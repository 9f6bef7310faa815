// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Frames of C between a coroutine and what it waits for.

#ifndef CFRAMES_H
#define CFRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Calls `visit` with 0, 1, … `count - 1` and adds up what it returns, in `depth` nested frames of C.
///
/// Each frame keeps a pattern on its stack and in registers across the calls, and checks it.
///
/// @return The sum, or -1 if a frame was damaged.
int64_t cframes_sum(
    int32_t depth, int32_t count, int64_t (*_Nonnull visit)(int32_t index, void *_Nullable context),
    void *_Nullable context
);

/// Sums floating-point numbers that it keeps in registers while it calls `visit` between any two of them.
double cframes_sum_floats(
    int32_t count, void (*_Nonnull visit)(int32_t index, void *_Nullable context), void *_Nullable context
);

/// The number of bytes that `malloc` has handed out in all arenas, and not got back; 0 where that cannot be asked.
size_t cframes_allocated_bytes(void);

/// Whether AddressSanitizer or ThreadSanitizer is at work.
bool cframes_has_sanitizer(void);

#endif
