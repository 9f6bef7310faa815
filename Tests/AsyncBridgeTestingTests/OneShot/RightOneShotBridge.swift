// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization
import Testing

/// An unusual one-shot bridge that breaks no law.
struct RightOneShotBridge: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable () async -> [Violation]

    init(
        _ name: String,
        _ change: @escaping @Sendable (inout OneShotPromises) -> Void = { _ in },
        _ bridge: @escaping WrongOneShotBridge.Bridge
    ) {
        self.testDescription = name
        self.check = { await OneShotLaws.check(name, promises: .right.with(change), bridge) }
    }

    /// What a task does that is not the caller's.
    @Sendable
    static func inAnotherTask(_ promises: inout OneShotPromises) { promises.startsOnCaller = false }

    static let all = Self.byHand + Self.ofTheHub

    private static let ofTheHub = [
        RightOneShotBridge("waits for its turn on an actor, then starts", Self.inAnotherTask) { source in
            await Doorman().letIn()
            return try await withCallback { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        },
        RightOneShotBridge("answers at once what was answered inside start", { $0.detectsDrops = false }) { source in
            try Task.checkCancellation()
            let slot = AnswerSlot()
            let handle = source.start { slot.take($0) }
            if let answer = slot.answer { return try answer.get() }
            return try await slot.wait { handle.cancel() }
        },
        // Cancelled when the element has come, the loop ends with CancellationError, and the element is handed back.
        RightOneShotBridge("the first element of a sequence", { $0.handsBackLateValues = true }) { source in
            try Task.checkCancellation()
            let hasAnswered = Flag()
            let sequence = CallbackSequence<Int, any Error>(onUndelivered: { source.takeBack($0) }) { sink in
                let handle = source.start { answer in
                    hasAnswered.set()
                    switch answer {
                    case .success(let value):
                        sink.yield(value)
                        sink.finish()
                    case .failure(let error): sink.fail(error)
                    }
                }
                // A sequence stops its source when it has ended, too.
                return { if !hasAnswered.value { handle.cancel() } }
            }
            for try await value in sequence { return value }
            throw CancellationError()
        },
        RightOneShotBridge("a task of its own", Self.inAnotherTask) { source in
            try Task.checkCancellation()
            let task = Task { try await Self.answer(of: source) }
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        },
        RightOneShotBridge("a group of one task", Self.inAnotherTask) { source in
            try Task.checkCancellation()
            return try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { try await Self.answer(of: source) }
                guard let value = try await group.next() else { throw OtherError() }
                return value
            }
        },
        RightOneShotBridge("async let", Self.inAnotherTask) { source in
            try Task.checkCancellation()
            async let value = Self.answer(of: source)
            return try await value
        },
        RightOneShotBridge("starts on a queue", Self.inAnotherTask) { source in
            try await withCallback { callback in
                let latch = Latch()
                callback.onCancel { latch.cancel() }
                DispatchQueue.global().async { latch.set(source.start(callback.handler())) }
            }
        },
        RightOneShotBridge(
            "a timeout made by hand",
            {
                $0.timeout = TimedCall.limit
                // Its timer keeps the callback.
                $0.detectsDrops = false
            }
        ) { source in
            try await TimedCall.answer(of: source)
        },
        // When a late value is handed back is left open.
        RightOneShotBridge(
            "hands late values back when it is released",
            {
                $0.handsBackLateValues = true
                // For those that do it at once, some scenarios wait.
                $0.patience = .seconds(5)
            }
        ) { source in
            let late = LateValues(source)
            return try await withCallback(onUndelivered: { late.keep($0) }) { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        },
        RightOneShotBridge("a lock that is free before it calls") { source in
            let answers = Mutex(0)
            return try await withCallback { callback in
                source.start { answer in
                    let isFirst = answers.withLock { count in
                        count += 1
                        return count == 1
                    }
                    if isFirst { callback.resume(with: answer) }
                }
            } onCancel: {
                $0.cancel()
            }
        },
    ]

    private static func answer(of source: OneShotSource) async throws -> Int {
        try await withCallback { callback in
            source.start(callback.handler())
        } onCancel: {
            $0.cancel()
        }
    }
}

/// Keeps late values until it is released.
private final class LateValues: Sendable {
    private let source: OneShotSource
    private let values = Mutex<[Int]>([])

    init(_ source: OneShotSource) { self.source = source }

    func keep(_ value: Int) { self.values.withLock { $0.insert(value, at: 0) } }

    deinit { for value in self.values.withLock({ $0 }) { self.source.takeBack(value) } }
}

/// Keeps an answer until it is waited for.
private final class AnswerSlot: Sendable {
    private let cell = Cell()
    private let first = Mutex<Cell.Answer?>(nil)

    var answer: Cell.Answer? { self.first.withLock { $0 } }

    func take(_ answer: Cell.Answer) {
        self.first.withLock { if $0 == nil { $0 = answer } }
        self.cell.resume(answer)
    }

    func wait(stop: () -> Void) async throws -> Int {
        let answer = await withTaskCancellationHandler {
            await withUnsafeContinuation { self.cell.store($0) }
        } onCancel: {
            self.take(.failure(CancellationError()))
        }
        // Not in the cancellation's handler, which runs under the runtime's lock.
        if case .failure(is CancellationError) = answer { stop() }
        return try answer.get()
    }
}
