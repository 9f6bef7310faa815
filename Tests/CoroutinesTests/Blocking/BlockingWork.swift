// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Testing

/// Operations that leave the thread that waits for them, each in its own way.
enum BlockingWork: String, CaseIterable, Codable {
    case yield
    case childTasks
    case anActor
    case taskOfItsOwn
    case mainActor

    /// Gives back the number, after a while.
    func perform(_ number: Int) async -> Int {
        switch self {
        case .yield:
            for _ in 0..<10 { await Task.yield() }
            return number
        case .childTasks:
            async let one = Self.yield.perform(1)
            return await withTaskGroup(of: Int.self) { group in
                for _ in 0..<number { group.addTask { await Self.yield.perform(1) } }
                return await group.reduce(0, +)
            } + one - 1
        case .anActor:
            let adder = Adder()
            for _ in 0..<number { await adder.add() }
            return await adder.sum
        case .taskOfItsOwn:
            return await Task.detached { await Self.yield.perform(number) }.value
        case .mainActor:
            return await MainActor.run { number }
        }
    }

    private actor Adder {
        var sum = 0

        func add() { self.sum += 1 }
    }
}

/// Where all must have come before one may go.
actor Meeting {
    private let expected: Int
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(of expected: Int) { self.expected = expected }

    func attend() async {
        await withCheckedContinuation { waiter in
            self.waiters.append(waiter)
            guard self.waiters.count == self.expected else { return }
            for waiter in self.waiters { waiter.resume() }
        }
    }
}

/// Code from which `blockingAwait` is called.
enum BlockingPlace: String, CaseIterable, Codable {
    case thread
    case queue
    case coroutineInATask
    case coroutineOnAQueue

    /// As many calls at once as there are cores, one more, and four times as many.
    static let crowds = [
        ProcessInfo.processInfo.activeProcessorCount,
        ProcessInfo.processInfo.activeProcessorCount + 1,
        ProcessInfo.processInfo.activeProcessorCount * 4,
    ]

    /// Runs a closure so many times at once, and waits until all have returned.
    ///
    /// - Throws: `CancellationError`, if the test is over; what the closure throws is recorded as an issue.
    func run(_ count: Int, _ body: @escaping @Sendable (_ number: Int) throws -> Void) async throws {
        let ended = EventLog()
        let queue = DispatchQueue(label: "blocking calls", attributes: .concurrent)
        for number in 0..<count {
            let call = { @Sendable in
                #expect(throws: Never.self) { try body(number) }
                ended.record("end")
            }
            switch self {
            case .thread: Thread.detachNewThread(call)
            case .queue: queue.async(execute: call)
            case .coroutineInATask: Task { try await withCoroutine { call() } }
            case .coroutineOnAQueue: queue.startCoroutine(task: call)
            }
        }
        try await ended.events(atLeast: count)
    }
}

/// Ends the process of an exit test that hangs, also when no thread is left to run the time limit of its suite.
func endHangingProcess() { alarm(60) }
