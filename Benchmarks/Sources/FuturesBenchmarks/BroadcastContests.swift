// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Coroutines

/// A broadcast with one subscriber beside a channel, and the slower ways to receive beside the fastest.
enum BroadcastContests {
    static let contests = [
        Self.withoutWaiting, Self.between(.bounded(capacity: 64), "64"), Self.between(.rendezvous, "no buffer"),
        Self.loops, Self.operations, Self.empty,
    ]

    // MARK: A broadcast

    private static let withoutWaiting = Contest(
        "CoBroadcast with one subscriber, an element there and back without a wait",
        operations: 200_000,
        [
            .peer("CoChannel.offer, poll") { elements in
                let channel = CoChannel<Int>()
                for element in 0..<elements {
                    channel.offer(element)
                    keep(channel.poll())
                }
            },
            .ours("CoBroadcast.offer, poll", .against("CoChannel.offer, poll", atMost: 2)) { elements in
                let broadcast = CoBroadcast(of: Int.self)
                Self.alternate(elements, broadcast, broadcast.subscribe())
            },
            .ours("… with a current element", .against("CoChannel.offer, poll", atMost: 2)) { elements in
                let broadcast = CoBroadcast(of: Int.self, current: 0)
                Self.alternate(elements, broadcast, broadcast.subscribe())
            },
            .ours("… conflated", .against("CoChannel.offer, poll", atMost: 2)) { elements in
                let broadcast = CoBroadcast(of: Int.self, current: 0)
                Self.alternate(elements, broadcast, broadcast.subscribe(buffering: .newest(capacity: 1)))
            },
            .ours("… with ten subscribers", .against("CoChannel.offer, poll", atMost: 20)) { elements in
                let broadcast = CoBroadcast(of: Int.self)
                let receivers = (0..<10).map { _ in broadcast.subscribe() }
                for element in 0..<elements {
                    broadcast.offer(element)
                    for receiver in receivers { keep(receiver.poll()) }
                }
            },
        ]
    )

    @inline(__always)
    private static func alternate(_ elements: Int, _ broadcast: CoBroadcast<Int>, _ receiver: CoChannel<Int>.Receiver) {
        for element in 0..<elements {
            broadcast.offer(element)
            keep(receiver.poll())
        }
    }

    private static func between(_ type: BufferingPolicy, _ name: String) -> Contest {
        Contest(
            "CoBroadcast with one subscriber, an element between two coroutines, \(name)",
            operations: 100_000,
            [
                .peer("CoChannel") { elements in
                    let (channel, scheduler) = (CoChannel<Int>(buffering: type), SerialScheduler())
                    scheduler.startCoroutine {
                        for element in 0..<elements { try channel.awaitSend(element) }
                        channel.close()
                    }
                    keep(try await scheduler.coroutineFuture { try Self.sum { try channel.awaitReceive() } }.value)
                },
                .ours("CoBroadcast", .against("CoChannel", atMost: 2)) { elements in
                    let (broadcast, scheduler) = (CoBroadcast(of: Int.self), SerialScheduler())
                    let receiver = broadcast.subscribe(buffering: type)
                    scheduler.startCoroutine {
                        for element in 0..<elements { try broadcast.awaitSend(element) }
                        broadcast.close()
                    }
                    keep(try await scheduler.coroutineFuture { try Self.sum { try receiver.awaitReceive() } }.value)
                },
            ]
        )
    }

    @inline(__always)
    private static func sum(_ next: () throws -> Int) throws -> Int {
        var sum = 0
        do { while true { sum &+= try next() } } catch CoChannelError.closed { return sum }
    }

    // MARK: Ways to receive elements that are there

    private static let awaited = "CoChannel.awaitReceive"

    private static let loops = Contest(
        "CoChannel, loops that throw, elements that are there",
        operations: 100_000,
        [
            .peer(Self.awaited) { elements in
                try await Self.receive(elements) { channel in try Self.sum { try channel.awaitReceive() } }
            },
            .ours("CoChannel.awaitNext", .against(Self.awaited, atMost: 1.15)) { elements in
                try await Self.receive(elements) { channel in
                    var sum = 0
                    while let element = try channel.awaitNext() { sum &+= element }
                    return sum
                }
            },
            .ours("Receiver.awaitNext", .against(Self.awaited, atMost: 1.15)) { elements in
                try await Self.receive(elements) { channel in
                    var sum = 0
                    let receiver = channel.receiver
                    while let element = try receiver.awaitNext() { sum &+= element }
                    return sum
                }
            },
            .ours("Coroutine.forEach", .against(Self.awaited, atMost: 1.15)) { elements in
                try await Self.receive(elements) { channel in
                    var sum = 0
                    try Coroutine.forEach(channel) { sum &+= $0 }
                    return sum
                }
            },
        ]
    )

    private static let inTask = "CoChannel.awaitReceive, in a task"
    private static let inClosure = "`await` of the same closure, in async code"
    private static let inOtherTask = "`await` of a task with it, in async code"

    /// The peers after `awaitReceive` say what no mechanism can save: the operation is an async closure, and on a
    /// scheduler it needs a task.
    private static let operations = Contest(
        "Coroutine.await of CoChannel.receive, elements that are there",
        operations: 20_000,
        [
            .peer(Self.awaited) { elements in
                try await Self.receive(elements) { channel in try Self.sum { try channel.awaitReceive() } }
            },
            .peer(Self.inTask) { elements in
                try await Self.receiveInTask(elements) { channel in try Self.sum { try channel.awaitReceive() } }
            },
            .peer(Self.inClosure) { elements in
                let channel = Self.full(elements)
                keep(try await Self.sumOfOperations { try await channel.receive() })
            },
            .peer(Self.inOtherTask) { elements in
                let channel = Self.full(elements)
                keep(try await Self.sumOfOperations { try await Task { try await channel.receive() }.value })
            },
            .ours(
                "Coroutine.await, in a task",
                .against(Self.inTask, atMost: 1.5),
                .against(Self.inClosure, atMost: 1.5)
            ) { elements in
                try await Self.receiveInTask(elements) { channel in
                    try Self.sum { try Coroutine.await { try await channel.receive() } }
                }
            },
            .ours(
                "Coroutine.await, on a scheduler",
                .against(Self.awaited, atMost: 1.5),
                .against(Self.inOtherTask, atMost: 1.5)
            ) { elements in
                try await Self.receive(elements) { channel in
                    try Self.sum { try Coroutine.await { try await channel.receive() } }
                }
            },
        ]
    )

    /// The optimiser does not see the operation.
    @inline(never)
    private static func sumOfOperations(
        _ next: nonisolated(nonsending) () async throws -> Int
    ) async throws -> Int {
        var sum = 0
        do { while true { sum &+= try await next() } } catch CoChannelError.closed { return sum }
    }

    /// What `Coroutine.await` itself costs.
    private static let empty = Contest(
        "Coroutine.await of nothing",
        operations: 20_000,
        [
            .peer("`await` of a closure, in async code") { operations in
                keep(try await Self.sumOfOperations(upTo: operations) { 1 })
            },
            .peer("`await` of a task, in async code") { operations in
                keep(try await Self.sumOfOperations(upTo: operations) { await Task { 1 }.value })
            },
            .ours("in a task", .against("`await` of a closure, in async code")) { operations in
                keep(try await withCoroutine { try Self.awaitNothing(operations) })
            },
            .ours("on a scheduler", .against("`await` of a task, in async code", atMost: 1.5)) { operations in
                keep(try await SerialScheduler().coroutineFuture { try Self.awaitNothing(operations) }.value)
            },
        ]
    )

    private static func awaitNothing(_ operations: Int) throws -> Int {
        var sum = 0
        for _ in 0..<operations { sum &+= try Coroutine.await { 1 } }
        return sum
    }

    @inline(never)
    private static func sumOfOperations(
        upTo operations: Int,
        _ next: nonisolated(nonsending) () async throws -> Int
    ) async throws -> Int {
        var sum = 0
        for _ in 0..<operations { sum &+= try await next() }
        return sum
    }

    private static func full(_ elements: Int) -> CoChannel<Int> {
        let channel = CoChannel<Int>()
        for element in 0..<elements { channel.offer(element) }
        channel.close()
        return channel
    }

    private static func receive(
        _ elements: Int,
        _ receive: @escaping @Sendable (CoChannel<Int>) throws -> Int
    ) async throws {
        let channel = Self.full(elements)
        keep(try await SerialScheduler().coroutineFuture { try receive(channel) }.value)
    }

    private static func receiveInTask(_ elements: Int, _ receive: (CoChannel<Int>) throws -> Int) async throws {
        let channel = Self.full(elements)
        keep(try await withCoroutine { try receive(channel) })
    }
}
