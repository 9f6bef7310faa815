// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#ifndef CTASKSTATE_H
#define CTASKSTATE_H

#include <stdbool.h>

/// Whether the current task is cancelled; `false` outside any task.
///
/// In C because Swift's own `Task.isCancelled` retains and releases the task, which is a sixth of the time of a whole
/// `withCallback` (Benchmarks/README.md), and because Swift code may not name the runtime's symbols itself.
bool ctaskstate_is_cancelled(void);

#endif
