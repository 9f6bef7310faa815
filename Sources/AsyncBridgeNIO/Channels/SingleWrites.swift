// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import NIOCore

/// Elements that are written by themselves, each after what was sent before it.
struct SingleWrites {
    /// One of them.
    struct Write {
        let data: NIOAny
        /// Gets the result of the write.
        let promise: EventLoopPromise<Void>
        /// Its turn is when this many elements of the senders' channel were taken, and written.
        fileprivate let turn: Int
    }

    /// None until there is a write: an empty buffer takes memory, and most channels have no single writes.
    private var writes: CircularBuffer<Write>?
    /// How many elements of the senders' channel were taken while a write waited.
    private var elementsTaken = 0

    var isEmpty: Bool { self.writes?.isEmpty ?? true }

    mutating func append(_ data: NIOAny, _ promise: EventLoopPromise<Void>, after count: Int) {
        let write = Write(data: data, promise: promise, turn: self.elementsTaken + count)
        if self.writes == nil { self.writes = CircularBuffer() }
        self.writes?.append(write)
    }

    /// An element of the senders' channel is taken, to be written before anything else, if there is one.
    mutating func takeElement() { self.elementsTaken += 1 }

    /// The next one, if it is its turn.
    mutating func popDue() -> Write? {
        guard let first = self.writes?.first, first.turn <= self.elementsTaken else { return nil }
        return self.writes?.popFirst()
    }

    mutating func pop() -> Write? { self.writes?.popFirst() }
}
#endif
