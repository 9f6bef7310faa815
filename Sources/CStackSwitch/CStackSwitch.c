// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CStackSwitch.h"

#include <stdio.h>
#include <stdlib.h>

/// Where a prepared flow starts: in CStackSwitch.S.
///
/// Declared as data because only its address is needed, and a function's address would be signed on arm64e.
extern const char cstack_start[] __attribute__((visibility("hidden")));

/// Ends the process because the entry of a flow returned, and it has no caller. Called by `cstack_start`.
__attribute__((noreturn, visibility("hidden"))) void cstack_entry_returned(void);

/// Ends the process with a message about a mistake in the caller's code.
__attribute__((noreturn)) static void fail(const char *message) {
    fprintf(stderr, "CStackSwitch: %s\n", message);
    abort();
}

void cstack_entry_returned(void) {
    fail("the entry of a stack returned; it must end by switching to another one, for good");
}

/// The frame that a prepared flow begins with, and with which chains of frames end: no caller, no return address.
///
/// Not simply a null pointer: at the end of the first switch, the frame pointer is already this one while the code is
/// still the switching function's. An unwinder in a signal handler, a profiler's for example, then looks for that
/// function's caller here.
static const uintptr_t last_frame[2] = {0, 0};

void cstack_prepare(cstack_context *context, void *stack_low, size_t size, void (*entry)(void *word)) {
    uintptr_t top = (uintptr_t)stack_low + size;
    if (size == 0) {
        fail("a stack of no bytes; cstack_prepare needs at least the room that its entry uses");
    }
    if (top % 16 != 0) {
        fail("the upper end of a stack is not a multiple of 16; give cstack_prepare a size that makes it one");
    }
    *context = (cstack_context){
        .stack_pointer = top,
        .frame_pointer = (uintptr_t)last_frame,
        .base_pointer = (uintptr_t)entry,
        .program_counter = (uintptr_t)cstack_start,
    };
}
