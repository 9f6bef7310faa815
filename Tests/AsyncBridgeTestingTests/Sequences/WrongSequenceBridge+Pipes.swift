// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting

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
            breaks: [
                (.cancellation, "the task is cancelled during the wait"),
                (.cancellation, "cancellation and the source's end race"),
            ]
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
    ]

    private static func pipe(_ name: String, _ flaw: Pipe.Flaw, breaks: [(Law, String)]) -> WrongSequenceBridge {
        WrongSequenceBridge(name, breaks: breaks) { Pipe($0, flaw: flaw) }
    }
}
