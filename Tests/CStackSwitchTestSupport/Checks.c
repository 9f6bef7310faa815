// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Checks.h"
#include "Steps.h"

static const cstacktest_check checks[] = {
    {"words go both ways", check_words, false},
    {"a million round trips", check_many_round_trips, false},
    {"flows resume flows, and switch past each other", check_nested_flows, false},
    {"a suspended context can be moved", check_moved_context, false},
    {"a flow continues on another thread", check_other_thread, false},
    {"a function that switches preserves what its caller relies on", check_preserved_registers, false},
    {"values in registers survive a switch", check_values_in_registers, false},
    {"values in wide vector registers survive a switch", check_wide_vectors, false},
    {"floating-point control is shared", check_float_control_shared, false},
    {"preparing does not touch the stack", check_untouched_stack, false},
    {"the stack is aligned", check_alignment, false},
    {"a frame of variable size survives a switch", check_variable_frame, false},
    {"the red zone of a leaf function survives a switch", check_red_zone, false},
    {"the stack can be used down to its lower end", check_deep_recursion, false},
    {"unwinding ends at the start of the stack", check_unwinding_ends, false},
    {"the chain of frames ends at the start of the stack", check_frame_chain_ends, false},
#if CAN_STEP
    {"a signal at any instruction of a switch can be traced back", check_every_instruction, true},
#endif
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

bool cstacktest_keeps_frames_elsewhere(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    return true;
#endif
#endif
    return false;
}
