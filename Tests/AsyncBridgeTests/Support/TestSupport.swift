// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What all tests use: seen in each file of this target.
@_exported import TestSupport

#if THREAD_SANITIZER
import AsyncBridge

/// A name of this module hides that of `Synchronization`.
typealias Mutex = AsyncBridge.Mutex
#endif
