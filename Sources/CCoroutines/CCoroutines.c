// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CCoroutines.h"

// MARK: Thread-locals

static _Thread_local ccoro_block *current;

ccoro_block *ccoro_current(void) { return current; }

ccoro_block *ccoro_exchange_current(ccoro_block *block) {
    ccoro_block *previous = current;
    current = block;
    return previous;
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
    // One access, of something that nobody else accesses, for as long as the coroutine lives. A generator that it runs
    // remembers where the coroutine's list began when it was resumed. Were the list empty, that would be the thread's list,
    // and another thread's when the coroutine has waited from within the generator.
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
    block->record = NULL;
    block->next = NULL;
    block->fiber = NULL;
    block->suspended_low = block->stack_low;
    block->suspended_size = block->stack_size;
    block->fake_stack = NULL;
    block->request = ccoro_request_none;
    block->is_cancelled = false;
    block->is_unwinding = false;
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
