// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension Place {
    /// How many waits that began here are going on: each is parked, or about to be in the very next step.
    func waits(of bridge: String) -> Int {
        BridgeDiagnostics.pendingWaits.count { $0.made == self.site && $0.bridge == bridge }
    }
}

/// What tells when a test's own sequence is asked for elements, and lets the test give them.
final class Fountain: AsyncSequence, Sendable {
    typealias Element = Int
    typealias Failure = any Error

    let starts = Log<Int>()
    let ends = Log<SequenceTermination>()
    private let live = Slot<CallbackSequence<Int, any Error>.Sink>()

    /// The source of the iteration that goes on.
    var sink: CallbackSequence<Int, any Error>.Sink? { self.live.value }

    func makeAsyncIterator() -> CallbackSequence<Int, any Error>.AsyncIterator {
        let (live, starts, ends) = (self.live, self.starts, self.ends)
        return CallbackSequence<Int, any Error>.starting { sink in
            sink.onTermination { ends($0) }
            live.put(sink)
            starts(1)
        }
        .makeAsyncIterator()
    }
}
