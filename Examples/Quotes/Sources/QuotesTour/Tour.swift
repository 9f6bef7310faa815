// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The second part of the tour, which needs libraries: publishers, and a server with its client.
@main
@MainActor
struct Tour {
    let narrator = Narrator(folder: "Examples/Quotes/Sources/QuotesTour/Chapters")

    static func main() async {
        startWatchdog(seconds: 50)
        let tour = Tour()
        print("The tour, second part: publishers, and QuoteKit over HTTP.")

        await tour.crossToPublishersAndBack()
        await tour.visitTheServer()

        tour.narrator.end()
        endProgram(isRight: tour.narrator.failures == 0)
    }
}
