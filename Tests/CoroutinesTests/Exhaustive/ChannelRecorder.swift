// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Synchronization
import TestSupport

/// Plays programs of three callers against one channel, on real threads, and records what comes of it.
final class ChannelRecorder: Sendable {
    typealias Operation = ChannelHistory.Operation

    private struct Record {
        var calls: [ChannelHistory.Call] = []
        var pending: (operation: Operation, invoked: Int)?
    }

    private let channel: CoChannel<Int>
    private let time = Atomic(0)
    // One for each caller, so that no two wait for each other.
    private let records = (0..<4).map { _ in Locked(Record()) }
    private let cancels = Locked<[@Sendable () -> Void]>([])

    private init(_ type: BufferingPolicy) { self.channel = CoChannel(buffering: type) }

    /// Three programs of three operations each.
    static func programs(_ random: inout SplitMix) -> [[Operation]] {
        (0..<3).map { caller in
            (0..<3).map { round in
                switch random.next() % 20 {
                case 0..<6: .send(caller * 10 + round)
                case 6..<9: .offer(caller * 10 + round)
                case 9..<14: .receive
                case 14..<17: .poll
                case 17: .close
                case 18: .cancel
                default: .cancelCaller((caller + 1 + Int(random.next() % 2)) % 3)
                }
            }
        }
    }

    // MARK: One caller

    private func record(_ caller: Int, _ operation: Operation, _ perform: () -> ChannelModel.Answer?) {
        let invoked = self.time.add(1, ordering: .sequentiallyConsistent).newValue
        self.records[caller].withLock { $0.pending = (operation, invoked) }
        let answer = perform()
        let answered = self.time.add(1, ordering: .sequentiallyConsistent).newValue
        self.records[caller].withLock { record in
            record.pending = nil
            record.calls.append(.init(caller, operation, invoked, answered, answer))
        }
    }

    private func record(_ caller: Int, _ operation: Operation, _ perform: () async -> ChannelModel.Answer?) async {
        let invoked = self.time.add(1, ordering: .sequentiallyConsistent).newValue
        let answer = await perform()
        let answered = self.time.add(1, ordering: .sequentiallyConsistent).newValue
        self.records[caller].withLock { $0.calls.append(.init(caller, operation, invoked, answered, answer)) }
    }

    private static func answer(_ error: any Error) -> ChannelModel.Answer {
        switch error {
        case CoChannelError.closed: .ended(.closed)
        case is CancellationError: .cancelled
        default: preconditionFailure("an error that is nobody's: \(error)")
        }
    }

    private func performAtOnce(_ operation: Operation) -> ChannelModel.Answer? {
        switch operation {
        case .send, .receive: preconditionFailure("it may wait")
        case .offer(let element): return self.channel.offer(element) ? .sent : .refused
        case .poll: return self.channel.poll().map { .received($0) } ?? .refused
        case .close: self.channel.close()
        case .cancel: self.channel.cancel()
        case .cancelCaller(let caller): self.cancels.withLock { $0[caller] }()
        }
        return nil
    }

    /// A caller that is a coroutine.
    private func live(_ caller: Int, _ program: [Operation]) {
        for operation in program {
            self.record(caller, operation) {
                do {
                    switch operation {
                    case .send(let element):
                        try self.channel.awaitSend(element)
                        return .sent
                    case .receive: return .received(try self.channel.awaitReceive())
                    case .offer, .poll, .close, .cancel, .cancelCaller: return self.performAtOnce(operation)
                    }
                } catch {
                    return Self.answer(error)
                }
            }
        }
    }

    /// A caller that is a task.
    private func live(_ caller: Int, _ program: [Operation]) async {
        for operation in program {
            await self.record(caller, operation) {
                do {
                    switch operation {
                    case .send(let element):
                        try await self.channel.send(element)
                        return .sent
                    case .receive: return .received(try await self.channel.receive())
                    case .offer, .poll, .close, .cancel, .cancelCaller: return self.performAtOnce(operation)
                    }
                } catch {
                    return Self.answer(error)
                }
            }
        }
    }

    // MARK: Three callers

    /// Plays with coroutines, each on the thread that woke it last, until all have ended or wait.
    static func playCoroutines(
        _ type: BufferingPolicy,
        _ programs: [[Operation]],
        on trio: Trio
    ) -> ChannelHistory {
        let recorder = ChannelRecorder(type)
        let schedulers = programs.map { _ in HeldScheduler() }
        for (caller, program) in programs.enumerated() {
            let coroutine = schedulers[caller].startCoroutine { recorder.live(caller, program) }
            recorder.cancels.withLock { $0.append { coroutine.cancel() } }
        }
        trio.run { caller in schedulers[caller].begin() }
        // All is quiet now. Who waits, waits forever.
        let calls = recorder.records.enumerated().flatMap { caller, record in
            record.withLock { record in
                record.calls
                    + (record.pending.map { [.init(caller, $0.operation, $0.invoked, .max, nil)] } ?? [])
            }
        }
        recorder.channel.cancel()
        recorder.cancels.withLock { $0 = [] }
        return ChannelHistory(calls)
    }

    /// Plays with a task, a coroutine of a task and a coroutine on a queue; a fourth caller cancels the channel.
    static func playMixed(_ type: BufferingPolicy, _ programs: [[Operation]]) async -> ChannelHistory {
        let recorder = ChannelRecorder(type)
        let gate = Gate()
        let first = Task.detached {
            await gate.passUncancelled()
            await recorder.live(0, programs[0])
        }
        let second = Task.detached {
            await gate.passUncancelled()
            // Cancelled already, it ends without having begun.
            try await withCoroutine { recorder.live(1, programs[1]) }
        }
        let third = DispatchQueue.global().startCoroutine {
            try Coroutine.await { await gate.passUncancelled() }
            recorder.live(2, programs[2])
        }
        recorder.cancels.withLock { $0 = [{ first.cancel() }, { second.cancel() }, { third.cancel() }] }
        gate.open()
        for _ in 0..<programs[0].count { await Task.yield() }
        await recorder.live(3, [.cancel])
        await first.value
        _ = await second.result
        await third.ended()
        recorder.cancels.withLock { $0 = [] }
        return ChannelHistory(recorder.records.flatMap { $0.withLock(\.calls) })
    }
}

/// Keeps the first closure until it is told to begin, and runs the others at once.
final class HeldScheduler: CoroutineScheduler, Sendable {
    private struct State {
        var first: (@Sendable () -> Void)?
        var hasBegun = false
    }

    private let state = Locked(State())

    func scheduleTask(_ task: @escaping @Sendable () -> Void) {
        let runsNow = self.state.withLock { state in
            if !state.hasBegun { state.first = task }
            return state.hasBegun
        }
        if runsNow { task() }
    }

    func begin() {
        let first = self.state.withLock { state in
            state.hasBegun = true
            defer { state.first = nil }
            return state.first
        }
        first?()
    }
}

/// Three threads that begin their work at the same moment, again and again.
final class Trio: Sendable {
    private let round = Atomic(0)
    private let finished = Atomic(0)
    private let work = Locked<(@Sendable (Int) -> Void)?>(nil)

    /// Starts the threads, which spin until ``stop()``.
    init() {
        for index in 0..<3 {
            Thread.detachNewThread { [self] in
                var seen = 0
                while true {
                    while self.round.load(ordering: .acquiring) == seen { sched_yield() }
                    seen = self.round.load(ordering: .acquiring)
                    if seen < 0 { return }
                    self.work.withLock { $0 }?(index)
                    self.finished.add(1, ordering: .acquiringAndReleasing)
                }
            }
        }
    }

    /// Runs a closure on each of them, and returns when all have returned.
    func run(_ work: @escaping @Sendable (Int) -> Void) {
        self.work.withLock { $0 = work }
        self.finished.store(0, ordering: .relaxed)
        self.round.add(1, ordering: .acquiringAndReleasing)
        while self.finished.load(ordering: .acquiring) < 3 { sched_yield() }
        self.work.withLock { $0 = nil }
    }

    func stop() { self.round.store(-1, ordering: .releasing) }
}
