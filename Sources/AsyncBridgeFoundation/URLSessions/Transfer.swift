// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transfer for which a caller waits, or has waited.
final class Transfer: Sendable {
    private static let abandonedCounter = Atomic(0)

    /// How many abandoned transfers still run.
    static var abandonedCount: Int { self.abandonedCounter.load(ordering: .relaxed) }

    private let state = Mutex(TransferState())

    init() {}

    // Foundation may drop a handler that it never called.
    deinit { self.end() }

    /// Foundation has called back for the last time.
    func end() { self.obey(self.state.withLock { $0.end() }) }

    /// No caller waits any more; `couldBeCut` is what `cuts` said before the transfer started.
    func giveUp(
        _ task: URLSessionTask,
        of session: URLSession,
        _ cancellation: TransferCancellation,
        couldBeCut: Bool
    ) {
        if couldBeCut, cancellation.cuts(task, of: session) {
            task.cancel()
        } else {
            self.abandon()
        }
    }

    /// No caller waits any more, and it continues.
    func abandon() { self.obey(self.state.withLock { $0.abandon() }) }

    private func obey(_ action: TransferState.Action) {
        switch action {
        case .count: Self.abandonedCounter.add(1, ordering: .relaxed)
        case .uncount: Self.abandonedCounter.subtract(1, ordering: .relaxed)
        case .none: break
        }
    }
}
