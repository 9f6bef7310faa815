// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What must be known about a thread before it is blocked or used.

#ifndef CCOROUTINESTHREADS_H
#define CCOROUTINESTHREADS_H

#include <stdint.h>

/// The kind of a thread.
typedef enum __attribute__((enum_extensibility(closed))) ccoro_thread_kind : uint8_t {
    /// Its own work: it may be blocked.
    ccoro_thread_plain = 0,
    /// The process's first thread, or one that runs the main queue in its place: the main actor needs it.
    ccoro_thread_main,
    /// It runs a Swift task at this moment.
    ccoro_thread_task,
    /// It belongs to Swift's pool, between two tasks: for example in an executor's code.
    ccoro_thread_pool,
} ccoro_thread_kind;

/// The kind of the calling thread.
///
/// Never from `Thread.isMainThread`, which is false on the main thread of a Linux `async main`.
ccoro_thread_kind ccoro_thread(void);

/// A number that tells running threads apart.
__attribute__((noinline)) uintptr_t ccoro_thread_number(void);

#endif
