// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#ifndef CTASKSTATE_H
#define CTASKSTATE_H

#include <stdbool.h>

// Both are exported by the concurrency runtime, with these names and this calling convention, on every platform:
// swift/Runtime/Concurrency.h. Declared here because Swift code may not name the runtime's symbols itself.
__attribute__((swiftcall)) extern void *_Nullable swift_task_getCurrent(void);
__attribute__((swiftcall)) extern bool swift_task_isCancelled(void *_Nonnull task);

/// Whether the current task is cancelled; `false` outside any task.
///
/// In C because Swift's own `Task.isCancelled` retains and releases the task, which is a sixth of the time of a whole
/// `withCallback` (Benchmarks/README.md). The task is the caller's own, and so alive without that.
static inline bool ctaskstate_is_cancelled(void) {
    void *task = swift_task_getCurrent();
    return task && swift_task_isCancelled(task);
}

#endif
