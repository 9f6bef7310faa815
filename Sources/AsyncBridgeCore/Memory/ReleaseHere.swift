// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Releases a value that was taken out of a lock: here, after the lock.
///
/// Why not `_ =`: an optimised build then releases the value under the lock, where its `deinit` may take the same lock
/// again.
@inlinable @inline(__always)
package func releaseHere<Value>(_ value: consuming Value) { withExtendedLifetime(value) {} }
