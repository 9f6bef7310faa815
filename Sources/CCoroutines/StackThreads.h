// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Shared by the files of this module, and private to it.

#ifndef STACKTHREADS_H
#define STACKTHREADS_H

#include "CCoroutines.h"

#include <stdbool.h>
#include <stddef.h>

/// Whether `ccoro_thread_begin`, or the function below, has done its work on this thread.
__attribute__((visibility("hidden"))) extern _Thread_local bool ccoro_thread_is_fit;

/// Does what `ccoro_thread_begin` does, on a thread that runs a coroutine made by another thread.
__attribute__((noinline, cold, visibility("hidden"))) void ccoro_thread_begin_running(void);

/// Gives this thread a signal stack, unless it has one that is large enough.
///
/// @return Its memory, for `ccoro_signal_stack_end`; null if none was made.
__attribute__((visibility("hidden"))) void *ccoro_signal_stack_begin(void);
__attribute__((visibility("hidden"))) void ccoro_signal_stack_end(void *memory);

#endif
