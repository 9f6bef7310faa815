// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

/// A future under every order of what happens to it: two complete it, the first in two steps, one cancels,
/// and three kinds of observers come and go.
@Suite("Every order of a future's events", .timeLimit(.minutes(60)))
struct FutureOrderTests {
    enum Step {
        case claim
        case publish
        case complete
        case cancel
        case observe
        case map
        case wait
        case cancelWait
    }

    @Test func `every order`() {
        var orders = 0
        forEachOrder(of: [[.claim, .publish], [.wait, .cancelWait], [.complete], [.cancel], [.observe], [Step.map]]) {
            order in
            orders += 1
            let trial = Trial()
            for step in order { trial.take(step) }
            trial.expectEnd(of: order)
        }
        #expect(orders == 10_080)
    }

    /// Counts how often it is brought back.
    private final class CountingParker: _Parker, @unchecked Sendable {
        // Safe: the trial has one thread.
        private(set) nonisolated(unsafe) var wakes = 0

        override func unpark() { self.wakes += 1 }
    }

    /// One order, carried out on the objects and, beside them, on what is expected.
    private final class Trial {
        enum Outcome: Equatable {
            case value(Int)
            case cancelled
        }

        private let future = CoFuture<Int>()
        private let log = EventLog()
        private let parker = CountingParker()
        private let waiter: UnsafeMutablePointer<Waiter>
        private var mapped: CoFuture<Int>?

        // What is expected.
        private var claimed = false
        private var winner: Outcome?
        private var expectedLog: [String] = []
        private var observers: [(Outcome) -> String] = []
        private var isWaiting = false
        private var waitEnded: String?

        init() {
            self.waiter = .allocate(capacity: 1)
            self.waiter.initialize(to: Waiter(ParkerReference(self.parker), slot: nil))
        }

        deinit { self.waiter.deallocate() }

        private var reference: WaiterReference { WaiterReference(self.waiter) }

        func take(_ step: Step) {
            switch step {
            case .claim:
                self.claimed = self.future.claim()
                #expect(self.claimed == (self.winner == nil))
            case .publish:
                guard self.claimed else { return }
                self.future.write(1)
                self.future.publish()
                self.settled(.value(1))
            case .complete:
                let isFirst = self.winner == nil && !self.claimed
                #expect(self.future.settle(2) == isFirst)
                if isFirst { self.settled(.value(2)) }
            case .cancel:
                let isFirst = self.winner == nil && !self.claimed
                self.future.cancel()
                if isFirst { self.settled(.cancelled) }
            case .observe:
                self.future.whenComplete { [log] result in log.record("observed \(Self.outcome(result))") }
                self.observed { "observed \($0)" }
            case .map:
                self.mapped = self.future.map { [log] value in
                    log.record("mapped \(value)")
                    return value + 10
                }
                self.observed { outcome in
                    if case .value(let value) = outcome { "mapped \(value)" } else { "" }
                }
            case .wait:
                self.wait()
            case .cancelWait:
                self.cancelWait()
            }
            #expect(self.log.events == self.expectedLog)
        }

        private func settled(_ outcome: Outcome) {
            self.winner = outcome
            self.expectedLog += self.observers.map { $0(outcome) }.filter { !$0.isEmpty }
            self.observers = []
            if self.isWaiting {
                self.isWaiting = false
                self.waitEnded = "woken"
            }
        }

        private func observed(_ line: @escaping (Outcome) -> String) {
            if let winner = self.winner {
                self.expectedLog += [line(winner)].filter { !$0.isEmpty }
            } else {
                self.observers.append(line)
            }
        }

        private func wait() {
            guard let waiters = self.future.waiters() else {
                #expect(self.winner != nil)
                self.waitEnded = "over"
                return
            }
            #expect(self.winner == nil)
            #expect(waiters.enlist(self.reference) == .enlisted)
            #expect(self.parker.park())
            self.isWaiting = true
        }

        private func cancelWait() {
            let wakes = self.parker.wakes
            self.parker.cancelWait()
            #expect(self.parker.wakes == wakes + (self.isWaiting ? 1 : 0))
            if self.isWaiting {
                self.isWaiting = false
                self.waitEnded = "cancelled"
                #expect(self.reference.outcome == .none)
                self.future.waiters()?.withdraw(self.reference)
            }
        }

        func expectEnd(of order: [Step]) {
            #expect(self.future.result.map(Self.outcome) == self.winner, "\(order)")
            let mapped = self.mapped?.result.map(Self.outcome)
            switch self.winner {
            case .value(let value)?: #expect(mapped == .value(value + 10), "\(order)")
            case .cancelled?: #expect(mapped == .cancelled, "\(order)")
            case nil: Issue.record("not settled: \(order)")
            }
            #expect(self.waitEnded != nil, "\(order)")
            #expect(self.parker.wakes == (self.waitEnded == "over" ? 0 : 1), "\(order)")
            #expect(self.reference.outcome == (self.waitEnded == "woken" ? .done : .none), "\(order)")
        }

        private static func outcome(_ result: Result<Int, any Error>) -> Outcome {
            switch result {
            case .success(let value): .value(value)
            case .failure: .cancelled
            }
        }
    }
}
