// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import MutationTestSupport
import Testing

/// A sample; `Scripts/test-mutants` runs all.
@Suite("Mutants of sequences are named", .serialized, .timeLimit(.minutes(30)))
struct SequenceMutantTests {
    @Test(arguments: [MutatedBuffer.Room.pausing, .dropping])
    func `without a fault, they are right`(_ room: MutatedBuffer.Room) async {
        let promises = Self.promises(.right, room)
        expectNone(await SequenceLaws.check("sequence", promises: promises) { MutatedSequence($0, room, nil) })
    }

    @Test func `the guide lists those that are not named`() throws {
        try GuideToMutants.expect(MutatedSequence.reasons, for: "of a sequence")
    }

    @Test func `the page of the suites gives the figures`() throws {
        let references = [
            "one that answers once": MutatedCall.reference,
            "a sequence that pauses its source": MutatedSequence.reference(.pausing),
            "a sequence that drops the oldest: what it does besides": MutatedSequence.reference(.dropping),
        ]
        try GuideToMutants.expect(
            references,
            on: "Sources/AsyncBridgeTesting/AsyncBridgeTesting.docc/AsyncBridgeTesting.md"
        )
    }

    @Test func `sequences that pause their source`() async {
        await Self.check(.pausing, sample: 8)
    }

    @Test func `sequences that drop the oldest`() async {
        await Self.check(.dropping, sample: 4)
    }

    private static func check(_ room: MutatedBuffer.Room, sample: Int) async {
        let promises = Self.promises(.wrong, room)
        await ForgottenCells.resumed {
            let run = MutantRun(MutatedSequence.reference(room), sample: sample, reasons: MutatedSequence.reasons)
            await run.check { mutant in
                // Up to the first scenario that names something.
                for name in SequenceLaws.scenarioNames(for: promises) {
                    let violations = await SequenceLaws.check("mutant", promises: promises, only: [name]) {
                        MutatedSequence($0, room, mutant)
                    }
                    if !violations.isEmpty { return true }
                }
                return false
            }
        }
    }

    private static func promises(_ promises: SequencePromises, _ room: MutatedBuffer.Room) -> SequencePromises {
        promises.with {
            $0.overflow = room == .pausing ? .pauses : .dropsOldest
            $0.stopsEndedSource = true
            $0.handsBackElements = true
        }
    }
}
