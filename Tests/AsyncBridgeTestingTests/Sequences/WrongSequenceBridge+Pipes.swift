// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting

// Bridges written by hand, each with one mistake.

extension WrongSequenceBridge {
    static let ofPipes: [WrongSequenceBridge] = [
        Self.pipe(
            "ignores cancellation",
            .ignoresCancellation,
            breaks: [
                (.cancellation, "the task is cancelled before the iteration"),
                (.cancellation, "the task is cancelled while the source is started"),
                (.cancellation, "the task is cancelled during the wait"),
                (.cancellation, "the source sends and ends after the cancellation"),
            ]
        ),
        Self.pipe(
            "throws an error of its own when cancelled",
            .endsWithAnErrorOfItsOwnWhenCancelled,
            breaks: [(.cancellation, "the task is cancelled during the wait")]
        ),
        Self.pipe(
            "forgets its buffer at the end",
            .forgetsTheBufferAtTheEnd,
            breaks: [
                (.backPressure, "the source finishes inside start"),
                (.backPressure, "the source is faster than the consumer"),
            ]
        ),
        Self.pipe(
            "throws its error again and again",
            .repeatsItsError,
            breaks: [(.once, "the source fails after some elements")]
        ),
        Self.pipe(
            "lets the last end win",
            .lastEndWins,
            breaks: [
                (.once, "the source fails, then finishes")
            ]
        ),
        Self.pipe(
            "lets the last end win that comes while nobody waits",
            .lastEndWinsWhileNobodyWaits,
            breaks: [
                (.once, "the source fails, then finishes, and nobody waits"),
                (.once, "the source finishes, then fails, and nobody waits"),
            ]
        ),
        Self.pipe(
            "delivers after the end",
            .deliversAfterTheEnd,
            breaks: [(.once, "the source sends elements after its end")]
        ),
        Self.pipe(
            "blocks",
            .blocks,
            breaks: [
                (.noBlocking, "the source sends on the consumer's own thread"),
                (.noBlocking, "the source finishes without an element"),
                (.noBlocking, "the source finishes, then fails and finishes again"),
            ]
        ),
        Self.pipe(
            "delivers each element twice",
            .deliversTwice,
            breaks: [(.order, "the source sends while the consumer waits")]
        ),
        Self.pipe(
            "delivers the newest first",
            .prefersTheNewest,
            breaks: [(.order, "the source is faster than the consumer")]
        ),
        Self.pipe(
            "stops the source under its own lock",
            .cancelsUnderItsLock,
            breaks: [
                (.noLocks, "left, cancel() waits for the thread that is sending"),
                (.noLocks, "the source sends and ends inside cancel"),
            ]
        ),
        Self.pipe(
            "ends silently when it is cancelled",
            .endsSilentlyWhenCancelled,
            breaks: [(.errors, "a throwing sequence is cancelled in the middle")]
        ),
        Self.pipe(
            "finishes when its closures are forgotten",
            .finishesWhenForgotten,
            breaks: [(.neverLost, "a throwing sequence is forgotten in the middle")]
        ),
        Self.pipe(
            "forgets that it was left",
            .forgetsThatItWasLeft,
            breaks: [(.neverLost, "a second loop runs over the sequence that was left")]
        ),
        Self.pipe(
            "has a place for one waiter",
            .hasOneWaiter,
            breaks: [(.neverLost, "two iterators wait at the same time")]
        ),
        Self.pipe(
            "fails without the elements of its buffer when that is full",
            promises: .wrong.with { $0.overflow = .fails },
            .failsWithoutItsBuffer,
            breaks: [(.backPressure, "the source is faster than the consumer")]
        ),
        Self.pipe(
            "fails when the batch is taken that it failed in",
            .failsWithTheBatch,
            breaks: [(.backPressure, "the source fails while the consumer takes what has come")]
        ),
        Self.pipe(
            "wakes one waiter at its end",
            .wakesOneAtItsEnd,
            breaks: [(.neverLost, "two iterators wait, and the source only ends")]
        ),
        Self.pipe(
            "keeps no more than 65,536 elements",
            .keepsNoMoreThanSixtyFiveThousand,
            breaks: [(.backPressure, "a hundred thousand elements wait for the consumer")]
        ),
        Self.pipe(
            "forgets that it has finished",
            .forgetsThatItHasFinished,
            breaks: [(.neverLost, "a second loop runs when the source has finished")]
        ),
        Self.pipe(
            "forgets that it has failed",
            .forgetsThatItHasFailed,
            breaks: [
                (.neverLost, "a second loop runs when the source has failed"),
                (.neverLost, "a second loop runs when start has thrown"),
            ]
        ),
        Self.pipe(
            "cancels the first that waits",
            .cancelsItsFirstWaiter,
            breaks: [(.cancellation, "two iterators wait, and the second is cancelled")]
        ),
        Self.pipe(
            "cancels the last that waits",
            .cancelsItsLastWaiter,
            breaks: [(.cancellation, "two iterators wait, and the first is cancelled")]
        ),
        Self.pipe(
            "stops its source when any iterator goes",
            .stopsWithAnyIterator,
            breaks: [(.neverLost, "a second iterator is made, and released unused")]
        ),
        Self.pipe(
            "stops its source before it ends the iteration",
            .stopsItsSourceFirst,
            breaks: [(.errors, "the source sends and ends inside cancel")]
        ),
        Self.pipe(
            "throws CancellationError again and again",
            .throwsCancellationAgain,
            breaks: [(.once, "the iterator is asked again after the cancellation")]
        ),
        Self.pipe(
            "hangs when it is asked again after the cancellation",
            .hangsAfterCancellation,
            breaks: [(.cancellation, "the iterator is asked again after the cancellation")]
        ),
        Self.pipe(
            "checks for cancellation when it has taken an element",
            promises: .wrong.with { $0.handsBackElements = true },
            .checksCancellationAfterTheElement,
            breaks: [(.backPressure, "the task is cancelled when an element has come")]
        ),
        Self.pipe(
            "makes room by dropping its newest",
            promises: .wrong.with { $0.overflow = .dropsOldest },
            .replacesItsNewest,
            breaks: [(.backPressure, "the source is faster than a buffer that drops")]
        ),
        Self.pipe(
            "hands back what it kept under its lock",
            promises: .wrong.with { $0.handsBackElements = true },
            .handsBackUnderItsLock,
            breaks: [(.noLocks, "left, takeBack() of what was kept waits for the thread that is sending")]
        ),
        Self.pipe(
            "lets go of the handle under its lock",
            .releasesUnderItsLock,
            breaks: [
                (.noLocks, "the release of the source's handle waits for the thread that is sending")
            ]
        ),
        Self.pipe(
            "looks at its buffer and then waits",
            .looksAndThenParks,
            breaks: [(.neverLost, "each element comes when the last was consumed, many times")],
            isRace: true
        ),
    ]

    static func pipe(
        _ name: String,
        promises: SequencePromises = .wrong,
        _ flaw: Pipe.Flaw,
        breaks: [(Law, String)],
        isRace: Bool = false
    ) -> WrongSequenceBridge {
        WrongSequenceBridge(name, promises: promises, breaks: breaks, isRace: isRace) {
            Pipe($0, flaw: flaw) { dawdle() }
        }
    }
}
