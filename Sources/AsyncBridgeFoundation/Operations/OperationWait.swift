// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation

/// A wait for the end of an operation, which a cancellation ends before the operation's turn has come.
final class OperationWait: Sendable {
    /// A reference that does not keep the callback: one that Foundation drops must be noticed.
    struct Reference {
        private(set) weak var wait: OperationWait?

        init(_ wait: OperationWait) { self.wait = wait }
    }

    private static let timeToBegin = Duration.milliseconds(1)

    private let callback: Callback<Void, any Error>
    private let isOver = OnceFlag()

    init(_ callback: Callback<Void, any Error>) { self.callback = callback }

    /// The operation has ended.
    func end() {
        if self.isOver.setFirst() { self.callback.resume() }
    }

    /// Ends the wait for an operation that was cancelled, unless its work has begun.
    ///
    /// Race: the queue's thread may have found the operation not cancelled, and be about to let `isExecuting` say so. A
    /// few instructions lie between; so that thread has time, and then the operation is checked. By a timer that needs
    /// no thread of Dispatch's, which other work may keep.
    func endUnlessBegun(_ operation: Operation) {
        // Others' code: `isExecuting` may be a subclass's.
        _ = TimedAction(after: Self.timeToBegin, on: .continuous, runsOthersCode: true) {
            guard !operation.isExecuting, !operation.isFinished, self.isOver.setFirst() else { return }
            self.callback.resume(throwing: CancellationError())
        }
    }
}
