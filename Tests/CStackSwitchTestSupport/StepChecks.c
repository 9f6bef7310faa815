// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What a profiler in the process sees that interrupts a switch. It must end, wherever it begins: it may miss frames at
// a few instructions, but a signal handler that reads what is no frame ends the process.

#include "Checks.h"
#include "Steps.h"

#if CAN_STEP

#include <unwind.h>

/// More frames than there can be: a walk that finds as many has lost its way.
enum { too_many_frames = 512 };

/// What the visits have found, all of them together.
static struct {
    /// The frame of the check, where walks end that have come so far.
    const uintptr_t *outermost_frame;
    /// Visits whose interrupted instruction did not appear in the backtrace.
    size_t unseen;
    /// Walks that did not end.
    size_t endless;
    /// Visits while the stack pointer was on the flow's stack.
    size_t on_the_flow;
    uintptr_t flow_low;
} seen;

typedef struct search {
    uintptr_t place;
    size_t frames;
    bool found;
} search;

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *word) {
    search *search = word;
    // No return address here, so that of the instruction itself.
    if ((uintptr_t)_Unwind_GetIP(context) == search->place) search->found = true;
    search->frames += 1;
    return search->frames < too_many_frames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// What glibc's `backtrace` does.
static void unwind(const position *position) {
    search search = {.place = position->program_counter};
    _Unwind_Backtrace(look, &search);
    if (!search.found) seen.unseen += 1;
    if (search.frames == too_many_frames) seen.endless += 1;
}

/// What a profiler does that follows the chain of frames.
static void walk(const position *position) {
    const uintptr_t *frame = (const uintptr_t *)position->frame_pointer;
    size_t frames = 0;
    // The code outside of the check may have been compiled without frames.
    while (frame != seen.outermost_frame && frames < too_many_frames) {
        frames += 1;
        const uintptr_t *next = (const uintptr_t *)frame[0];
        // The last frame has neither a caller nor a return address.
        if (frame[1] == 0 && !next) return;
        frame = next;
    }
    if (frames == too_many_frames) seen.endless += 1;
}

static void visit(const position *position) {
    if (position->stack_pointer - seen.flow_low <= flow_stack_size) seen.on_the_flow += 1;
    unwind(position);
    walk(position);
}

NOT_INSTRUMENTED static void suspend_twice(void *word) {
    flow *self = word;
    flow_suspend(self, NULL);
    flow_suspend(self, NULL);
}

NOT_INSTRUMENTED const char *check_every_instruction(void) {
    flow flow;
    flow_begin(&flow, suspend_twice);
    seen.outermost_frame = __builtin_frame_address(0);
    seen.flow_low = (uintptr_t)flow.stack;
    CHECK(steps_prepare(visit));
    STEPS_BEGIN();
    // Begins and suspends; is resumed and ends.
    flow_resume(&flow, &flow);
    flow_resume(&flow, NULL);
    STEPS_END();
    const char *failure = flow_end(&flow);
    // The four switches have some nine instructions each, and there is something between them.
    CHECK(steps_count() > 40);
    CHECK(seen.on_the_flow > 20);
    CHECK(seen.unseen == 0);
    CHECK(seen.endless == 0);
    return failure;
}

#endif
