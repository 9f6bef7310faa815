// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Checks.h"

static const cstacktest_check checks[] = {
    {"words go both ways", check_words},
    {"a million round trips", check_many_round_trips},
    {"flows resume flows, and switch past each other", check_nested_flows},
    {"a suspended context can be moved", check_moved_context},
    {"a flow continues on another thread", check_other_thread},
    {"a function that switches preserves what its caller relies on", check_preserved_registers},
    {"values in registers survive a switch", check_values_in_registers},
    {"values in wide vector registers survive a switch", check_wide_vectors},
    {"each flow keeps its floating-point control, if it asks for it", check_float_control_kept},
    {"floating-point control is shared otherwise", check_float_control_shared},
    {"preparing does not touch the stack", check_untouched_stack},
    {"the stack is aligned", check_alignment},
    {"a frame of variable size survives a switch", check_variable_frame},
    {"the red zone of a leaf function survives a switch", check_red_zone},
    {"the stack can be used down to its lower end", check_deep_recursion},
    {"unwinding ends at the start of the stack", check_unwinding_ends},
    {"the chain of frames ends at the start of the stack", check_frame_chain_ends},
};

static const cstacktest_violation violations[] = {
    {"an entry that returns", violate_by_returning, "the entry of a stack returned"},
    {"a stack of no bytes", violate_by_no_bytes, "a stack of no bytes"},
    {"a stack that is not aligned", violate_by_alignment, "not a multiple of 16"},
};

const cstacktest_check *cstacktest_check_at(size_t index) {
    return index < sizeof checks / sizeof checks[0] ? &checks[index] : NULL;
}

const cstacktest_violation *cstacktest_violation_at(size_t index) {
    return index < sizeof violations / sizeof violations[0] ? &violations[index] : NULL;
}
