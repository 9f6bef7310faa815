// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import Synchronization

/// The lock around a ``ReadWindowState``, which the loop and the consumer share.
@usableFromInline
final class ReadWindow: Sendable {
    private let state: Mutex<ReadWindowState>

    @usableFromInline
    init(low: Int, high: Int) { self.state = Mutex(ReadWindowState(low: low, high: high)) }

    @usableFromInline
    func received(_ size: Int) { self.state.withLock { $0.received(size) } }

    func read() -> Bool { self.state.withLock { $0.read() } }

    @usableFromInline
    func consumed(_ size: Int) -> Bool { self.state.withLock { $0.consumed(size) } }

    func end() -> Bool { self.state.withLock { $0.end() } }
}
#endif
