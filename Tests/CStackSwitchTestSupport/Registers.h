// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

/// The number of registers that a function must preserve for its caller.
///
/// On x86-64 rbx, rbp, r12 to r15; on AArch64 x19 to x29, and the lower halves of v8 to v15.
#if defined(__x86_64__)
#define PRESERVED_REGISTERS 6
#else
#define PRESERVED_REGISTERS 19
#endif

/// Calls `body` with `patterns` in the preserved registers, and writes to `found` what is in them afterwards.
///
/// Preserves them itself. Nothing may unwind through it. In Registers.S.
void call_with_patterns(
    void (*body)(void *argument),
    void *argument,
    const uint64_t patterns[PRESERVED_REGISTERS],
    uint64_t found[PRESERVED_REGISTERS]
);

#endif
