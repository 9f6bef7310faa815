// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CFrames.h"

#if defined(__linux__)
#include <malloc.h>
#endif

#include <stddef.h>

static uint8_t pattern(int32_t depth, size_t index) { return (uint8_t)(depth * 31 + (int32_t)index * 7 + 1); }

int64_t cframes_sum(
    int32_t depth, int32_t count, int64_t (*visit)(int32_t index, void *context), void *context
) {
    volatile uint8_t bytes[64];
    for (size_t index = 0; index < sizeof bytes; index++) bytes[index] = pattern(depth, index);
    int64_t sum = 0;
    if (depth > 1) {
        sum = cframes_sum(depth - 1, count, visit, context);
    } else {
        for (int32_t index = 0; index < count; index++) sum += visit(index, context);
    }
    for (size_t index = 0; index < sizeof bytes; index++) {
        if (bytes[index] != pattern(depth, index)) return -1;
    }
    return sum;
}

double cframes_sum_floats(int32_t count, void (*visit)(int32_t index, void *context), void *context) {
    double a = 0.5, b = 0.25, c = 0.125, sum = 0;
    for (int32_t index = 0; index < count; index++) {
        visit(index, context);
        sum += a;
        a += 1, b += a, c += b;
        visit(index, context);
        sum += b + c;
    }
    return sum;
}

#if defined(__GLIBC__)
size_t cframes_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    // What was mapped for large blocks is counted apart.
    return info.uordblks + info.hblkhd;
}
#else
size_t cframes_allocated_bytes(void) { return 0; }
#endif

bool cframes_has_sanitizer(void) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#else
    return false;
#endif
}
