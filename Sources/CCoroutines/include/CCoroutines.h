// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The parts of the engine that Swift cannot express: a control block whose memory no compiler checks or moves,
// thread-locals whose addresses are not kept across a switch, and calls to the runtime and the sanitizers around a
// switch.

#ifndef CCOROUTINES_H
#define CCOROUTINES_H

#include <CAsyncBridge.h>
#include <CStackSwitch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Why a coroutine has switched to its resumer.
typedef enum __attribute__((enum_extensibility(closed))) ccoro_request : uint8_t {
    /// It has not: it runs, or has not begun.
    ccoro_request_none = 0,
    /// Its body has returned; its stack is free.
    ccoro_request_finished,
    /// It waits for an asynchronous operation, `operation`.
    ccoro_request_operation,
    /// It lets other code run.
    ccoro_request_yield,
    /// It waits; its driver parks it.
    ccoro_request_park,
    /// It waits for a callback, as `operation` says: on a scheduler only.
    ccoro_request_callback,
    /// A generator has an element at `operation`.
    ccoro_request_element,
} ccoro_request;

/// A function and its argument.
///
/// With the C convention, because Swift assumes that for every function pointer in a header.
typedef struct ccoro_closure {
    void (*_Nullable function)(void *_Nullable context);
    void *_Nullable context;
} ccoro_closure;

/// A coroutine: everything that the engine knows of one, at the top of its own stack.
///
/// Only the thread that runs or resumes it touches it; whatever hands it from thread to thread orders the accesses.
typedef struct ccoro_block {
    /// The coroutine, while it is suspended.
    cstack_context context;
    /// The context that resumed it, while it runs.
    cstack_context resumer;
    /// Swift's accesses in progress on the coroutine's stack, while it is suspended (runtime: ExclusivityAccessSet).
    uintptr_t accesses[2];
    /// The access that is in progress from the coroutine's first step to its last; see `ccoro_begin`.
    uintptr_t first_access[3];

    /// The lowest address of the stack that may be used.
    void *_Nonnull stack_low;
    /// The number of bytes from there up to this block.
    size_t stack_size;

    /// What the coroutine runs.
    ccoro_closure body;
    /// The two words of a Swift closure of type `() -> Void`, if that is what it runs.
    void *_Nullable swift_body[2];
    /// The argument of `request`.
    void *_Nullable operation;
    /// The driver's object, if this coroutine belongs to no task.
    void *_Nullable driver;
    /// The task that was current when the coroutine was resumed; null if there was none.
    void *_Nullable task;
    /// The `task` that the coroutine's code runs in: its own, or that of the coroutine around it, which may change
    /// while this one waits as part of it.
    void *_Nullable *_Nonnull running_task;
    /// Its entry in the debugging list, if the list is on.
    void *_Nullable record;
    /// Where it was started, for the message of an overflow: the bytes of a literal, which lives as long as the
    /// process.
    const uint8_t *_Nullable started_file;
    uint32_t started_file_size;
    uint32_t started_line;

    /// Links free stacks, or the queue that a suspended coroutine is in.
    struct ccoro_block *_Nullable next;

    /// For sanitizers: the fibre to continue with, the one that resumed, the stack that resumed, the one to continue
    /// on.
    void *_Nullable fiber;
    void *_Nullable resumer_fiber;
    const void *_Nullable resumer_low;
    size_t resumer_size;
    const void *_Nullable suspended_low;
    size_t suspended_size;
    /// For AddressSanitizer: the fake stacks of the two flows, while they are left.
    void *_Nullable fake_stack;
    void *_Nullable resumer_fake_stack;

    /// The slab that the stack is part of, and its place there.
    uint32_t slab;
    uint32_t stack_index;

    /// Why it last switched to its resumer.
    ccoro_request request;
    /// The class of sizes that the stack belongs to.
    uint8_t size_class;
    /// The coroutine must end: every wait throws.
    bool is_cancelled;
    /// Its body is being unwound, because its result is no longer needed.
    bool is_unwinding;
    /// A thread runs it at this moment.
    bool is_running;
} ccoro_block;

// MARK: Thread-locals

// Never inlined: an address of a thread-local that was taken before a switch may be that of another thread after it.

/// The coroutine in which the calling code may wait, if it runs in one.
///
/// Null also in a task that runs on a coroutine's stack, synchronously, and is not the coroutine's own: a
/// `Task.immediate` until it suspends, the jobs of an executor that some function runs. The runtime knows one current
/// task for each thread, and if the coroutine were left from there, its driver would go on as that other task.
__attribute__((noinline)) ccoro_block *_Nullable ccoro_current(void);

/// Notes which coroutine runs on this thread.
///
/// @return The one that was noted before.
__attribute__((noinline)) ccoro_block *_Nullable ccoro_exchange_current(ccoro_block *_Nullable block);

/// Notes that the coroutine runs in the task that is current now.
__attribute__((noinline)) void ccoro_note_task(ccoro_block *_Nonnull block);

/// Whether the coroutine's task was cancelled; false if it runs in none.
bool ccoro_task_is_cancelled(const ccoro_block *_Nonnull block);

/// Notes which task resumes the coroutine in place, and prepares this thread to report an overflow.
__attribute__((noinline)) void ccoro_note_resumer(ccoro_block *_Nonnull block);

/// Whether the calling code, which runs on the coroutine's stack, is the coroutine's.
///
/// It is not if it is part of another task that runs on that stack, synchronously: see `ccoro_current`. Such code must
/// not leave the coroutine.
__attribute__((always_inline)) static inline bool ccoro_runs_in_its_task(const ccoro_block *_Nonnull block) {
    return *block->running_task == swift_task_getCurrent();
}

// MARK: Stacks

/// An address on the stack that the caller runs on.
__attribute__((always_inline)) static inline uintptr_t ccoro_stack_position(void) {
    return (uintptr_t)__builtin_frame_address(0);
}

// MARK: The runtime

// Exported by libswiftCore; swift/Runtime/Exclusivity.h. The list of accesses in progress is a thread's, and its nodes
// lie on the stack: the list must go with the stack. Not weak: every system that the package supports has them, and
// without them nothing here is safe; a system without them must refuse to load the program.
extern void swift_task_enterThreadLocalContext(char *_Nonnull state);
extern void swift_task_exitThreadLocalContext(char *_Nonnull state);

// MARK: Sanitizers

/// Whether a sanitizer is in the process. Constant from before `main`.
extern bool ccoro_is_sanitized;

void ccoro_sanitizer_resumes(ccoro_block *_Nonnull block);
void ccoro_sanitizer_resumed(ccoro_block *_Nonnull block);
void ccoro_sanitizer_suspends(ccoro_block *_Nonnull block, bool for_good);
void ccoro_sanitizer_continues(ccoro_block *_Nonnull block);

/// Called when a stack leaves the pool, and when it is returned.
void ccoro_sanitizer_stack_taken(ccoro_block *_Nonnull block);
void ccoro_sanitizer_stack_returned(ccoro_block *_Nonnull block);

// MARK: Switching

/// Makes a coroutine ready for its first step.
///
/// The caller must set the fields for the stack, and `body`.
///
/// @param block At the top of the stack, 16-byte aligned.
void ccoro_prepare(ccoro_block *_Nonnull block);

/// Notes where a coroutine is started; for each use of a stack, since `ccoro_prepare` does not do it.
static inline void ccoro_note_start(
    ccoro_block *_Nonnull block,
    const uint8_t *_Nullable file,
    size_t file_size,
    size_t line
) {
    block->started_file = file;
    block->started_file_size = (uint32_t)file_size;
    block->started_line = (uint32_t)line;
}

/// Ends the process because a running coroutine was resumed.
__attribute__((noreturn, cold)) void ccoro_fail_running(const ccoro_block *_Nonnull block);

/// Switches to a coroutine, and returns when it finishes or suspends.
///
/// Called only by the functions below.
///
/// @return The coroutine.
__attribute__((always_inline)) static inline ccoro_block *_Nonnull ccoro_switch_to(ccoro_block *_Nonnull block) {
    // Invariant: a coroutine runs on at most one thread at a time. Not atomic: only its driver reads it. A mistake is
    // found nearly always, and by ThreadSanitizer always.
    if (__builtin_expect(block->is_running, 0)) ccoro_fail_running(block);
    block->is_running = true;
    if (__builtin_expect(ccoro_is_sanitized, 0)) ccoro_sanitizer_resumes(block);
    // The word is the block, both ways: with its address in a register after the switch, none is kept in the frame.
    block = (ccoro_block *)cstack_switch(&block->resumer, &block->context, block);
    if (__builtin_expect(ccoro_is_sanitized, 0)) ccoro_sanitizer_resumed(block);
    block->is_running = false;
    return block;
}

/// Runs a coroutine, with its own list of accesses, until it finishes or suspends.
///
/// Called only by the functions below.
__attribute__((always_inline)) static inline void ccoro_resume_with_accesses(ccoro_block *_Nonnull block) {
    swift_task_enterThreadLocalContext((char *)block->accesses);
    block = ccoro_switch_to(block);
    swift_task_exitThreadLocalContext((char *)block->accesses);
}

/// Runs a coroutine until it finishes or suspends, and leaves what it asks for in `request`.
///
/// `ccoro_current` does not change: for coroutines that only yield, and whose body waits as part of the coroutine that
/// resumes it. Control may come back on another thread then.
__attribute__((always_inline)) static inline void ccoro_resume_in_place(ccoro_block *_Nonnull block) {
    ccoro_note_resumer(block);
    ccoro_resume_with_accesses(block);
}

/// Runs a coroutine until it finishes or suspends, and leaves what it asks for in `request`.
///
/// No lock may be held. Nothing else may run this coroutine.
__attribute__((always_inline)) static inline void ccoro_resume(ccoro_block *_Nonnull block) {
    ccoro_block *previous = ccoro_exchange_current(block);
    ccoro_note_task(block);
    ccoro_resume_with_accesses(block);
    ccoro_exchange_current(previous);
}

/// Runs a coroutine that belongs to the current task until it finishes or suspends, and leaves what it asks for in
/// `request`.
///
/// The coroutine begins and ends within one call of an async function, and between its steps that function only awaits
/// what the coroutine asks for. So its accesses are the task's, and the runtime moves them with the task. That costs
/// nothing here, and an operation that accesses what the suspended code is modifying is caught, as it would be in async
/// code.
///
/// `ccoro_note_task` has been called. No lock may be held.
__attribute__((always_inline)) static inline void ccoro_resume_in_task(ccoro_block *_Nonnull block) {
    ccoro_block *previous = ccoro_exchange_current(block);
    ccoro_switch_to(block);
    ccoro_exchange_current(previous);
}

/// Leaves the coroutine for its resumer, and returns when it is resumed, perhaps on another thread.
///
/// Called on the coroutine's own stack, or on one of a generator that it runs. No lock may be held.
__attribute__((always_inline)) static inline void ccoro_suspend(ccoro_block *_Nonnull block, ccoro_request request) {
    block->request = request;
    if (__builtin_expect(ccoro_is_sanitized, 0)) ccoro_sanitizer_suspends(block, false);
    block = (ccoro_block *)cstack_switch(&block->context, &block->resumer, block);
    if (__builtin_expect(ccoro_is_sanitized, 0)) ccoro_sanitizer_continues(block);
}

#endif
