// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing

@testable import AsyncBridgeTesting

@Suite("Random histories of one-shot bridges", .timeLimit(.minutes(10)))
struct OneShotHistoryTests {
    typealias History = OneShotHistory

    /// Every combination of promises that changes what a history may be.
    static let promises: [OneShotPromises] = [
        OneShotPromises.Cancellation.prompt, .cooperative, .ignored,
    ].flatMap { cancellation in
        (0..<64).map { bits in
            OneShotPromises.wrong.with {
                $0.cancellation = cancellation
                $0.cancelsSource = bits & 1 == 0
                $0.startsWhenCancelled = bits & 2 != 0
                $0.detectsDrops = bits & 4 == 0
                $0.handsBackLateValues = bits & 8 != 0
                $0.takesOverlappingCalls = bits & 16 == 0
                $0.timeout = bits & 32 == 0 ? nil : .seconds(1)
            }
        }
    }

    @Test func `the contract says what comes of each`() {
        for promises in Self.promises {
            for seed in 0..<200 as Range<UInt64> {
                let history = History.random(seed: seed, for: promises)
                #expect(OneShotModel.admits(history, promises), "\(history.steps)")
                #expect(history == .random(seed: seed, for: promises))
                var model = OneShotModel(promises)
                for event in history.events { model.apply(event) }
                let waiting = model.calls.filter { $0.value.waits }.keys.sorted()
                #expect(waiting == [], "\(history.steps)")
            }
        }
    }

    /// What the generator never makes, no history can find.
    @Test func `everything happens that can happen`() {
        var text = ""
        var calls: Set<Int> = []
        for seed in 1...OneShotLaws.historyCount {
            let history = History.random(seed: seed, for: .standard)
            text += history.steps.joined(separator: "\n") + "\n"
            calls.insert(Set(history.events.map(\.call)).count)
        }
        #expect(calls == [1, 2, 3, 4, 5, 6])
        for event in [" fails with error", " drops the completion handler"] {
            let happens = (1...6).contains { text.contains("\nthe source of call \($0)\(event)") }
            #expect(happens, "\(event)")
        }
        for part in [
            "in a task that is already cancelled", "in start, the source answers", "then the task is cancelled",
            "on another thread and waits", "in start, the source fails", "in start, the source drops", "start throws",
            "in start, the task is cancelled, then the source answers", "in cancel(), when that is called, the source",
            "the task of call 2 is cancelled",
            "and before the call goes on its task is cancelled", "and before the call goes on its source answers",
            "on one thread while another",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `what comes after the end of a call happens, too`() {
        var answeredTwice = 0
        var answeredAfterTheEnd = 0
        var cancelledAfterTheEnd = 0
        for seed in 1...OneShotLaws.historyCount {
            let history = History.random(seed: seed, for: .standard)
            var model = OneShotModel(.standard)
            var answers: [Int: Int] = [:]
            for event in history.events {
                let isOver = model.calls[event.call]?.waits == false
                switch event {
                case .answer(let call, _):
                    answers[call, default: 0] += 1
                    if isOver { answeredAfterTheEnd += 1 }
                case .cancel: if isOver { cancelledAfterTheEnd += 1 }
                case .begin, .fail, .drop, .answerAndCancel, .timeOut, .answerAndTimeOut, .cancelAndTimeOut: break
                }
                model.apply(event)
            }
            answeredTwice += answers.values.count { $0 > 1 }
        }
        #expect(answeredTwice > 0)
        #expect(answeredAfterTheEnd > 0)
        #expect(cancelledAfterTheEnd > 0)
    }

    @Test func `the time of calls runs out in all ways`() {
        let text = (1...OneShotLaws.historyCount).flatMap { History.random(seed: $0, for: .everything).steps }
            .joined(separator: "\n")
        for part in [
            "\nthe time of call 2 is up\n", ", and before the call goes on its time is up\n",
            "is up, and before the call goes on its source answers", "on one thread while on another its time is up",
            "is cancelled on one thread while on another its time is up",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `a simpler history is smaller`() {
        for seed in 0..<50 as Range<UInt64> {
            let history = History.random(seed: seed, for: .everything)
            for simpler in history.simpler {
                #expect(simpler != history)
                #expect(simpler.steps.joined().count < history.steps.joined().count)
            }
        }
    }

    /// From a long random history to the few events that matter, and again with the seed.
    @Test func `a violation tells a short history`() async throws {
        let wrong = WrongOneShotBridge.forgettingAllHandles()
        let violation = try #require(await wrong.check([OneShotLaws.historiesName]).first)
        let seed = try #require(violation.seed)
        // Which calls these are depends on how busy the machine is, since that decides which search finds them.
        // And the search ends early there: two or three otherwise.
        #expect((2...8).contains(violation.steps.count), "\(violation)")
        #expect(violation.law == .cancellation)
        #expect(violation.explanation.hasPrefix("expected cancellations of the work of call "))
        #expect(violation.description.contains("\n  To run it again: check(…, seed: \(seed))\n"))
        let again = await OneShotLaws.check(
            wrong.name,
            promises: wrong.promises,
            only: [OneShotLaws.historiesName],
            seed: seed,
            wrong.bridge
        )
        #expect(again.map(\.law) == [violation.law])
        #expect(again.map(\.seed) == [seed])
    }

    /// What a history finds is not hidden behind what it leads to.
    @Test func `a scenario that finds something comes first`() async throws {
        let wrong = try #require(WrongOneShotBridge.all.first { $0.name == "forgets to stop the source" })
        let violations = await wrong.check(nil)
        #expect(!violations.isEmpty)
        #expect(violations.flatMap(\.steps) == [])
    }
}

// MARK: The contract, step by step

extension OneShotHistoryTests {
    private func model(_ promises: OneShotPromises, _ events: [History.Event]) -> OneShotModel {
        var model = OneShotModel(promises)
        for event in events {
            #expect(model.admits(event))
            model.apply(event)
        }
        return model
    }

    @Test func `the first answer decides`() {
        let model = self.model(
            .standard,
            [.begin(1, .init()), .answer(1, 101), .answer(1, 102), .fail(1, 103), .cancel(1)]
        )
        #expect(model.calls[1]?.endings == [.value(101)])
        #expect(model.calls[1]?.cancels == 0...0)
        #expect(model.calls[1]?.undelivered == [102])
    }

    /// It may still work, and says nothing more.
    @Test func `a source that has dropped its handler may be stopped`() {
        let events: [History.Event] = [.begin(1, .init()), .drop(1), .begin(2, .init(inStart: [.drop]))]
        let model = self.model(.standard, events)
        #expect(model.calls[1]?.cancels == 0...1)
        #expect(model.calls[2]?.cancels == 0...1)
        #expect(self.model(.notCancellable, events).calls[1]?.cancels == 0...0)
    }

    /// A cancellation that waits for the source, or is ignored, does not keep the call from giving up.
    @Test(arguments: [
        (OneShotPromises.standard, 1...1, [OneShotModel.Ending.cancelled]),
        (.cooperative, 1...1, [.fault, .cancelled]),
        (.notCancellable, 0...1, [.fault]),
    ])
    func `a call whose time is up`(
        _ promises: OneShotPromises,
        _ cancels: ClosedRange<Int>,
        _ cancelled: [OneShotModel.Ending]
    ) {
        let model = self.model(
            promises.with { $0.timeout = .seconds(1) },
            [
                .begin(1, .init()), .timeOut(1), .answer(1, 101), .timeOut(1),
                .begin(2, .init()), .cancel(2), .timeOut(2),
                .begin(3, .init()), .answerAndTimeOut(3, 301, .race),
                .begin(4, .init()), .answer(4, 401), .timeOut(4),
            ]
        )
        #expect(model.calls[1]?.endings == [.fault])
        #expect(model.calls[1]?.cancels == cancels)
        #expect(model.calls[1]?.undelivered == [101])
        #expect(model.calls[2]?.endings == Set(cancelled))
        #expect(model.calls[2]?.cancels == cancels)
        #expect(model.calls[3]?.endings == [.fault, .value(301)])
        #expect(model.calls[3]?.cancels == 0...1)
        #expect(model.calls[4]?.endings == [.value(401)])
        #expect(model.calls[4]?.cancels == 0...0)
    }

    @Test(arguments: [
        (OneShotPromises.standard, 1...1), (.cooperative, 1...1), (.notCancellable, 0...1),
        (.standard.with { $0.cancelsSource = false }, 0...0),
    ])
    func `a cancellation and the end of the time stop the source once`(
        _ promises: OneShotPromises,
        _ cancels: ClosedRange<Int>
    ) {
        let promises = promises.with { $0.timeout = .seconds(1) }
        let model = self.model(promises, [.begin(1, .init()), .cancelAndTimeOut(1), .cancel(1), .timeOut(1)])
        #expect(model.calls[1]?.cancels == cancels)
        #expect(!OneShotModel(.standard).admits(.timeOut(1)))
    }

    @Test(arguments: [
        (OneShotPromises.standard, [OneShotModel.Ending.cancelled], 1...1), (.cooperative, [], 1...1),
        (.notCancellable, [], 0...0),
    ])
    func `a cancellation during the wait`(
        _ promises: OneShotPromises,
        _ endings: [OneShotModel.Ending],
        _ cancels: ClosedRange<Int>
    ) {
        let model = self.model(promises, [.begin(1, .init()), .begin(2, .init()), .cancel(1), .cancel(1)])
        #expect(model.calls[1]?.endings == Set(endings))
        #expect(model.calls[1]?.cancels == cancels)
        #expect(model.calls[2]?.waits == true)
        #expect(model.calls[2]?.cancels == 0...0)
    }

    /// A value that has come is returned, or handed back.
    @Test func `an answer and a cancellation inside start`() {
        let course = History.Course(inStart: [.answer(101), .cancel])
        #expect(self.model(.cooperative, [.begin(1, course)]).calls[1]?.endings == [.value(101)])
        var model = self.model(.standard, [.begin(1, course)])
        #expect(model.calls[1]?.endings == [.value(101), .cancelled])
        model.adopt(.cancelled, by: 1)
        #expect(model.calls[1]?.undelivered == [101])
    }

    @Test func `a dropped handler`() {
        #expect(self.model(.standard, [.begin(1, .init()), .drop(1)]).calls[1]?.endings == [.fault])
        var model = OneShotModel(.standard.with { $0.detectsDrops = false })
        model.apply(.begin(1, .init()))
        #expect(!model.admits(.drop(1)))
    }

    @Test func `calls in turn`() {
        var model = OneShotModel(.standard.with { $0.takesOverlappingCalls = false })
        model.apply(.begin(1, .init()))
        #expect(!model.admits(.begin(2, .init())))
        model.apply(.cancel(1))
        #expect(model.admits(.begin(2, .init())))
        #expect(model.admits(.answer(1, 101)))
    }
}
