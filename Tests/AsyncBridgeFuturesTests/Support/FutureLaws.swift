// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Synchronization
import Testing

/// Reports what a suite of laws has found.
func expectNone(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
    let list = violations.map(\.description).joined(separator: "\n")
    #expect(violations.isEmpty, "\(list)", sourceLocation: sourceLocation)
}

extension CoFuture where Value == Int {
    /// A future of a source's answer, which is cancelled with it.
    ///
    /// A future does not tell a cancellation from a `CancellationError` of the source's own; so who cancels asks first
    /// whether the source has answered.
    static func answer(of source: OneShotSource) -> CoFuture<Int> {
        let handle = Mutex<SourceHandle?>(nil)
        let hasAnswered = Flag()
        let future = CoFuture<Int>(promise: { callback in
            let started = source.start {
                hasAnswered.set()
                callback($0)
            }
            handle.withLock { $0 = started }
        })
        if let handle = handle.withLock({ $0 }) {
            future.whenCanceled { if !hasAnswered.isSet { handle.cancel() } }
        }
        return future
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    func set() { self.value.store(true, ordering: .releasing) }

    var isSet: Bool { self.value.load(ordering: .acquiring) }
}
