// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Words for the trap of code of the main actor that is called in a task elsewhere.

#include "CAsyncBridge.h"

#if defined(__linux__)

#include <stdatomic.h>
#include <stdio.h>

// Exported by the concurrency runtime: swift/Runtime/Concurrency.h. An executor is its object, null for Swift's pool,
// and its implementation.
typedef struct {
    void *identity;
    uintptr_t implementation;
} executor_reference;
typedef __attribute__((swiftcall)) void (*isolation_check)(executor_reference expected);
typedef __attribute__((swiftcall)) void (*isolation_check_hook)(executor_reference expected, isolation_check check);
extern isolation_check_hook swift_task_checkIsolated_hook;
__attribute__((swiftcall)) extern executor_reference swift_task_getMainExecutor(void);
__attribute__((swiftcall)) extern executor_reference swift_task_getCurrentExecutor(void);

static const char *_Atomic explanation;
static _Atomic(isolation_check_hook) next_hook;

// The runtime asks here if the code does not run on the expected executor, as far as it knows. The check ends the
// process, unless the executor can tell that the code does run on it: the main queue, called without a task.
__attribute__((swiftcall)) static void check_with_words(executor_reference expected, isolation_check check) {
    if (expected.identity == swift_task_getMainExecutor().identity && swift_task_getCurrent() &&
        !swift_task_getCurrentExecutor().identity) {
        // Once: a task executor may run its tasks on the main queue, and then the check succeeds.
        const char *words = atomic_exchange(&explanation, NULL);
        if (words) fputs(words, stderr);
    }
    isolation_check_hook next = atomic_load(&next_hook);
    if (next) {
        next(expected, check);
    } else {
        check(expected);
    }
}

void casyncbridge_explain_main_actor_trap(const char *words) {
    static atomic_flag is_installed = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&is_installed)) return;
    atomic_store(&explanation, words);
    atomic_store(&next_hook, __atomic_load_n(&swift_task_checkIsolated_hook, __ATOMIC_ACQUIRE));
    __atomic_store_n(&swift_task_checkIsolated_hook, check_with_words, __ATOMIC_RELEASE);
}

#else

// Elsewhere the runtime has words of its own.
void casyncbridge_explain_main_actor_trap(const char *words) { (void)words; }

#endif
