// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/syscall.h>
#endif

#include "CCoroutines.h"
#include "CCoroutinesThreads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

// dispatch/queue.h, which is not on every search path. Weak: a process may be linked without Dispatch.
__attribute__((weak)) extern const char *dispatch_queue_get_label(void *queue);

/// The label of the queue that the thread works for; empty if there is none, or no Dispatch.
static const char *queue_label(void) {
    const char *label = dispatch_queue_get_label ? dispatch_queue_get_label(NULL) : NULL;
    return label ? label : "";
}

/// Whether the thread is the process's first, or replaces it.
///
/// Once `dispatch_main` has run, as in every `async main`, Linux has no main thread any more: any thread may run the
/// main queue, and with it the main actor. While such a thread works for another queue, in a `sync` of the main queue's
/// code, it has that queue's label, and is not found.
static bool is_main(void) {
    if (strcmp(queue_label(), "com.apple.main-thread") == 0) return true;
#if defined(__APPLE__)
    return pthread_main_np() != 0;
#else
    return syscall(SYS_gettid) == getpid();
#endif
}

/// Whether the thread works for the queue on which Swift's global executor runs tasks.
static bool is_of_the_pool(void) {
#if defined(__APPLE__)
    return strstr(queue_label(), ".cooperative") != NULL;
#else
    return strcmp(queue_label(), "Swift global concurrent queue") == 0;
#endif
}

ccoro_thread_kind ccoro_thread(void) {
    if (is_main()) return ccoro_thread_main;
    if (swift_task_getCurrent()) return ccoro_thread_task;
    return is_of_the_pool() ? ccoro_thread_pool : ccoro_thread_plain;
}

uintptr_t ccoro_thread_number(void) { return (uintptr_t)pthread_self(); }
