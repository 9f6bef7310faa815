// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Stack.h"

/// What a callee preserves: in Called.S.
typedef struct registers {
    uint64_t words[22];
} registers;

/// Saves the registers in `from`, loads those of `to`, and returns to where `to` was saved. In Called.S.
void called_switch(registers *from, const registers *to);

static registers caller, counter;
static uint64_t number;

static void count(void) {
    for (number = 0;; number++) called_switch(&counter, &caller);
}

uint64_t switch_baseline_called(uint64_t iterations) {
    static stack stack;
    counter.words[0] = (uintptr_t)stack_top_for_a_jump(&stack);
    counter.words[1] = (uintptr_t)count;
    called_switch(&caller, &counter);
    for (uint64_t i = 0; i < iterations; i++) called_switch(&caller, &counter);
    return number;
}
