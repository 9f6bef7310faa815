// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The third part of the tour, which needs ONNX Runtime: a neural network.
@main
@MainActor
struct Tour {
    let narrator = Narrator(folder: "Examples/WhatsThat/Sources/WhatsThatTour/Chapters")

    static func main() async {
        startWatchdog(seconds: 50)
        let tour = Tour()
        print("The tour, third part: a neural network.")

        await tour.classifyPicture()

        tour.narrator.end()
        endProgram(isRight: tour.narrator.failures == 0)
    }
}
