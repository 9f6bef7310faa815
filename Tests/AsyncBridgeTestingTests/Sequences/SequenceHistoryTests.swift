// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@testable import AsyncBridgeTesting

@Suite("Random histories of sequence bridges", .timeLimit(.minutes(10)))
struct SequenceHistoryTests {
    typealias History = SequenceHistory

    private static let traits = SequenceTraits(CallbackSequence<Int, any Error>.self)

    /// Every combination of promises that changes what a history may be.
    private static let promises: [SequencePromises] = [
        SequencePromises.Overflow.keeps, .countsDrops, .pauses, .fails,
    ].flatMap { overflow in
        (0..<8).map { bits in
            SequencePromises.wrong.with {
                $0.overflow = overflow
                $0.passesErrors = bits & 1 == 0
                $0.detectsDrops = bits & 2 == 0
                $0.takesSecondIterator = bits & 4 == 0
            }
        }
    }

    @Test func `the contract says what comes of each`() {
        for promises in Self.promises {
            for seed in 0..<200 as Range<UInt64> {
                let history = History.random(seed: seed, for: promises, Self.traits)
                #expect(history == .random(seed: seed, for: promises, Self.traits))
                var model = SequenceModel(promises, Self.traits)
                for event in history.events {
                    #expect(model.admits(event), "\(history.steps)")
                    model.apply(event)
                }
                let text = history.steps.joined()
                #expect(promises.passesErrors || !text.contains("error"))
                #expect(promises.detectsDrops || !text.contains("drops its closures"))
                #expect(promises.pauses || !text.contains("asked to pause"))
            }
        }
    }

    /// What the generator never makes, no history can find.
    @Test func `everything happens that can happen`() {
        let keeping = self.text(of: .standard)
        for part in [
            "sequence 3 is made", "iterator 2 of sequence 1 is made", "; in start, the source sends", "start throws",
            ", then drops its closures", "; in cancel(), when that is called, the source sends",
            "the source of sequence 1 sends 5000 elements", "the source of sequence 1 finishes",
            "\nthe source of sequence 1 fails with error", "\nthe source of sequence 1 drops its closures",
            "is asked once", "is asked 3 times", "for all that was sent", "until the end, and twice more",
            "\nthe task of iterator 1 of sequence 2 is cancelled", "\nsequence 1 is released",
            "\niterator 1 of sequence 1 is released", "and before the consumer goes on the task",
            "and before the consumer goes on the source", "on one thread while on another the task",
            "on one thread while on another iterator",
        ] { #expect(keeping.contains(part), "\(part)") }
        let pausing = self.text(of: .everything)
        #expect(pausing.contains("sends until it is asked to pause"))
    }

    private func text(of promises: SequencePromises) -> String {
        (1...SequenceLaws.historyCount).map { seed in
            History.random(seed: seed, for: promises, Self.traits).steps.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    @Test func `a simpler history is smaller`() {
        for seed in 0..<50 as Range<UInt64> {
            let history = History.random(seed: seed, for: .standard, Self.traits)
            for simpler in history.simpler {
                #expect(simpler != history)
                #expect(simpler.steps.joined().count <= history.steps.joined().count)
            }
        }
    }

    /// From a long random history to the few events that matter, and again with the seed.
    @Test func `a violation tells a short history`() async throws {
        let wrong = WrongSequenceBridge.stoppingTheLast()
        let violation = try #require(await wrong.check([SequenceLaws.historiesName]).first)
        let seed = try #require(violation.seed)
        #expect(violation.law == .teardown)
        // On a busy machine the search for a shorter one ends early.
        #expect((1...16).contains(violation.steps.count), "\(violation)")
        #expect(violation.explanation.contains("not to be stopped yet"))
        #expect(violation.description.contains("\n  To run it again: check(…, seed: \(seed))\n"))
        let again = try #require(await wrong.check([SequenceLaws.historiesName], seed: seed).first)
        #expect(again.law == violation.law)
        #expect(again.seed == seed)
    }
}

// MARK: The contract, step by step

extension SequenceHistoryTests {
    private func model(_ promises: SequencePromises, _ events: [History.Event]) -> SequenceModel {
        var model = SequenceModel(promises, Self.traits)
        for event in events {
            #expect(model.admits(event))
            model.apply(event)
        }
        return model
    }

    private static let begun: [History.Event] = [
        .make(1, .init()), .consumer(1, iterator: 1, .begin), .consumer(1, iterator: 1, .ask(.times(2))),
    ]

    @Test func `the consumer waits for what it has asked for`() {
        let model = self.model(.standard, Self.begun + [.source(1, .send(1))])
        #expect(model.wanted(1, of: 1) == .waits)
        #expect(model.stops(of: 1, starts: 1) == 0...0)
        #expect(model.endings(1, of: 1) == [])
        #expect(!model.admits(.consumer(1, iterator: 1, .leave)))
        let served = self.model(.standard, Self.begun + [.source(1, .send(2))])
        #expect(served.admits(.consumer(1, iterator: 1, .leave)))
    }

    @Test func `the first end decides, and what comes later is not accepted`() {
        let model = self.model(
            .standard,
            Self.begun + [.source(1, .fail(1)), .source(1, .finish), .source(1, .send(5))]
        )
        #expect(model.wanted(1, of: 1) == .complete)
        #expect(model.endings(1, of: 1) == [.error(1)])
        #expect(model.sequences[1]?.accepted == 0)
        #expect(model.stops(of: 1, starts: 1) == 0...1)
    }

    @Test func `a cancellation during the wait`() {
        let model = self.model(.standard, Self.begun + [.consumer(1, iterator: 1, .cancel)])
        #expect(model.wanted(1, of: 1) == .returned)
        #expect(model.endings(1, of: 1) == [.cancelled])
        #expect(model.admits(.consumer(1, iterator: 1, .leave)))
        let quiet = SequencePromises.standard.with { $0.throwsWhenCancelled = false }
        #expect(
            self.model(quiet, Self.begun + [.consumer(1, iterator: 1, .cancel)]).endings(1, of: 1)
                == [.cancelled, .finished]
        )
    }

    /// The source is stopped when its iterator goes, and not when its sequence does.
    @Test func `sequence and iterator go in any order`() {
        let served = Self.begun + [.source(1, .send(2))]
        let released = self.model(.standard, served + [.release(1)])
        #expect(released.stops(of: 1, starts: 1) == 0...0)
        let left = self.model(.standard, served + [.consumer(1, iterator: 1, .leave)])
        #expect(left.stops(of: 1, starts: 1) == 1...1)
        let loose = SequencePromises.standard.with { $0.stopsWhenLeft = false }
        #expect(self.model(loose, served + [.consumer(1, iterator: 1, .leave)]).stops(of: 1, starts: 1) == 0...1)
        let over = self.model(loose, served + [.consumer(1, iterator: 1, .leave), .release(1)])
        #expect(over.stops(of: 1, starts: 1) == 1...1)
    }

    @Test func `a paused source goes on when all was consumed`() {
        let pausing = SequencePromises.standard.with { $0.overflow = .pauses }
        let ask = History.Event.consumer(1, iterator: 1, .ask(.pastWhatWasSent))
        #expect(!self.model(pausing, Self.begun + [.source(1, .send(9))]).mustFlow(1))
        #expect(self.model(pausing, Self.begun + [.source(1, .send(9)), ask]).mustFlow(1))
        #expect(!self.model(.standard, Self.begun + [.source(1, .send(9)), ask]).mustFlow(1))
    }

    /// It may share the elements, get its own, or be refused.
    @Test func `little is said of two iterators`() {
        let second: [History.Event] = [
            .consumer(1, iterator: 2, .begin), .consumer(1, iterator: 2, .ask(.toTheEnd)),
        ]
        let both = self.model(.standard, Self.begun + second)
        #expect(both.wanted(2, of: 1) == .anything)
        #expect(both.endings(1, of: 1) == nil)
        let ended = self.model(.standard, Self.begun + second + [.source(1, .finish)])
        #expect(ended.wanted(1, of: 1) == .returned)
        #expect(ended.wanted(2, of: 1) == .returned)
        // Each of them may have a start of its own, and the source ends in the first.
        let inStart = self.model(
            .standard,
            [.make(1, .init(inStart: [.finish])), .consumer(1, iterator: 1, .begin)] + second
        )
        #expect(inStart.wanted(2, of: 1) == .anything)
        let single = SequencePromises.standard.with { $0.takesSecondIterator = false }
        #expect(!self.model(single, Self.begun).admits(second[0]))
    }
}
