// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// A tour of the package: each chapter does something to an old API, says what came of it, and checks that.
@main
@MainActor
struct Tour {
    /// What a misused bridge reports, instead of on standard error.
    let reports = Notebook<BridgeDiagnostics.Misuse>()
    let narrator = Narrator(folder: "Examples/Tour/Sources/Tour/Chapters")

    static func main() async {
        startWatchdog(seconds: 50)
        let tour = Tour()
        BridgeDiagnostics.setHandler { [reports = tour.reports] in reports.note($0) }
        print("A tour: old APIs and synchronous code on one side, async/await on the other.")

        await tour.awaitCompletionHandler()
        await tour.surviveSecondAnswer()
        await tour.noticeDroppedCallback()
        await tour.cancel()
        await tour.giveUpInTime()
        await tour.awaitDelegate()
        await tour.iterateDelegate()
        await tour.dropWhatIsTooMuch()
        await tour.keepOldCallers()
        await tour.findWhoWaits()
        await tour.awaitInSynchronousCode()
        await tour.startCoroutines()
        await tour.generate()

        tour.narrator.end()
        endProgram(isRight: tour.narrator.failures == 0)
    }
}
