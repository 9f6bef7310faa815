// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("Sequences that block are named, and the suite comes to its end", .timeLimit(.minutes(10)))
struct BlockingSequenceBridgeTests {
    @Test(arguments: BlockingSequenceBridge.all)
    func `is named first`(_ wrong: BlockingSequenceBridge) async throws {
        let gate = Monitor(false)
        let violations = await SequenceLaws.check("mine", promises: .wrong) { wrong.bridge($0, gate) }
        gate.open()
        let first = try #require(violations.first)
        #expect(first.law == wrong.law, "\(violations)")
        #expect(first.scenario == wrong.scenario, "\(violations)")
        #expect(first.explanation.contains(wrong.call), "\(violations)")
    }

    /// The second sequence finds the lock taken, and so does each later one.
    @Test func `a lock that is kept is told once`() async throws {
        let gate = Monitor(false)
        let isTaken = Watched(false)
        let violations = await SequenceLaws.check("mine", promises: .wrong) { source in
            if isTaken.value { gate.pass() }
            return Steps(of: elements(source, onCompletion: { if $0 != nil { isTaken.update { $0 = true } } }))
        }
        gate.open()
        let last = try #require(violations.last)
        #expect(Set(violations.map(\.scenario)) == [last.scenario])
        #expect(last.law == .noBlocking)
        #expect(violations[0].notRun.count > 10)
        #expect(
            violations[0].description
                .contains("Not run, since the bridge does not pass 'the source finishes without an element'")
        )
    }
}

/// A bridge that blocks a thread until a gate is opened.
struct BlockingSequenceBridge: Sendable, CustomTestStringConvertible {
    let name: String
    var law = Law.noBlocking
    let scenario: String
    /// What the report must say of the call that blocks.
    let call: String
    let bridge: @Sendable (SequenceSource, Monitor<Bool>) -> Steps

    var testDescription: String { self.name }

    static let all = [
        BlockingSequenceBridge(
            name: "while the sequence is made",
            scenario: "the source finishes without an element",
            call: "the bridge blocks its caller's thread, while the sequence is made"
        ) { source, gate in
            gate.pass()
            return Steps(of: elements(source))
        },
        BlockingSequenceBridge(
            name: "when start has returned",
            scenario: "the source finishes without an element",
            call: "the bridge blocks it, in makeAsyncIterator() or next()"
        ) { source, gate in
            Steps(of: elements(source, onStarted: { gate.pass() }))
        },
        BlockingSequenceBridge(
            name: "in makeAsyncIterator()",
            scenario: "the source finishes without an element",
            call: "the bridge blocks its caller's thread, in makeAsyncIterator() or next()"
        ) { source, gate in
            Steps(of: elements(source), whenMade: { gate.pass() })
        },
        BlockingSequenceBridge(
            name: "in next()",
            scenario: "the source finishes without an element",
            call: "the bridge blocks it, in makeAsyncIterator() or next()"
        ) { source, gate in
            Steps(of: elements(source), beforeNext: { gate.pass() })
        },
        BlockingSequenceBridge(
            name: "in its element handler",
            scenario: "the source finishes inside start",
            call: "the bridge blocks its caller's thread, in a handler, called inside start"
        ) { source, gate in
            Steps(of: elements(source, onElement: { gate.pass() }))
        },
        BlockingSequenceBridge(
            name: "in its completion handler",
            scenario: "the source finishes without an element",
            call: "expected the bridge's handler, or its release, to return, but it blocks the source's thread"
        ) { source, gate in
            Steps(of: elements(source, onCompletion: { _ in gate.pass() }))
        },
        BlockingSequenceBridge(
            name: "when it stops its source",
            scenario: "the source finishes without an element",
            call: "expected the bridge's handler, or its release, to return, but it blocks the source's thread"
        ) { source, gate in
            Steps(of: elements(source, onStopped: { gate.pass() }))
        },
        BlockingSequenceBridge(
            name: "when it is cancelled during the wait",
            scenario: "the task is cancelled during the wait",
            call: "expected task.cancel() to return, but it hangs: on cancellation the bridge waits"
        ) { source, gate in
            Steps(of: elements(source), whenCancelled: { gate.pass() })
        },
    ]
}

/// The elements of a sequence, with something done at each step.
struct Steps: AsyncSequence {
    let base: CallbackSequence<Int, any Error>
    let whenMade: @Sendable () -> Void
    let beforeNext: @Sendable () async -> Void
    let whenCancelled: @Sendable () -> Void

    init(
        of base: CallbackSequence<Int, any Error>,
        whenMade: @escaping @Sendable () -> Void = {},
        beforeNext: @escaping @Sendable () async -> Void = {},
        whenCancelled: @escaping @Sendable () -> Void = {}
    ) {
        self.base = base
        self.whenMade = whenMade
        self.beforeNext = beforeNext
        self.whenCancelled = whenCancelled
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: CallbackSequence<Int, any Error>.AsyncIterator
        let beforeNext: @Sendable () async -> Void
        let whenCancelled: @Sendable () -> Void

        mutating func next() async throws -> Int? {
            await self.beforeNext()
            let isCancelled = Task.isCancelled
            return try await withTaskCancellationHandler {
                try await self.base.next()
            } onCancel: { [whenCancelled] in
                if !isCancelled { whenCancelled() }
            }
        }
    }

    func makeAsyncIterator() -> Iterator {
        self.whenMade()
        return Iterator(
            base: self.base.makeAsyncIterator(),
            beforeNext: self.beforeNext,
            whenCancelled: self.whenCancelled
        )
    }
}

/// A right bridge, but for what is done in it.
func elements(
    _ source: SequenceSource,
    onElement: @escaping @Sendable () -> Void = {},
    onCompletion: @escaping @Sendable ((any Error)?) -> Void = { _ in },
    onStarted: @escaping @Sendable () -> Void = {},
    onStopped: @escaping @Sendable () -> Void = {}
) -> CallbackSequence<Int, any Error> {
    CallbackSequence { sink in
        let handle = source.start(
            onElement: { element in
                onElement()
                sink.yield(element)
            },
            onCompletion: { error in
                onCompletion(error)
                if let error { sink.fail(error) } else { sink.finish() }
            }
        )
        onStarted()
        return {
            handle.cancel()
            onStopped()
        }
    }
}
