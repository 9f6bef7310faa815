// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("One-shot bridges that block are named, and the suite comes to its end", .timeLimit(.minutes(10)))
struct BlockingOneShotBridgeTests {
    @Test(arguments: BlockingOneShotBridge.all)
    func `is named first`(_ wrong: BlockingOneShotBridge) async throws {
        let gate = Monitor(false)
        let violations = await OneShotLaws.check("mine", promises: .wrong) { try await wrong.bridge($0, gate) }
        gate.open()
        let first = try #require(violations.first)
        #expect(first.law == wrong.law, "\(violations)")
        #expect(first.scenario == wrong.scenario, "\(violations)")
        #expect(first.explanation.contains(wrong.call), "\(violations)")
    }

    /// The second call finds the lock taken, and so does each later one: only the first one's end has a law to break.
    @Test func `a lock that is kept is told once`() async throws {
        let gate = Monitor(false)
        let isTaken = Watched(false)
        let violations = await OneShotLaws.check("mine", promises: .wrong) { source in
            if isTaken.value { gate.pass() }
            return try await withCallback { callback in
                source.start { answer in
                    if case .failure = answer { isTaken.update { $0 = true } }
                    callback.resume(with: answer)
                }
            } onCancel: {
                $0.cancel()
            }
        }
        gate.open()
        let last = try #require(violations.last)
        #expect(Set(violations.map(\.scenario)) == [last.scenario])
        #expect(last.law == .noBlocking)
        #expect(violations[0].notRun.last == "the task is cancelled as start returns, many times")
        let reason = "Not run, since the bridge does not pass 'the source answers at once' any more"
        #expect(violations[0].description.contains(reason))
    }

    /// What comes after it is as it should be.
    @Test func `one that computes for long when it is cancelled first`() async {
        let isFirst = Atomic(true)
        let calls = Atomic(0)
        // `withTaskCancellationHandler` does not run its operation on an actor that calls.
        let promises = OneShotPromises.wrong.with { $0.startsOnCaller = false }
        let violations = await OneShotLaws.check("mine", promises: promises) { source in
            let call = calls.add(1, ordering: .relaxed).newValue
            return try await withTaskCancellationHandler {
                try await once(source)
            } onCancel: {
                guard isFirst.exchange(false, ordering: .relaxed) else { return }
                // Until the suite has given up this call, however long that takes on a busy machine.
                while calls.load(ordering: .relaxed) == call {}
            }
        }
        #expect(Set(violations.map(\.scenario)) == ["the task is cancelled during the wait"])
        #expect(violations.first?.law == .noBlocking)
        #expect(violations.first?.explanation.hasPrefix("expected task.cancel() to return, but it hangs") == true)
    }

    /// No thread is blocked, so the laws are named; but not all of them, since each call takes all patience.
    @Test func `one that never ends`() async {
        let cells = Mutex<[Cell]>([])
        let violations = await OneShotLaws.check("mine", promises: .wrong) { source in
            try await withCell { cell in
                _ = source.start { _ in }
                cells.withLock { $0.append(cell) }
            }
        }
        for cell in cells.withLock({ $0 }) { cell.resume(.failure(OtherError())) }
        #expect(violations.first?.law == .neverLost)
        #expect(violations.first?.explanation == "expected the value 1, but the call did not return")
        #expect(violations.contains { !$0.notRun.isEmpty })
    }
}

/// A bridge that blocks a thread until a gate is opened.
struct BlockingOneShotBridge: Sendable, CustomTestStringConvertible {
    typealias Bridge = @Sendable (OneShotSource, Monitor<Bool>) async throws -> Int

    let name: String
    var law = Law.noBlocking
    let scenario: String
    /// What the report must say of the call that blocks.
    let call: String
    let bridge: Bridge

    var testDescription: String { self.name }

    static let all = [
        BlockingOneShotBridge(
            name: "before it calls start",
            scenario: "the source answers at once",
            call: "the bridge blocks its caller's thread, before it calls start"
        ) { source, gate in
            gate.pass()
            return try await once(source)
        },
        BlockingOneShotBridge(
            name: "when start has returned",
            scenario: "the source answers at once",
            call: "the bridge blocks its caller's thread, after start has returned"
        ) { source, gate in
            try await once(source, onStarted: { gate.pass() })
        },
        BlockingOneShotBridge(
            name: "when start has returned, until the answer comes",
            scenario: "the source answers later, on another thread",
            call: "the bridge blocks it, after start has returned"
        ) { source, gate in
            let hasAnswer = Monitor(false)
            return try await once(source, onAnswer: { hasAnswer.open() }, onStarted: { hasAnswer.pass() })
        },
        BlockingOneShotBridge(
            name: "in its handler",
            scenario: "the source answers at once",
            call: "the bridge blocks its caller's thread, in its completion handler, called inside start"
        ) { source, gate in
            try await once(source, onAnswer: { gate.pass() })
        },
        BlockingOneShotBridge(
            name: "in its handler, when start has returned",
            scenario: "the source answers later, on another thread",
            call: "expected the bridge's handler, or its release, to return, but it blocks the source's thread"
        ) { source, gate in
            let isStarted = Atomic(false)
            return try await once(
                source,
                onAnswer: { if isStarted.load(ordering: .relaxed) { gate.pass() } },
                onStarted: { isStarted.store(true, ordering: .relaxed) }
            )
        },
        BlockingOneShotBridge(
            name: "in its cancellation handler",
            scenario: "the task is cancelled during the wait",
            call: "expected task.cancel() to return, but it hangs: on cancellation the bridge waits"
        ) { source, gate in
            try await withTaskCancellationHandler {
                try await once(source)
            } onCancel: {
                gate.pass()
            }
        },
    ]
}

/// A right bridge, but for what is done in it.
private func once(
    _ source: OneShotSource,
    onAnswer: @escaping @Sendable () -> Void = {},
    onStarted: () -> Void = {}
) async throws -> Int {
    try await withCallback { callback in
        let handle = source.start { answer in
            onAnswer()
            callback.resume(with: answer)
        }
        onStarted()
        return handle
    } onCancel: {
        $0.cancel()
    }
}
