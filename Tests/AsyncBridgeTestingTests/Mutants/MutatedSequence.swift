// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import MutationTestSupport

/// A sequence written by hand; right, but for its faults.
struct MutatedSequence: AsyncSequence {
    private let whole: Whole

    init(_ source: SequenceSource, _ room: MutatedBuffer.Room, _ mutant: Mutant?) {
        let buffer = MutatedBuffer(source, room, Faults(mutant))
        self.whole = Whole(buffer: buffer)
        buffer.start()
    }

    func makeAsyncIterator() -> Iterator { Iterator(lifetime: Iterator.Lifetime(whole: self.whole)) }

    /// The sequence and all its iterators: when the last is gone, nobody can consume any more.
    fileprivate final class Whole: Sendable {
        let buffer: MutatedBuffer

        init(buffer: MutatedBuffer) { self.buffer = buffer }

        deinit { self.buffer.leave(at: "leave when the sequence goes") }
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate final class Lifetime: Sendable {
            let whole: Whole
            let hasBegun = Flag()

            init(whole: Whole) { self.whole = whole }

            deinit { if self.hasBegun.value { self.whole.buffer.leave(at: "leave when the iterator goes") } }
        }

        fileprivate let lifetime: Lifetime

        mutating func next() async throws -> Int? {
            self.lifetime.hasBegun.set()
            return try await self.lifetime.whole.buffer.next()
        }
    }

    // MARK: Where faults can be put

    /// The places of one of two bridges: what both do is in the first.
    ///
    /// Each sequence has faults of its own.
    static func reference(_ room: MutatedBuffer.Room) -> Reference {
        switch room {
        case .pausing: Reference("sequence that pauses its source", timings: Self.timings, Self.sites)
        case .dropping: Reference("sequence that drops the oldest", timings: Self.timings, Self.droppingSites)
        }
    }

    /// Why some are not named.
    static let reasons = [
        "note that it acts: forget": "once only, while the source is resumed, and then no second thread asks it",
        "the source is to be asked: negate": "the first time, it is asked to pause an element later",
        "drop the oldest: wrongCall": "once only: what is checked is that the last element arrives",
        "pause the source: elsewhere": "not always: it is right unless resume() overtakes it",
        "resume the source: elsewhere": "once only: the consumer would have to leave at that moment",
        "wake at the end: reorder": "the source is stopped at once, and then the consumer is woken",
    ]

    private static let timings: [Timing] = [.always, .first, .second, .later, .everyOther]

    /// The places of a sequence that pauses its source.
    ///
    /// An element may be handed back later, and on any thread. A source may be paused an element later; one that is
    /// asked twice to pause is paused, and one that is asked twice to go on goes on. The handle and the error may be
    /// kept as long as the sequence.
    private static let sites: [Site] = [
        .call("start the source"),
        .decision("unlock before the start"),
        .nothing("the closures are not kept", .retain),
        .wake("end when the start throws"),
        .wake("end when the closures are dropped"),
        .change("keep the handle"),
        .nothing("a handler does not wait", .wrongCall, isRepeated: true),
        .call("take an element", isRepeated: true),
        .decision("the sequence is open", isRepeated: true),
        .call("hand back what comes too late", isRepeated: true, unseen: [.reorder, .elsewhere]),
        .wake("wake at an element", isRepeated: true),
        .decision("there is an element", isRepeated: true),
        .change("take the element out", isRepeated: true),
        .number("the element", isRepeated: true),
        .decision("it was left", isRepeated: true),
        .decision("it has ended", isRepeated: true),
        .release("forget the error", unseen: [.retain]),
        .nothing("the error is not kept", .retain),
        .decision("a failure stays one"),
        .decision("the task is cancelled", isRepeated: true),
        .decision("a cancellation is thrown"),
        .wake("wake at the cancellation"),
        .nothing("the cancellation's handler calls nobody", .wrongCall),
        .decision("it is the first end", isRepeated: true),
        .change("note the end"),
        .wake("wake at the end"),
        .wake("leave when the sequence goes"),
        .wake("leave when the iterator goes"),
        .change("empty the buffer"),
        .change("note that it was left"),
        .call("hand back what is left", isRepeated: true, unseen: [.reorder, .elsewhere]),
        .decision("it acts already", isRepeated: true),
        .change("note that it acts", isRepeated: true),
        .change("note that it has acted", isRepeated: true),
        .decision("the source is to be stopped", isRepeated: true),
        .release("forget the handle", unseen: [.retain]),
        .nothing("the handle is not kept", .retain),
        .decision("unlock before stopping"),
        .call("stop the source", unseen: [.elsewhere]),
        .nothing("a stopped source is not resumed", .wrongCall),
        .change("note that it is full", isRepeated: true),
        .change("note that there is room", isRepeated: true),
        .decision("the source is to be asked", isRepeated: true),
        .decision("unlock before pausing", isRepeated: true),
        .call("pause the source", isRepeated: true, unseen: [.double, .reorder]),
        .decision("unlock before resuming", isRepeated: true),
        .call("resume the source", isRepeated: true, unseen: [.double]),
    ]

    /// The places where a sequence drops.
    ///
    /// A buffer may keep more or fewer, if it counts what it drops, and may tell the number later.
    private static let droppingSites: [Site] = [
        .decision("there is room", isRepeated: true),
        .call("drop the oldest", isRepeated: true, unseen: [.drop, .double, .reorder, .elsewhere]),
        .call("hand back what is dropped", isRepeated: true, unseen: [.reorder, .elsewhere]),
        .call("count what is dropped", isRepeated: true, unseen: [.reorder, .elsewhere]),
        .number("how many are dropped", isRepeated: true),
    ]
}
