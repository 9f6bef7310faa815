// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Checks.h"

#include <unwind.h>

enum { most_frames = 64 };

/// The places that a walk along a stack has found, innermost first.
typedef struct trace {
    uintptr_t places[most_frames];
    size_t count;
} trace;

static void record(trace *trace, uintptr_t place) {
    // Some unwinders report the end itself, as a frame without a place.
    if (place != 0 && trace->count < most_frames) trace->places[trace->count++] = place;
}

/// Whether the last place lies in the routine that a prepared context starts with, and this many others before it.
static bool ends_at_start(const trace *trace, uintptr_t start, size_t others) {
    return trace->count == others + 1 && trace->places[others] - start < 32;
}

static uintptr_t start_of(const flow *flow) {
    return flow->own.program_counter;
}

static _Unwind_Reason_Code record_frame(struct _Unwind_Context *context, void *trace) {
    record(trace, (uintptr_t)_Unwind_GetIP(context));
    return _URC_NO_REASON;
}

/// Follows a call that must leave a frame behind, and so must not become a jump.
static inline void not_the_last_call(void) {
    __asm__ volatile("");
}

__attribute__((noinline)) static void unwind(trace *trace) {
    _Unwind_Backtrace(record_frame, trace);
    not_the_last_call();
}

__attribute__((noinline)) static void unwind_deeper(trace *trace) {
    unwind(trace);
    not_the_last_call();
}

static trace unwound;

static void unwind_inside(void *word) {
    unwind_deeper(&unwound);
    flow_suspend(word, NULL);
}

const char *check_unwinding_ends(void) {
    unwound.count = 0;
    flow flow;
    flow_begin(&flow, unwind_inside);
    uintptr_t start = start_of(&flow);
    flow_resume(&flow, &flow);
    flow_end(&flow);
    // `unwind`, `unwind_deeper`, `unwind_inside`.
    CHECK(ends_at_start(&unwound, start, 3));
    return NULL;
}

/// The address itself, where return addresses are signed as they are stored (AArch64, PAC).
static uintptr_t without_signature(uintptr_t address) {
#if defined(__aarch64__)
    register uintptr_t x30 __asm__("x30") = address;
    __asm__("hint #7" : "+r"(x30));     // xpaclri
    return x30;
#else
    return address;
#endif
}

// A function that asks for the address of its frame gets a frame, whatever the compiler was told to leave out.
__attribute__((noinline)) static void walk(trace *trace) {
    for (uintptr_t *frame = __builtin_frame_address(0); frame; frame = (uintptr_t *)frame[0]) {
        record(trace, without_signature(frame[1]));
    }
}

__attribute__((noinline)) static void walk_deeper(trace *trace) {
    hidden(__builtin_frame_address(0));
    walk(trace);
    not_the_last_call();
}

static trace walked;

static void walk_inside(void *word) {
    hidden(__builtin_frame_address(0));
    walk_deeper(&walked);
    flow_suspend(word, NULL);
}

const char *check_frame_chain_ends(void) {
    walked.count = 0;
    flow flow;
    flow_begin(&flow, walk_inside);
    uintptr_t start = start_of(&flow);
    flow_resume(&flow, &flow);
    flow_end(&flow);
    // Return addresses only: into `walk_deeper`, `walk_inside`.
    CHECK(ends_at_start(&walked, start, 2));
    return NULL;
}
