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
        /// How many elements of the senders' channel come before it.
        fileprivate var elementsBefore: Int
    }

    /// Why not a circular buffer: an empty one takes memory, and most channels have no single writes.
    private var writes: [Write] = []

    var isEmpty: Bool { self.writes.isEmpty }

    mutating func append(_ data: NIOAny, _ promise: EventLoopPromise<Void>, after count: Int) {
        self.writes.append(Write(data: data, promise: promise, elementsBefore: count))
    }

    /// An element of the senders' channel was written.
    mutating func elementWritten() {
        for index in self.writes.indices { self.writes[index].elementsBefore -= 1 }
    }

    /// The next one, if it is its turn.
    mutating func popDue() -> Write? {
        guard let first = self.writes.first, first.elementsBefore <= 0 else { return nil }
        return self.writes.removeFirst()
    }

    mutating func pop() -> Write? { self.writes.isEmpty ? nil : self.writes.removeFirst() }
}
#endif
