// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CCoroutines.h"
#include "StackThreads.h"

#include <stdio.h>
#include <stdlib.h>

// MARK: Thread-locals

static _Thread_local ccoro_block *current;

ccoro_block *ccoro_current(void) {
    ccoro_block *block = current;
    return block && block->task == swift_task_getCurrent() ? block : NULL;
}

ccoro_block *ccoro_exchange_current(ccoro_block *block) {
    // The coroutine may have been made on another thread.
    if (block && __builtin_expect(!ccoro_thread_is_fit, 0)) ccoro_thread_begin_running();
    ccoro_block *previous = current;
    current = block;
    return previous;
}

void ccoro_note_resumer(ccoro_block *block) {
    if (__builtin_expect(!ccoro_thread_is_fit, 0)) ccoro_thread_begin_running();
    ccoro_block *around = current;
    void *task = swift_task_getCurrent();
    if (around && around->task == task) {
        // Its task and not a copy: after a wait of a coroutine on a scheduler it may be another one.
        block->running_task = &around->task;
    } else {
        block->task = task;
        block->running_task = &block->task;
    }
}

void ccoro_note_task(ccoro_block *block) {
    block->task = swift_task_getCurrent();
    block->running_task = &block->task;
}

// The task is the current one, and so alive without being retained.
bool ccoro_task_is_cancelled(const ccoro_block *block) { return block->task && swift_task_isCancelled(block->task); }

// MARK: What futures ask for

static casyncbridge_stack running_stack(void) {
    const ccoro_block *block = current;
    return block ? (casyncbridge_stack){(uintptr_t)block->stack_low, block->stack_size} : (casyncbridge_stack){0, 0};
}

static void *current_waiter(void) {
    const ccoro_block *block = ccoro_current();
    return block ? block->driver : NULL;
}

// Here and not in a separate file, which a linker would leave out of an archive.
__attribute__((constructor)) static void introduce_engine(void) {
    static const casyncbridge_engine engine = {running_stack, current_waiter};
    casyncbridge_linked_engine = &engine;
}

// MARK: Beginning and end

// Exported by libswiftCore; swift/Runtime/Exclusivity.h.
extern void swift_beginAccess(void *pointer, uintptr_t *buffer, uintptr_t flags, void *pc);
extern void swift_endAccess(uintptr_t *buffer);

enum { access_read_tracked = 0x20 };

/// The first function on a coroutine's stack.
static void ccoro_begin(void *word) {
    ccoro_block *block = word;
    if (__builtin_expect(ccoro_is_sanitized, 0)) ccoro_sanitizer_continues(block);
    // One access, to memory that no other code accesses, for as long as the coroutine lives. When a generator is
    // resumed, the runtime notes the newest access in progress, and when the generator yields, looks for that access
    // again: the accesses begun since are the generator's. If the generator's body waits meanwhile, as part of the
    // coroutine that resumed it, the coroutine's accesses move with it to another thread, but not those of the first
    // thread. So the noted access must be the coroutine's: it needs at least one.
    swift_beginAccess(block->first_access, block->first_access, access_read_tracked, 0);
    block->body.function(block->body.context);
    swift_endAccess(block->first_access);
    block->request = ccoro_request_finished;
    if (__builtin_expect(ccoro_is_sanitized, 0)) ccoro_sanitizer_suspends(block, true);
    cstack_switch(&block->context, &block->resumer, block);
    __builtin_unreachable();
}

void ccoro_prepare(ccoro_block *block) {
    cstack_prepare(&block->context, block->stack_low, block->stack_size, ccoro_begin);
    block->accesses[0] = 0;
    block->accesses[1] = 0;
    block->operation = NULL;
    block->driver = NULL;
    block->task = NULL;
    block->running_task = &block->task;
    block->record = NULL;
    block->next = NULL;
    block->fiber = NULL;
    block->suspended_low = block->stack_low;
    block->suspended_size = block->stack_size;
    block->fake_stack = NULL;
    block->request = ccoro_request_none;
    block->is_cancelled = false;
    block->is_unwinding = false;
    block->is_running = false;
}

void ccoro_fail_running(const ccoro_block *block) {
    fprintf(
        stderr,
        "Coroutines: BUG: the coroutine with its stack at %p was resumed while it runs, perhaps on another thread\n",
        block->stack_low
    );
    abort();
}

// MARK: Closures

// Called from Swift by their symbols, with a closure as the first parameter: such a parameter is two words.

__attribute__((swiftcall)) void ccoro_store_operation(void *function, void *context, void **destination) {
    destination[0] = function;
    destination[1] = context;
}

typedef __attribute__((swiftcall)) void (*swift_function)(__attribute__((swift_context)) void *context);

/// Calls a Swift closure, whose two words are at `words`.
static void call_swift_closure(void *words) {
    void **closure = words;
    ((swift_function)closure[0])(closure[1]);
}

__attribute__((swiftcall)) void ccoro_store_body(void *function, void *context, ccoro_block *block) {
    block->swift_body[0] = function;
    block->swift_body[1] = context;
    block->body = (ccoro_closure){call_swift_closure, block->swift_body};
}
