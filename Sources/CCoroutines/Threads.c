// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/syscall.h>
#endif

#include "CCoroutinesThreads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

// Exported by the concurrency runtime; swift/Runtime/Concurrency.h.
__attribute__((swiftcall)) extern void *swift_task_getCurrent(void);

// dispatch/queue.h, which is not on every search path. Weak: a process may be linked without Dispatch.
__attribute__((weak)) extern const char *dispatch_queue_get_label(void *queue);

/// The label of the queue that the thread works for; empty if it works for none.
static const char *queue_label(void) {
    const char *label = dispatch_queue_get_label ? dispatch_queue_get_label(NULL) : NULL;
    return label ? label : "";
}

static bool is_main(const char *label) {
#if defined(__APPLE__)
    (void)label;
    return pthread_main_np() != 0;
#else
    // Once `dispatch_main` has been called, as at the end of an async `main`, the main queue's work is done by any thread.
    return syscall(SYS_gettid) == getpid() || strcmp(label, "com.apple.main-thread") == 0;
#endif
}

/// Whether the thread works for the queue on which Swift's global executor runs tasks.
static bool is_of_the_pool(const char *label) {
#if defined(__APPLE__)
    return strstr(label, ".cooperative") != NULL;
#else
    return strcmp(label, "Swift global concurrent queue") == 0;
#endif
}

ccoro_thread_kind ccoro_thread(void) {
    const char *label = queue_label();
    if (is_main(label)) return ccoro_thread_main;
    if (swift_task_getCurrent()) return ccoro_thread_task;
    return is_of_the_pool(label) ? ccoro_thread_pool : ccoro_thread_plain;
}

uintptr_t ccoro_thread_number(void) { return (uintptr_t)pthread_self(); }
