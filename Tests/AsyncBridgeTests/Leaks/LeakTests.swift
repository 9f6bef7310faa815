// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// Everything that a call takes or makes is released after every kind of end.
@Suite("Nothing leaks", .timeLimit(.minutes(10)))
struct LeakTests {
    enum End: CaseIterable {
        case answerInStart
        case answer
        case error
        case secondAnswer
        case drop
        case promptCancellation
        case cooperativeCancellationThenAnswer
        case cooperativeCancellationThenDrop
        case cancelledBeforeAnswerIsSeen
        case startThrows
        case startThrowsAfterAnswer
        case notStarted
    }

    /// What a call holds.
    struct Probes: Sendable {
        /// Captured by `start`, `onCancel:` and `onUndelivered`.
        let closures = Lifetimes()
        /// What `start` returns.
        let tokens = Lifetimes()
        /// Captured by the actions given to `Callback.onCancel`.
        let actions = Lifetimes()
        /// The values of the answers.
        let values = Lifetimes()
        /// Lives as long as the callback: held by its handler.
        let handlers = Lifetimes()

        var alive: [Int] {
            [self.closures, self.tokens, self.actions, self.values, self.handlers].map(\.alive)
        }
    }

    typealias Handler = @Sendable (Lifetimes.Probe?, (any Error)?) -> Void

    @Test(arguments: End.allCases, [false, true])
    func `after every kind of end`(after end: End, withAction: Bool) {
        let probes = Probes()
        Self.run(to: end, withAction, probes)
        #expect(probes.alive == [0, 0, 0, 0, 0], "closures, tokens, actions, values, handlers")
    }

    /// The old API keeps its handler after the call has ended: only that is kept.
    @Test(arguments: End.allCases, [false, true])
    func `but for what the API itself keeps`(after end: End, withAction: Bool) {
        let probes = Probes()
        let kept = Self.run(to: end, withAction, probes)
        #expect(probes.tokens.alive == 0)
        #expect(probes.actions.alive == 0)
        #expect(probes.values.alive == 0)
        let isKept = end != .notStarted && kept.value != nil
        #expect(probes.handlers.alive == (isKept ? 1 : 0))
    }

    @discardableResult
    private static func run(to end: End, _ withAction: Bool, _ probes: Probes) -> Slot<Handler> {
        let handler = Slot<Handler>()
        let isCooperative = end == .cooperativeCancellationThenAnswer || end == .cooperativeCancellationThenDrop
        let wait = self.wait(end, isCooperative ? .cooperative : .prompt, withAction, probes, handler)
        if end == .notStarted { wait.cancel() }
        wait.turn()
        switch end {
        case .answerInStart, .startThrows, .startThrowsAfterAnswer, .notStarted: break
        case .answer: handler.value?(probes.values.probe(), nil)
        case .error: handler.value?(nil, APIError())
        case .secondAnswer:
            handler.value?(probes.values.probe(), nil)
            handler.value?(probes.values.probe(), nil)
        case .drop: handler.take()
        case .promptCancellation:
            wait.cancel()
            handler.value?(probes.values.probe(), nil)
        case .cooperativeCancellationThenAnswer:
            wait.cancel()
            wait.turn()
            handler.value?(probes.values.probe(), nil)
        case .cooperativeCancellationThenDrop:
            wait.cancel()
            wait.turn()
            handler.take()
        case .cancelledBeforeAnswerIsSeen:
            handler.value?(probes.values.probe(), nil)
            wait.cancel()
        }
        wait.turn()
        #expect(wait.hasEnded)
        return handler
    }

    private static func wait(
        _ end: End,
        _ mode: CancellationMode,
        _ withAction: Bool,
        _ probes: Probes,
        _ handler: Slot<Handler>
    ) -> HandDriven<Void> {
        let (started, cancelled, late) = (probes.closures.probe(), probes.closures.probe(), probes.closures.probe())
        return HandDriven {
            let place = Place()
            _ = try await withCallback(
                of: Lifetimes.Probe.self,
                cancellation: mode,
                onUndelivered: { _ in late.touch() },
                fileID: Place.fileID,
                line: place.line
            ) { callback in
                started.touch()
                let (action, own) = (probes.actions.probe(), probes.handlers.probe())
                if withAction { callback.onCancel { action.touch() } }
                let answer: Handler = callback.handler()
                handler.put { value, error in
                    own.touch()
                    answer(value, error)
                }
                if end == .answerInStart { callback.resume(returning: probes.values.probe()) }
                if end == .startThrowsAfterAnswer { callback.resume(returning: probes.values.probe()) }
                if end == .startThrows || end == .startThrowsAfterAnswer { throw APIError() }
                return probes.tokens.probe()
            } onCancel: { token in
                cancelled.touch()
                token.touch()
            }
        }
    }

    @Test
    func `a timer that is not needed any more is released`() async {
        let (clock, closures) = (CountedClock(), Lifetimes())
        do {
            let probe = closures.probe()
            let exchange = Exchange<Int>(
                Int.self,
                .init(timeout: .after(.seconds(5), on: clock)),
                start: { _ in probe.touch() }
            )
            exchange.wait.turn()
            await clock.hasSleeper()
            exchange.resume(returning: 1)
            exchange.wait.turn()
            await clock.hasNoSleeper()
        }
        #expect(closures.alive == 0)
        #expect(clock.cancelledSleeps == 1)
    }
}
