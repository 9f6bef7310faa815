// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What the files of checks share: the list of checks, and a flow with a stack.

#ifndef CHECKS_H
#define CHECKS_H

#include "CStackSwitch.h"
#include "CStackSwitchTestSupport.h"

#include <stdlib.h>

#define CHECKS_STRING(x) #x
#define CHECKS_LINE(x) CHECKS_STRING(x)

/// The place and the text of a condition.
#define CHECKS_TEXT(condition) __FILE_NAME__ ":" CHECKS_LINE(__LINE__) ": " #condition

/// Leaves a check if the condition does not hold.
#define CHECK(condition) \
    do { \
        if (!(condition)) return CHECKS_TEXT(condition); \
    } while (0)

/// A flow on a stack of its own, and the one that resumed it.
typedef struct flow {
    cstack_context own;
    cstack_context resumer;
    void *stack;
    /// What did not hold inside the flow.
    const char *failure;
} flow;

/// Notes a condition that does not hold inside a flow. `flow_end` hands it out.
#define FLOW_CHECK(flow, condition) \
    do { \
        if (!(condition)) (flow)->failure = CHECKS_TEXT(condition); \
    } while (0)

/// Bytes of a flow's stack.
enum { flow_stack_size = 256 * 1024 };

/// Makes a flow. The word of the first resume must be the flow itself.
static inline void flow_begin(flow *self, void (*entry)(void *self)) {
    self->stack = malloc(flow_stack_size);
    self->failure = NULL;
    if (!self->stack) abort();
    cstack_prepare(&self->own, self->stack, flow_stack_size, entry);
}

/// Frees the stack of a flow that has suspended for good. Returns what did not hold inside.
static inline const char *flow_end(flow *self) {
    free(self->stack);
    return self->failure;
}

/// Continues a flow until it suspends.
__attribute__((always_inline)) static inline void *flow_resume(flow *self, void *word) {
    return cstack_switch(&self->resumer, &self->own, word);
}

/// Goes back to the code that resumed the flow.
__attribute__((always_inline)) static inline void *flow_suspend(flow *self, void *word) {
    return cstack_switch(&self->own, &self->resumer, word);
}

/// Hides from the compiler what an address points to.
static inline void *hidden(void *address) {
    __asm__ volatile("" : "+r"(address) : : "memory");
    return address;
}

// WordChecks.c
const char *check_words(void);
const char *check_many_round_trips(void);
const char *check_nested_flows(void);
const char *check_moved_context(void);
const char *check_other_thread(void);
// RegisterChecks.c
const char *check_preserved_registers(void);
const char *check_values_in_registers(void);
const char *check_wide_vectors(void);
// FloatControlChecks.c
const char *check_float_control_shared(void);
// StackChecks.c
const char *check_untouched_stack(void);
const char *check_alignment(void);
const char *check_variable_frame(void);
const char *check_red_zone(void);
const char *check_deep_recursion(void);
// BacktraceChecks.c
const char *check_unwinding_ends(void);
const char *check_frame_chain_ends(void);
// StepChecks.c
const char *check_every_instruction(void);
// Violations.c
void violate_by_returning(void);
void violate_by_no_bytes(void);
void violate_by_alignment(void);

#endif
