// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing

/// Races of two real threads, and of both with the waiter: nothing is lost and nothing doubled.
///
/// Serialized: the threads spin, and each test wants the processors for itself.
@Suite("Races", .serialized, .timeLimit(.minutes(60)))
struct CallbackStressTests {
    /// When the waiter parks.
    enum Moment: CaseIterable {
        /// Before the race.
        case parked
        /// During the race, and takes part in it.
        case parking
    }

    static let modes: [CancellationMode] = [.prompt, .cooperative]

    @Test(arguments: modes, Moment.allCases)
    func `an answer against a cancellation`(_ mode: CancellationMode, _ moment: Moment) async {
        let place = Place()
        let failure = await Stress.firstFailure { racers, _ in
            let round = Round(moment, mode, place)
            let accepted = Slot<Bool>()
            let wait = round.exchange.wait
            racers.race(
                { round.withCallback { accepted.put($0.resume(returning: 1)) } },
                { wait.cancel() },
                alongside: round.park
            )
            return round.check { outcome in
                switch outcome {
                case .value(1): accepted.value == true && round.undelivered == []
                case .cancelled: mode == .prompt && accepted.value == false && round.undelivered == [1]
                case .notStarted: moment == .parking && accepted.value == nil
                case .value, .dropped, .other: false
                }
            }
        }
        #expect(failure == nil)
        #expect(place.reports.isEmpty)
    }

    @Test(arguments: Moment.allCases)
    func `an answer against an answer`(_ moment: Moment) async {
        let place = Place()
        let failure = await Stress.firstFailure { racers, _ in
            let round = Round(moment, .prompt, place)
            let accepted = Log<Int>()
            let answer = { (number: Int) -> @Sendable () -> Void in
                { round.withCallback { if $0.resume(returning: number) { accepted(number) } } }
            }
            racers.race(answer(1), answer(2), alongside: round.park)
            return round.check { outcome in
                guard case .value(let winner) = outcome else { return false }
                return accepted.all == [winner] && round.undelivered == [3 - winner]
            }
        }
        #expect(failure == nil)
        #expect(place.reports.count == 1)
    }

    @Test(arguments: Moment.allCases)
    func `an answer against a drop of another copy`(_ moment: Moment) async {
        let place = Place()
        let failure = await Stress.firstFailure { racers, _ in
            let round = Round(moment, .prompt, place)
            racers.race(
                { round.withOwnCopy(0) { $0?.resume(returning: 1) } },
                { round.withOwnCopy(1) { _ in } },
                alongside: round.park
            )
            return round.check { $0 == .value(1) }
        }
        #expect(failure == nil)
        #expect(place.reports.isEmpty)
    }

    @Test(arguments: Moment.allCases)
    func `a drop against a drop of the last copies`(_ moment: Moment) async {
        let place = Place()
        let failure = await Stress.firstFailure { racers, _ in
            let round = Round(moment, .prompt, place)
            racers.race(
                { round.withOwnCopy(0) { _ in } },
                { round.withOwnCopy(1) { _ in } },
                alongside: round.park
            )
            return round.check { $0 == .dropped }
        }
        #expect(failure == nil)
        #expect(place.reports.count == 1)
    }

    @Test(arguments: modes, Moment.allCases)
    func `a drop against a cancellation`(_ mode: CancellationMode, _ moment: Moment) async {
        let place = Place()
        let failure = await Stress.firstFailure { racers, _ in
            let round = Round(moment, mode, place, copies: 1)
            let wait = round.exchange.wait
            racers.race({ round.withOwnCopy(0) { _ in } }, { wait.cancel() }, alongside: round.park)
            return round.check { outcome in
                switch outcome {
                case .dropped: true
                case .cancelled: mode == .prompt
                case .notStarted: moment == .parking
                case .value, .other: false
                }
            }
        }
        #expect(failure == nil)
    }

    @Test(arguments: modes, Moment.allCases)
    func `the registration of a cancel action against a cancellation`(_ mode: CancellationMode, _ moment: Moment) async
    {
        let place = Place()
        let failure = await Stress.firstFailure { racers, _ in
            let round = Round(moment, mode, place)
            let (ran, lifetimes) = (Log<Int>(), Lifetimes())
            let wait = round.exchange.wait
            racers.race(
                {
                    round.withCallback { callback in
                        let probe = lifetimes.probe(1)
                        callback.onCancel { ran(probe.number) }
                    }
                },
                { wait.cancel() },
                alongside: round.park
            )
            wait.turn()
            let started = round.exchange.started.count == 1
            if ran.count != (started ? 1 : 0) { return "the action ran \(ran.count) times" }
            if lifetimes.alive != 0 { return "the action was kept" }
            round.exchange.resume(returning: 1)
            return round.check { $0 == (!started ? .notStarted : mode == .prompt ? .cancelled : .value(1)) }
        }
        #expect(failure == nil)
    }

    @Test(arguments: Moment.allCases)
    func `the registration of a cancel action against an answer`(_ moment: Moment) async {
        let place = Place()
        let failure = await Stress.firstFailure { racers, _ in
            let round = Round(moment, .prompt, place)
            let (ran, lifetimes) = (Log<Int>(), Lifetimes())
            racers.race(
                {
                    round.withCallback { callback in
                        let probe = lifetimes.probe(1)
                        callback.onCancel { ran(probe.number) }
                    }
                },
                { round.withCallback { $0.resume(returning: 1) } },
                alongside: round.park
            )
            round.exchange.wait.turn()
            round.exchange.wait.cancel()
            if ran.count != 0 { return "the action ran" }
            if lifetimes.alive != 0 { return "the action was kept" }
            return round.check { $0 == .value(1) }
        }
        #expect(failure == nil)
    }

    /// A value that takes its time to be written, so that the waiter may leave meanwhile.
    struct Wide: Sendable {
        var number: Int
        var filler = (SIMD64<UInt64>(), SIMD64<UInt64>(), SIMD64<UInt64>(), SIMD64<UInt64>())
    }

    /// Something to do that the compiler does not remove.
    private static let delay = Atomic<Int>(0)

    @Test(arguments: [false, true])
    func `two answers against a start that throws`(withAction: Bool) async {
        let place = Place()
        let failure = await Stress.firstFailure { racers, index in
            let exchange = Exchange<Wide>(
                Wide.self,
                .init(place: place),
                start: { callback in
                    if withAction { callback.onCancel {} }
                    // Leaves at another moment in each round.
                    for _ in 0..<(index % 256) { Self.delay.add(1, ordering: .relaxed) }
                    throw APIError()
                }
            )
            let accepted = Log<Int>()
            let answer = { (number: Int) -> @Sendable () -> Void in
                {
                    spin { exchange.callback.value != nil }
                    if exchange.resume(returning: Wide(number: number)) { accepted(number) }
                }
            }
            racers.race(answer(1), answer(2), alongside: exchange.wait.turn)
            // An answer accepted before the throw is handed back by the wait; the others by their calls.
            let handedBack = exchange.undelivered.all.map(\.number).sorted()
            let hasThrown = (try? exchange.wait.get()) == nil && exchange.wait.hasEnded
            return handedBack == [1, 2] && accepted.count < 2 && hasThrown ? nil : "\(handedBack)"
        }
        #expect(failure == nil)
    }
}

/// One round of a race about one `withCallback`.
private final class Round: Sendable {
    enum Outcome: Equatable {
        case value(Int)
        case cancelled
        case dropped
        case notStarted
        case other
    }

    let exchange: Exchange<Int>
    /// The racers' own references, for races about the last one.
    private let copies = [Slot<Callback<Int, any Error>>(), Slot<Callback<Int, any Error>>()]
    private let moment: CallbackStressTests.Moment

    init(_ moment: CallbackStressTests.Moment, _ mode: CancellationMode, _ place: Place, copies count: Int = 2) {
        self.moment = moment
        let copies = self.copies
        self.exchange = Exchange(
            Int.self,
            .init(cancellation: mode, place: place),
            start: { callback in for copy in copies.prefix(count) { copy.put(callback) } }
        )
        if moment == .parked { self.exchange.wait.turn() }
    }

    /// The waiter's part in the race.
    func park() {
        if self.moment == .parking { self.exchange.wait.turn() }
    }

    var undelivered: [Int] { self.exchange.undelivered.all }

    /// Runs a racer's part as soon as there is a callback, unless a cancellation keeps it from being made.
    func withCallback(_ body: (Callback<Int, any Error>) -> Void) {
        spin { self.exchange.callback.value != nil || self.exchange.wait.hasEnded }
        self.exchange.callback.value.map(body)
    }

    /// Runs a racer's part with a reference that is gone afterwards.
    func withOwnCopy(_ index: Int, _ body: (Callback<Int, any Error>?) -> Void) {
        spin { self.copies[index].value != nil || self.exchange.wait.hasEnded }
        if index == 0 { self.exchange.callback.take() }
        body(self.copies[index].take())
    }

    /// Lets the waiter run, and says what is wrong with the end of its wait.
    func check(_ isRight: (Outcome) -> Bool) -> String? {
        self.exchange.wait.turn()
        let outcome = self.outcome
        guard self.exchange.wait.hasEnded else { return "the waiter was forgotten" }
        let stops = self.exchange.cancelled.count
        if stops > 1 { return "the work was stopped \(stops) times" }
        if outcome == .cancelled, stops == 0 { return "the work was not stopped" }
        return isRight(outcome) ? nil : "\(outcome), undelivered \(self.undelivered)"
    }

    private var outcome: Outcome {
        do { return .value(try self.exchange.wait.get()) } catch {
            switch error {
            case is CancellationError: return self.exchange.started.count == 0 ? .notStarted : .cancelled
            case let fault as BridgeFault where fault.code == .callbackDropped: return .dropped
            default: return .other
            }
        }
    }
}
