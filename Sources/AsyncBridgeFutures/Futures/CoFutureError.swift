// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// A failure of a future itself, as opposed to a failure of its work.
///
/// Minor releases may add cases: a `switch` over it needs `@unknown default`.
@nonexhaustive
public enum CoFutureError: Error, Sendable, Hashable {
    /// The wait timed out before the future had a result; its work continues.
    ///
    /// Thrown by ``CoFuture/value(timeout:clock:fileID:line:)``, and by its sister for coroutines,
    /// `CoFuture.await(timeout:clock:fileID:line:)`. Your own branch of a `select` may throw it:
    /// `.after(.seconds(5)) { throw CoFutureError.timeout }`. A wait for a lock throws `BridgeFault`, which
    /// says where the lock was made.
    case timeout

    /// A promise was released without a result; the place is where it was made.
    case promiseDropped(BridgeDiagnostics.CallSite)

    /// `any` and `race` need at least one future.
    case noFutures
}

extension CoFutureError: CustomStringConvertible {
    /// What went wrong and what to do about it, in a sentence or two.
    public var description: String {
        switch self {
        case .timeout:
            "The future had no result when the wait timed out. The work goes on; cancel the future to end it."
        case .promiseDropped(let made):
            "The promise made at \(made) was released without a result. Complete it on every path, early returns and "
                + "failures included."
        case .noFutures:
            "`any` and `race` need at least one future. Check first whether the collection is empty."
        }
    }
}
