// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Runs code one instruction at a time, and calls a function before each, in a signal handler: as a profiler does, but
// at every place.

#ifndef STEPS_H
#define STEPS_H

#if defined(__linux__)
#define CAN_STEP 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where the flow that a signal has interrupted stands.
typedef struct position {
    uintptr_t program_counter;
    uintptr_t stack_pointer;
    uintptr_t frame_pointer;
} position;

/// Makes this process ready to step.
///
/// @param visit Called in a handler of SIGTRAP, on the stack of the flow that is interrupted.
/// @return Whether the handler is installed.
bool steps_prepare(void (*visit)(const position *position));

/// The number of instructions that were visited.
size_t steps_count(void);

// `STEPS_BEGIN` and `STEPS_END` stand before and after the code to step through. They trap, and the handler tells one
// from the other. The code in between must not be instrumented: see `NOT_INSTRUMENTED`.
#if defined(__x86_64__)
#define STEPS_BEGIN() __asm__ volatile("int3" : : : "memory")
#define STEPS_END() __asm__ volatile("int3" : : : "memory")
#else
#define STEPS_BEGIN() __asm__ volatile("brk #1" : : : "memory")
#define STEPS_END() __asm__ volatile("brk #2" : : : "memory")
#endif

/// For functions in which only their own instructions are to be visited.
#define NOT_INSTRUMENTED __attribute__((disable_sanitizer_instrumentation))

#else
#define CAN_STEP 0
#endif

#endif
