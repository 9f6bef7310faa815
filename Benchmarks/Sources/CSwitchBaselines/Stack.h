// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#ifndef STACK_H
#define STACK_H

#include "CSwitchBaselines.h"

#include <stddef.h>

/// Memory for the other side.
typedef struct stack {
    _Alignas(64) char bytes[64 * 1024];
} stack;

/// Its upper end, where it begins.
static inline char *stack_top(stack *stack) {
    return stack->bytes + sizeof stack->bytes;
}

/// The stack pointer of a function that is jumped to as if it had been called, but returns nowhere.
static inline char *stack_top_for_a_jump(stack *stack) {
#if defined(__x86_64__)
    // Below the place of the return address.
    return stack_top(stack) - 8;
#else
    return stack_top(stack);
#endif
}

/// Hides from the compiler what an address points to.
static inline void *hidden(void *address) {
    __asm__ volatile("" : "+r"(address) : : "memory");
    return address;
}

#endif
