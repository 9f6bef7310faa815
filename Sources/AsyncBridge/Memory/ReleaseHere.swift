// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Releases what was taken out of a lock: here, after the lock.
///
/// Why not `_ =`: an optimised build releases the value under the lock then, where its `deinit` may meet the same lock
/// again.
@inline(__always)
package func releaseHere<Value>(_ value: consuming Value) { withExtendedLifetime(value) {} }
