// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Coroutines

/// Every public way of sending and receiving, beside the fastest.
enum ChannelWayContests {
    static let contests = [
        Self.received(.bounded(capacity: 64), "64"), Self.received(.rendezvous, "no buffer"),
        Self.sent, Self.withoutWaiting, Self.callbacks, Self.receivedInTasks, Self.sentInTasks,
    ]

    private static let best = "CoChannel.awaitReceive"

    /// What a user without `map` would write: a closure of which the receiving code sees only the type.
    private static let byHand = "a closure that receives and adds"

    @inline(never)
    private static func byHand<Next: Sendable>(_ next: Next) -> Next { next }

    // MARK: In coroutines of one scheduler

    private static func received(_ type: BufferingPolicy, _ name: String) -> Contest {
        let entrants: [Entrant] = [
            .peer(Self.best) { elements in
                try await Self.pass(elements, type) { channel in
                    { try Self.sum { try channel.awaitReceive() } }
                }
            },
            .ours("Receiver.awaitReceive", .against(Self.best, atMost: 1.15)) { elements in
                try await Self.pass(elements, type) { channel in
                    let receiver = channel.receiver
                    return { try Self.sum { try receiver.awaitReceive() } }
                }
            },
            .peer(Self.byHand) { elements in
                try await Self.pass(elements, type) { channel in
                    let next = Self.byHand { @Sendable () throws -> Int in try channel.awaitReceive() &+ 1 }
                    return { try Self.sum { try next() } }
                }
            },
            .ours(
                "mapped Receiver.awaitReceive",
                .against(Self.best, atMost: 1.15),
                .against(Self.byHand)
            ) { elements in
                try await Self.pass(elements, type) { channel in
                    let receiver = channel.map { $0 &+ 1 }
                    return { try Self.sum { try receiver.awaitReceive() } }
                }
            },
            .ours("for in CoChannel.makeIterator", .against(Self.best, atMost: 1.15)) { elements in
                try await Self.pass(elements, type) { channel in
                    {
                        var sum = 0
                        for element in channel.makeIterator() { sum &+= element }
                        return sum
                    }
                }
            },
            .ours("for in Receiver.makeIterator", .against(Self.best, atMost: 1.15)) { elements in
                try await Self.pass(elements, type) { channel in
                    let receiver = channel.receiver
                    return {
                        var sum = 0
                        for element in receiver.makeIterator() { sum &+= element }
                        return sum
                    }
                }
            },
            .ours(
                "for in mapped Receiver.makeIterator",
                .against(Self.best, atMost: 1.15),
                .against(Self.byHand)
            ) { elements in
                try await Self.pass(elements, type) { channel in
                    let receiver = channel.map { $0 &+ 1 }
                    return {
                        var sum = 0
                        for element in receiver.makeIterator() { sum &+= element }
                        return sum
                    }
                }
            },
        ]
        return Contest("CoChannel, ways of receiving in a coroutine, \(name)", operations: 100_000, entrants)
    }

    private static let sent = Contest(
        "CoChannel, ways of sending in a coroutine, 64",
        operations: 100_000,
        [
            .peer("CoChannel.awaitSend") { elements in
                try await Self.pass(elements, .bounded(capacity: 64)) { channel in
                    { try Self.sum { try channel.awaitReceive() } }
                }
            },
            .ours("Sender.awaitSend", .against("CoChannel.awaitSend", atMost: 1.15)) { elements in
                let channel = CoChannel<Int>(buffering: .bounded(capacity: 64))
                let sender = channel.sender
                let scheduler = SerialScheduler()
                scheduler.startCoroutine {
                    for element in 0..<elements { try sender.awaitSend(element) }
                    sender.close()
                }
                keep(try await scheduler.coroutineFuture { try Self.sum { try channel.awaitReceive() } }.value)
            },
        ]
    )

    /// Sends elements in one coroutine, and receives them in another one.
    private static func pass(
        _ elements: Int,
        _ type: BufferingPolicy,
        _ receiving: (CoChannel<Int>) -> @Sendable () throws -> Int
    ) async throws {
        let channel = CoChannel<Int>(buffering: type)
        let scheduler = SerialScheduler()
        let receive = receiving(channel)
        scheduler.startCoroutine {
            for element in 0..<elements { try channel.awaitSend(element) }
            channel.close()
        }
        keep(try await scheduler.coroutineFuture { try receive() }.value)
    }

    @inline(__always)
    private static func sum(_ next: () throws -> Int) throws -> Int {
        var sum = 0
        do { while true { sum &+= try next() } } catch CoChannelError.closed { return sum }
    }

    // MARK: Without waiting

    private static let withoutWaiting = Contest(
        "CoChannel, an element there and back without a wait",
        operations: 200_000,
        [
            .peer("CoChannel.offer, CoChannel.poll") { elements in
                let channel = CoChannel<Int>()
                for element in 0..<elements {
                    channel.offer(element)
                    keep(channel.poll())
                }
            },
            .ours("Sender.offer, Receiver.poll", .against(Self.polled, atMost: 1.15)) { elements in
                let (receiver, sender) = CoChannel<Int>().pair
                for element in 0..<elements {
                    sender.offer(element)
                    keep(receiver.poll())
                }
            },
            .peer(Self.byHand) { elements in
                let channel = CoChannel<Int>()
                let next = Self.byHand { @Sendable () -> Int? in channel.poll().map { $0 &+ 1 } }
                for element in 0..<elements {
                    channel.offer(element)
                    keep(next())
                }
            },
            .ours(
                "Sender.offer, mapped Receiver.poll",
                .against(Self.polled, atMost: 1.15),
                .against(Self.byHand)
            ) { elements in
                let channel = CoChannel<Int>()
                let (receiver, sender) = (channel.map { $0 &+ 1 }, channel.sender)
                for element in 0..<elements {
                    sender.offer(element)
                    keep(receiver.poll())
                }
            },
            .ours("CoChannel.awaitSend, awaitReceive", .against(Self.polled)) { elements in
                let channel = CoChannel<Int>()
                try Self.alternate(elements, { try channel.awaitReceive() }, { try channel.awaitSend($0) })
            },
            .ours(
                "Sender.awaitSend, Receiver.awaitReceive",
                .against("CoChannel.awaitSend, awaitReceive", atMost: 1.15)
            ) {
                elements in
                let (receiver, sender) = CoChannel<Int>().pair
                try Self.alternate(elements, { try receiver.awaitReceive() }, { try sender.awaitSend($0) })
            },
            .ours("send, receive, in a task", .against(Self.polled)) { elements in
                let (receiver, sender) = CoChannel<Int>().pair
                for element in 0..<elements {
                    try await sender.send(element)
                    keep(try await receiver.receive())
                }
            },
        ]
    )

    private static let polled = "CoChannel.offer, CoChannel.poll"

    // Synchronous, as the functions are.
    @inline(__always)
    private static func alternate(_ elements: Int, _ receive: () throws -> Int, _ send: (Int) throws -> Void) throws {
        for element in 0..<elements {
            try send(element)
            keep(try receive())
        }
    }

    // MARK: Callbacks and futures

    private static let callbacks = Contest(
        "CoChannel, callbacks and futures",
        operations: 100_000,
        [
            .ours("whenReceive, an element is there", .against(Self.called)) { elements in
                let (channel, sum) = (CoChannel<Int>(), Sum())
                for element in 0..<elements {
                    channel.offer(element)
                    channel.whenReceive { if case .success(let element) = $0 { sum.value &+= element } }
                }
                keep(sum)
            },
            .peer(Self.called) { elements in
                let (channel, sum) = (CoChannel<Int>(), Sum())
                for element in 0..<elements {
                    channel.whenReceive { if case .success(let element) = $0 { sum.value &+= element } }
                    channel.offer(element)
                }
                keep(sum)
            },
            .ours("Receiver.whenReceive, then offer", .against(Self.called, atMost: 1.15)) { elements in
                let (channel, sum) = (CoChannel<Int>(), Sum())
                let receiver = channel.receiver
                for element in 0..<elements {
                    receiver.whenReceive { if case .success(let element) = $0 { sum.value &+= element } }
                    channel.offer(element)
                }
                keep(sum)
            },
            .ours("receiveFuture, then offer", .against(Self.called)) { elements in
                let channel = CoChannel<Int>()
                for element in 0..<elements {
                    let future = channel.receiveFuture()
                    channel.offer(element)
                    keep(future.result)
                }
            },
            .ours("Receiver.receiveFuture, then offer", .against(Self.called)) { elements in
                let channel = CoChannel<Int>()
                let receiver = channel.receiver
                for element in 0..<elements {
                    let future = receiver.receiveFuture()
                    channel.offer(element)
                    keep(future.result)
                }
            },
            .ours("sendFuture, a promise, then poll", .against(Self.called)) { elements in
                let channel = CoChannel<Int>()
                for element in 0..<elements {
                    let promise = CoPromise<Int>()
                    channel.sendFuture(promise)
                    promise.success(element)
                    keep(channel.poll())
                }
            },
        ]
    )

    private static let called = "CoChannel.whenReceive, then offer"

    // MARK: In tasks

    private static let loop = "for await in CoChannel"

    private static let receivedInTasks = Contest(
        "CoChannel, ways of receiving in a task, without a wait",
        operations: 100_000,
        [
            .peer(Self.loop) { elements in
                try await Self.receiveInTask(elements) { channel in
                    var sum = 0
                    for try await element in channel { sum &+= element }
                    return sum
                }
            },
            .ours("CoChannel.receive", .against(Self.loop, atMost: 1.15)) { elements in
                try await Self.receiveInTask(elements) { channel in
                    var sum = 0
                    do { while true { sum &+= try await channel.receive() } } catch CoChannelError.closed { return sum }
                }
            },
            .ours("for await in Receiver", .against(Self.loop, atMost: 1.15)) { elements in
                try await Self.receiveInTask(elements) { channel in
                    var sum = 0
                    for try await element in channel.receiver { sum &+= element }
                    return sum
                }
            },
            .ours("Receiver.receive", .against(Self.loop, atMost: 1.15)) { elements in
                try await Self.receiveInTask(elements) { channel in
                    var sum = 0
                    let receiver = channel.receiver
                    do { while true { sum &+= try await receiver.receive() } } catch CoChannelError.closed {
                        return sum
                    }
                }
            },
            .peer(Self.byHand) { elements in
                try await Self.receiveInTask(elements) { channel in
                    let next = Self.byHand { @Sendable () async throws -> Int in try await channel.receive() &+ 1 }
                    var sum = 0
                    do { while true { sum &+= try await next() } } catch CoChannelError.closed { return sum }
                }
            },
            .ours(
                "for await in mapped Receiver",
                .against(Self.loop, atMost: 1.15),
                .against(Self.byHand)
            ) { elements in
                try await Self.receiveInTask(elements) { channel in
                    var sum = 0
                    for try await element in channel.map({ $0 &+ 1 }) { sum &+= element }
                    return sum
                }
            },
        ]
    )

    private static let sentInTasks = Contest(
        "CoChannel, ways of sending in a task, without a wait",
        operations: 100_000,
        [
            .peer("CoChannel.send") { elements in
                let channel = CoChannel<Int>()
                for element in 0..<elements { try await channel.send(element) }
                keep(channel)
            },
            .ours("Sender.send", .against("CoChannel.send", atMost: 1.15)) { elements in
                let channel = CoChannel<Int>()
                let sender = channel.sender
                for element in 0..<elements { try await sender.send(element) }
                keep(channel)
            },
        ]
    )

    /// Receives elements that are there.
    ///
    /// With a sender in another task, what is measured is which of them has to wait how often.
    private static func receiveInTask(
        _ elements: Int,
        _ receive: (CoChannel<Int>) async throws -> Int
    ) async throws {
        let channel = CoChannel<Int>()
        for element in 0..<elements { channel.offer(element) }
        channel.close()
        keep(try await receive(channel))
    }
}
