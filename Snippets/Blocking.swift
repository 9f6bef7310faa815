// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Synchronous code that may be called from anywhere, and what becomes of it there.

import AsyncBridge
import Coroutines
import Dispatch

// snippet.SETTINGS
func loadSettings() throws -> Settings {
    try blockingAwait { try await SettingsServer.shared.settings() }
}
// snippet.end

/// On a thread that nobody else needs: it is blocked.
func onAThread() async throws -> Settings {
    try await withCallback { callback in
        DispatchQueue(label: "old library").async { callback.resume(with: Result { try loadSettings() }) }
    }
}

/// In a coroutine: it suspends.
func inACoroutine() async throws -> Settings { try await withCoroutine { try loadSettings() } }

/// In a task, outside a coroutine: refused, for the task's thread may be the one that the operation needs.
func inATask() async -> CoroutineError? {
    do {
        _ = try loadSettingsAnyhow()
        return nil
    } catch {
        return error as? CoroutineError
    }
}

// The compiler refuses `blockingAwait` in async code, but cannot look through a synchronous function.
func loadSettingsAnyhow() throws -> Settings { try loadSettings() }

let first = try await onAThread()
let second = try await inACoroutine()
precondition(first.name == "settings" && second.name == "settings")

let refusal = await Task.detached { await inATask() }.value
precondition(refusal == .wouldBlockTask)

// snippet.hide
// MARK: - Stand-ins

struct Settings: Sendable {
    let name: String
}

actor SettingsServer {
    static let shared = SettingsServer()

    func settings() async throws -> Settings {
        try await Task.sleep(for: .milliseconds(10))
        return Settings(name: "settings")
    }
}
