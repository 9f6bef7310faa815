// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// A selection on a scheduler, what makes its branches possible, and what ends it, in every order.
@Suite("select: every order of steps", .timeLimit(.minutes(10)))
struct SelectOrderTests {
    enum Other: CaseIterable, Sendable {
        /// Offers to the channel from which the selection would receive.
        case offer
        /// Polls the channel to which it would send.
        case poll
        /// Completes the future.
        case settle
        /// Closes the channel from which it would receive.
        case close
        /// Cancels the coroutine.
        case cancel
        /// Drops the coroutine's next step, once there is one.
        case drop
    }

    static let casts: [[Other]] = Other.allCases.flatMap { first in
        Other.allCases.flatMap { second in Other.allCases.map { [first, second, $0] } }
    }

    @Test(arguments: casts)
    func `one happens`(others: [Other]) {
        let tracker = LifetimeTracker()
        let runs = everyOrder { choices in
            var world = World(others, tracker)
            while true {
                let movers = world.movers
                if movers.isEmpty { break }
                world.move(movers[choices.choose(among: movers.count)])
            }
            let violations = world.conclude()
            #expect(violations.isEmpty, "\(violations)")
        }
        #expect(runs > 1)
        #expect(tracker.aliveLabels == [])
    }

    struct World {
        let inbox: CoChannel<Int>
        let outbox: CoChannel<LifetimeTracker.Token>
        let promise = CoPromise<Int>()
        let scheduler = ManualScheduler()
        let outcomes = Collected<String>()
        let undelivered: Collected<String>
        let coroutine: CoroutineHandle
        var left: [Other]
        var offered = 0
        var polled = 0
        var hasDropped = false
        var trace: [String] = []

        init(_ others: [Other], _ tracker: LifetimeTracker) {
            let undelivered = Collected<String>()
            self.undelivered = undelivered
            self.inbox = CoChannel(buffering: .rendezvous, onUndelivered: { undelivered.append("\($0)") })
            self.outbox = CoChannel(buffering: .rendezvous, onUndelivered: { undelivered.append($0.label) })
            self.left = others
            let (inbox, outbox, future, outcomes) = (self.inbox, self.outbox, self.promise.future, self.outcomes)
            self.coroutine = self.scheduler.startCoroutine {
                do {
                    outcomes.append(
                        try select(
                            .receive(from: inbox) { "received \($0)" },
                            .send(tracker.token("element"), to: outbox) { "sent" },
                            .value(of: future) { "value \($0)" }
                        )
                    )
                } catch {
                    outcomes.append(error is CancellationError ? "cancelled" : "failed")
                }
            }
        }

        /// The coroutine is -1.
        var movers: [Int] {
            let canStep = self.scheduler.count > 0
            let others = self.left.indices.filter { self.left[$0] != .drop || canStep }
            return (canStep ? [-1] : []) + others
        }

        mutating func move(_ mover: Int) {
            guard mover >= 0 else {
                self.trace.append("step")
                self.scheduler.runOne()
                return
            }
            let other = self.left.remove(at: mover)
            self.trace.append("\(other)")
            switch other {
            case .offer: if self.inbox.offer(7) { self.offered += 1 }
            case .poll: if self.outbox.poll() != nil { self.polled += 1 }
            case .settle: self.promise.success(5)
            case .close: self.inbox.close()
            case .cancel: self.coroutine.cancel()
            case .drop:
                self.hasDropped = true
                self.scheduler.dropOne()
            }
        }

        func conclude() -> [String] {
            var violations: [String] = []
            func check(_ isRight: Bool, _ what: String) {
                if !isRight { violations.append("\(what): \(self.trace), \(self.outcomes.all)") }
            }
            // The rest is for a selection that nobody has let happen.
            if self.outcomes.all.isEmpty, !self.hasDropped, !self.coroutine.isCancelled {
                check(self.inbox.hasReceivers && self.outbox.hasSenders, "it neither waits nor is over")
                self.coroutine.cancel()
                self.scheduler.run()
                check(self.outcomes.all == ["cancelled"], "it was not cancelled")
            }
            let outcomes = self.outcomes.all
            check(outcomes.count <= 1, "it ended twice")
            check(!self.inbox.hasReceivers && !self.outbox.hasSenders, "it has left a trace")
            check(!self.promise.isCancelled, "the future was cancelled")
            // A selection that was told that it has sent or received is right.
            let happened = self.offered + self.polled
            check(happened <= 1, "two branches have happened")
            // What was offered and not received, and what was to be sent by a selection that ended without a branch.
            let given = self.hasDropped && outcomes != ["received 7"] ? self.offered : 0
            let endedWithout = outcomes == ["cancelled"] || outcomes == ["failed"]
            let unsent = endedWithout && self.polled == 0 ? 1 : 0
            check(
                self.undelivered.all == Array(repeating: "7", count: given)
                    + Array(repeating: "element", count: unsent),
                "not disposed of: \(self.undelivered.all)"
            )
            if !self.hasDropped {
                check((outcomes == ["received 7"]) == (self.offered == 1), "an element was lost")
                check((outcomes == ["sent"]) == (self.polled == 1), "an element came from nowhere")
            }
            return violations
        }
    }
}
