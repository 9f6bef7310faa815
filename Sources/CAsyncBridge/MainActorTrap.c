// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Words for the trap of code of the main actor that is called elsewhere.

#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/syscall.h>
#endif

#include "CAsyncBridge.h"

#if defined(__linux__)

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Exported by the concurrency runtime: swift/Runtime/Concurrency.h. An executor is its object, null for Swift's pool,
// and its implementation.
typedef struct {
    void *identity;
    uintptr_t implementation;
} executor_reference;
typedef __attribute__((swiftcall)) void (*isolation_check)(executor_reference expected);
typedef __attribute__((swiftcall)) void (*isolation_check_hook)(executor_reference expected, isolation_check check);
// Weak: it is no API, and a later runtime may be without it. Then there are no words.
__attribute__((weak)) extern isolation_check_hook swift_task_checkIsolated_hook;
__attribute__((swiftcall)) extern executor_reference swift_task_getMainExecutor(void);
// dispatch/queue.h, which is not on every search path. Weak: a process may be linked without Dispatch.
__attribute__((weak)) extern const char *dispatch_queue_get_label(void *queue);

static const char *_Atomic explanation;
static _Atomic(isolation_check_hook) next_hook;

/// Whether the main actor's code may run on this thread, for all that is known here: it is the process's first, where a
/// main executor of the program's own would run, or it does the main queue's work.
static bool may_be_main(void) {
    if (syscall(SYS_gettid) == getpid()) return true;
    const char *label = dispatch_queue_get_label ? dispatch_queue_get_label(NULL) : NULL;
    return label && strcmp(label, "com.apple.main-thread") == 0;
}

// The runtime asks here if the code does not run on the expected executor, as far as it knows. The check ends the
// process, unless the executor can tell that the code does run on it.
__attribute__((swiftcall)) static void check_with_words(executor_reference expected, isolation_check check) {
    if (expected.identity == swift_task_getMainExecutor().identity && !may_be_main()) {
        // Once: a replaced check may let the code run.
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
    if (!&swift_task_checkIsolated_hook || atomic_flag_test_and_set(&is_installed)) return;
    atomic_store(&explanation, words);
    atomic_store(&next_hook, __atomic_load_n(&swift_task_checkIsolated_hook, __ATOMIC_ACQUIRE));
    __atomic_store_n(&swift_task_checkIsolated_hook, check_with_words, __ATOMIC_RELEASE);
}

#else

// Elsewhere the runtime has words of its own.
void casyncbridge_explain_main_actor_trap(const char *words) { (void)words; }

#endif
