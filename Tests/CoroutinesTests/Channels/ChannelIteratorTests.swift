// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Coroutines
import Testing

/// An iterator receives: it is a receiver, and no sender.
@Suite("Iterators of a channel", .timeLimit(.minutes(10)))
struct ChannelIteratorTests {
    @Test func `keeps the receiver`() {
        let (iterator, sender) = {
            let pair = CoChannel<Int>().pair
            return (pair.receiver.makeIterator(), pair.sender)
        }()
        #expect(!sender.isCancelled)
        sender.offer(1)
        sender.close()
        #expect(iterator.next() == 1)
        #expect(iterator.next() == nil)
    }

    @Test func `of a mapped receiver keeps it`() {
        let (iterator, sender) = {
            let pair = CoChannel<Int>().pair
            return (pair.receiver.map { $0 * 10 }.makeIterator(), pair.sender)
        }()
        sender.offer(1)
        #expect(iterator.next() == 10)
    }

    @Test func `of a channel keeps a receiver`() {
        let (iterator, sender) = {
            let channel = CoChannel<Int>()
            return (channel.makeIterator(), channel.sender)
        }()
        #expect(!sender.isCancelled)
        sender.offer(1)
        #expect(iterator.next() == 1)
    }

    /// Nobody is left who could send; otherwise the loop never ends.
    @Test func `of a channel that is gone ends`() throws {
        let scheduler = ManualScheduler()
        let elements = scheduler.coroutineFuture {
            let iterator = {
                let channel = CoChannel<Int>()
                channel.offer(1)
                return channel.makeIterator()
            }()
            return Array(iterator)
        }
        scheduler.run()
        #expect(try elements.result?.get() == [1])
    }
}
