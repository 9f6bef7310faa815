// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A scheduler that drops the closures that it gets after its shutdown.
///
/// A coroutine that such a scheduler drops before it begins ends with an error: no other code would say that it never
/// ran.
package protocol ShutDownScheduler {
    /// The error; `nil` for a scheduler on top of one that drops nothing, or does so for other reasons.
    var shutDownError: (any Error)? { get }
}
