// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Dispatch
import Synchronization
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
                    if case .source(let number, .drop) = event, !promises.detectsDrops {
                        #expect(model.sequences[number]?.isOver == true, "\(history.steps)")
                    }
                    model.apply(event)
                }
                let text = history.steps.joined()
                #expect(promises.passesErrors || !text.contains("error"))
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
            "the source of sequence 1 sends 5000 elements", "sends 100000 elements", "iterator 3 of sequence 1 is made",
            "the source of sequence 1 finishes",
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

// MARK: Histories that are known

extension SequenceHistoryTests {
    /// Plays one history.
    private func play<S: AsyncSequence & SendableMetatype>(
        _ events: [History.Event],
        _ promises: SequencePromises,
        _ bridge: @escaping @Sendable (SequenceSource) -> S
    ) async -> Violation? where S.Element == Int {
        let judged = JudgedBridge(
            "mine",
            made: BridgeDiagnostics.CallSite(fileID: #fileID, line: #line),
            notPromised: []
        )
        let report = TrialReport(bridge: judged, scenario: SequenceLaws.historiesName, law: .once)
        let finding = await SequenceHistoryPlayer.play(
            History(events: events),
            { OneThreadSequence(bridge($0)) },
            promises,
            SequenceTraits(S.self),
            report
        )
        return finding?.violation
    }

    private static let toTheEnd: [History.Event] = [
        .make(1, .init()), .consumer(1, iterator: 1, .begin), .consumer(1, iterator: 1, .ask(.toTheEnd)),
        .source(1, .send(2)), .source(1, .finish),
    ]

    @Test func `an element after the end is named as such, whichever it is`() async throws {
        for late in [1, 1_000_001, .min] {
            let violation = try #require(
                await self.play(Self.toTheEnd, .wrong) { source in
                    Altered(base: elements(source)) { element, count in count == 4 ? late : element }
                }
            )
            #expect(violation.law == .once)
            #expect(violation.explanation.contains("expected nil after the end, saw 1 more elements"), "\(violation)")
        }
    }

    /// The source stops one iteration while it sends to two, and sends more in that: the other sees this first.
    @Test func `what the source sends during a send may overtake`() async {
        let promises = SequencePromises.right.with { $0.overflow = .fails }
        let events: [History.Event] = [
            .make(1, .init(inCancel: [.send(1)])), .consumer(1, iterator: 1, .begin),
            .consumer(1, iterator: 2, .begin), .consumer(1, iterator: 2, .ask(.toTheEnd)), .source(1, .send(2)),
            .source(1, .send(1)), .source(1, .finish),
        ]
        let violation = await self.play(events, promises) { source in UnevenSequence(source: source) }
        #expect(violation == nil, "\(violation.map(String.init(describing:)) ?? "")")
    }

    /// A wait as long as something comes would have no end.
    @Test func `elements without end come to an end`() async throws {
        let violation = try #require(
            await self.play(Self.toTheEnd, .wrong) { source in
                Altered(base: elements(source)) { element, _ in element ?? 1_000_002 }
            }
        )
        #expect(violation.law == .once)
        #expect(violation.explanation.contains("expected at most 2 elements"), "\(violation)")
    }

    /// What comes when the source has ended, or inside its `cancel()`, is dropped as well, or none of its business.
    @Test(arguments: [false, true])
    func `late elements may be counted as dropped`(_ counts: Bool) async {
        let promises = SequencePromises.right.with { $0.overflow = .dropsOldest }
        let events: [History.Event] = [
            .make(1, .init(inCancel: [.send(3)])), .consumer(1, iterator: 1, .begin),
            .consumer(1, iterator: 1, .ask(.times(1))), .source(1, .send(10)), .source(1, .finish),
            .source(1, .send(2)), .consumer(1, iterator: 1, .ask(.toTheEnd)), .consumer(1, iterator: 1, .leave),
            .release(1),
        ]
        let violation = await self.play(events, promises) { source in
            CallbackSequence<Int, any Error>(
                buffering: .newest(capacity: 4),
                // The sequence says so of each that it does not take, too.
                onUndelivered: { if counts || $0 <= 1_000_010 { source.noteDropped() } }
            ) { sink in
                let handle = source.start(onElement: sink.handler(), onCompletion: { _ in sink.finish() })
                return { handle.cancel() }
            }
        }
        #expect(violation == nil)
    }

    /// The source of the sequence that is over is released, and not when all are over.
    @Test func `what was handed back, and what is gone, is known after each event`() async throws {
        let promises = SequencePromises.right.with { $0.handsBackElements = true }
        let events: [History.Event] = [
            .make(1, .init()), .consumer(1, iterator: 1, .begin), .consumer(1, iterator: 1, .ask(.times(1))),
            .make(2, .init()), .consumer(2, iterator: 1, .begin), .consumer(2, iterator: 1, .ask(.times(1))),
            .source(1, .send(1_200)), .consumer(1, iterator: 1, .leave), .release(1), .source(1, .send(1)),
            .source(1, .drop), .source(2, .send(1)),
        ]
        var model = SequenceModel(promises, Self.traits)
        for event in events {
            #expect(model.admits(event), "\(event.text)")
            model.apply(event)
        }
        #expect(model.mustBeGone(1))
        #expect(model.mustBeHandedBack(1))
        #expect(!model.mustBeGone(2))
        #expect(model.wantedCount(2) == 1)
        let violation = await self.play(events, promises) { source in
            CallbackSequence<Int, any Error>(onUndelivered: { source.takeBack($0) }) { sink in
                let handle = source.start(onElement: sink.handler(), onCompletion: { _ in sink.finish() })
                return { handle.cancel() }
            }
        }
        #expect(violation == nil)
        let kept = Mutex<[SourceHandle]>([])
        let wrong = try #require(
            await self.play(events, .wrong) { source in
                CallbackSequence<Int, any Error> { sink in
                    let handle = source.start(onElement: sink.handler(), onCompletion: { _ in sink.finish() })
                    kept.withLock { $0.append(handle) }
                    return { handle.cancel() }
                }
            }
        )
        #expect(wrong.law == .teardown)
        #expect(wrong.explanation.contains("belongs to sequence 1"), "\(wrong)")
    }

    /// Not which of them gets it.
    @Test func `each element reaches one of several iterators that ask for it`() async throws {
        let events: [History.Event] = [
            .make(1, .init()), .consumer(1, iterator: 1, .begin), .consumer(1, iterator: 1, .ask(.times(9))),
            .consumer(1, iterator: 2, .begin), .consumer(1, iterator: 2, .ask(.times(9))), .source(1, .send(4)),
        ]
        #expect(await self.play(events, .right) { elements($0) } == nil)
        let violation = try #require(
            await self.play(events, .wrong) { source in
                CallbackSequence<Int, any Error> { sink in
                    let handle = source.start(
                        onElement: { if $0 % 4 != 0 { sink.yield($0) } },
                        onCompletion: { _ in sink.finish() }
                    )
                    return { handle.cancel() }
                }
            }
        )
        #expect(violation.law == .neverLost)
        #expect(violation.explanation.contains("element 4 of sequence 1 reached no iterator"), "\(violation)")
    }

    /// Its handler takes more than half a millisecond for each element while it keeps thousands.
    @Test func `a bridge that is slow when it keeps thousands does not block`() async {
        let events: [History.Event] = [
            .make(1, .init()), .consumer(1, iterator: 1, .begin), .consumer(1, iterator: 1, .ask(.times(1))),
            .source(1, .send(6_000)),
        ]
        let promises = SequencePromises.standard.with { $0.patience = .seconds(1) }
        let violation = await self.play(events, promises) { source in
            let count = Atomic(0)
            return elements(
                source,
                onElement: {
                    if count.add(1, ordering: .relaxed).newValue > 2_000 { dawdle(for: .microseconds(600)) }
                }
            )
        }
        #expect(violation == nil)
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
        // The first may keep the second waiting with what it does not take.
        let held = self.model(.standard, Self.begun + second + [.source(1, .send(5)), .source(1, .finish)])
        #expect(held.wanted(1, of: 1) == .returned)
        #expect(held.wanted(2, of: 1) == .anything)
        // Each of them may have a start of its own, and the source ends in the first.
        let inStart = self.model(
            .standard,
            [.make(1, .init(inStart: [.finish])), .consumer(1, iterator: 1, .begin)] + second
        )
        #expect(inStart.wanted(2, of: 1) == .anything)
        let single = SequencePromises.standard.with { $0.takesSecondIterator = false }
        #expect(!self.model(single, Self.begun).admits(second[0]))
        #expect(
            !self.model(single, Self.begun + [.source(1, .send(2)), .consumer(1, iterator: 1, .leave)]).admits(
                second[0]
            )
        )
    }
}

/// The first iteration fails at its second element, the others keep all.
private struct UnevenSequence: AsyncSequence {
    let source: SequenceSource
    let count = Watched(0)

    func makeAsyncIterator() -> CallbackSequence<Int, any Error>.AsyncIterator {
        let isFirst = self.count.update { count in
            defer { count += 1 }
            return count == 0
        }
        let buffering = isFirst ? BufferingPolicy.failing(capacity: 1) : .unbounded
        let sequence = CallbackSequence<Int, any Error>(buffering: buffering) { sink in
            let handle = self.source.start(
                onElement: sink.handler(),
                onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
            )
            return { handle.cancel() }
        }
        return sequence.makeAsyncIterator()
    }
}
