// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "My function must return a result, and may be called from anywhere".

import AsyncBridge
import Coroutines
import Foundation

// snippet.SETTINGS
func loadSettings() throws -> Settings {
    try blockingAwait { try await SettingsServer.shared.settings() }
}
// snippet.end

struct Settings: Sendable, Equatable {
    let language: String
}

actor SettingsServer {
    static let shared = SettingsServer()

    func settings() async throws -> Settings {
        await Task.yield()
        return Settings(language: "en")
    }
}

// In a coroutine it suspends.
let suspended = try await withCoroutine { try loadSettings() }
precondition(suspended == Settings(language: "en"))

// On a thread of its own it blocks that thread.
let blocked = try await withCallback { callback in
    Thread.detachNewThread { callback.resume(with: Result { try loadSettings() }) }
}
precondition(blocked == Settings(language: "en"))

// In a task it refuses.
do {
    _ = try await Task { try loadSettings() }.value
    preconditionFailure("A thread of Swift's pool was blocked")
} catch CoroutineError.wouldBlockTask {
    print(CoroutineError.wouldBlockTask)
}
