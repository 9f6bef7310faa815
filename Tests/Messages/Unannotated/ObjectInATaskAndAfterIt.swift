// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A task of your own uses an object of the library, and so does the code after it.
//
// error: sending value of non-Sendable type '() async -> ()' risks causing data races

import UnannotatedLibrary

func mistake() async throws {
    let receiver = Receiver()
    let task = Task { receiver.stop() }  // <-
    receiver.stop()
    await task.value
}
