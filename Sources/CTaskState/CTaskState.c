// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CTaskState.h"

// Both are exported by the concurrency runtime, with these names and this calling convention, on every platform:
// `swift/Runtime/Concurrency.h`. The task is the caller's own and so alive.
__attribute__((swiftcall)) extern void *_Nullable swift_task_getCurrent(void);
__attribute__((swiftcall)) extern bool swift_task_isCancelled(void *_Nonnull task);

bool ctaskstate_is_cancelled(void) {
    void *task = swift_task_getCurrent();
    return task && swift_task_isCancelled(task);
}
