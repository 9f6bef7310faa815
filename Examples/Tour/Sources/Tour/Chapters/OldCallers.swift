// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension Tour {
    func keepOldCallers() async {
        self.narrator.chapter(
            "Async on the inside, a completion handler for old callers",
            "callAsync runs an async function and calls a completion handler once, where it was written."
        )
        let client = ShelfClient()
        var text: String?
        let handle = callAsync {
            try await withCallback { callback in client.fetchQuote(id: 3, completion: callback.handler()) }
        } completion: { (result: Result<ShelfQuote, any Error>) in
            // On the main actor, as the code around it: `text` needs no lock.
            text = try? result.get().text
        }
        await handle.finished()
        self.narrator.check(
            "the completion gets the value",
            so: "callers do not notice that the API is async now",
            text == ShelfClient.shelf[2].text,
            text
        )

        var calls: [String] = []
        let cancelled = callAsync {
            try await withCallback { callback in
                client.startRequest(id: 1, completion: callback.handler())
            } onCancel: { request in
                request.cancel()
            }
        } completion: { (result: Result<ShelfQuote, any Error>) in
            do { calls.append(try result.get().text) } catch { calls.append("\(error)") }
        }
        await until { client.journal.contains("start 1") }
        cancelled.cancel()
        await cancelled.finished()
        self.narrator.check(
            "the handle cancels; still one call",
            so: "an old caller waits for exactly one, and gets it",
            calls == ["CancellationError()"],
            calls
        )
        self.narrator.check(
            "the old API was told to stop",
            so: "cancelling reaches through both bridges",
            client.journal.contains("cancel 1")
        )
    }

    func findWhoWaits() async {
        self.narrator.chapter(
            "It hangs: who is waiting?",
            "BridgeDiagnostics.tracksPendingWaits = true, then BridgeDiagnostics.pendingWaits."
        )
        BridgeDiagnostics.tracksPendingWaits = true
        defer { BridgeDiagnostics.tracksPendingWaits = false }
        let client = ShelfClient()
        let task = Task(name: "breakfast") {
            try await withCallback { callback in
                client.startRequest(id: 2, completion: callback.handler())
            } onCancel: { request in
                request.cancel()
            }
        }
        await until { !BridgeDiagnostics.pendingWaits.isEmpty }
        let waits = BridgeDiagnostics.pendingWaits
        self.narrator.check(
            "the wait is in the list",
            so: "a program that hangs says where, and in which task",
            waits.map(\.taskName) == ["breakfast"],
            waits.first
        )

        client.wakeServer()
        let quote = try? await task.value
        self.narrator.check(
            "it is answered",
            so: "looking has disturbed nothing",
            quote == ShelfClient.shelf[1],
            quote?.author
        )
        self.narrator.check(
            "the list is empty again",
            so: "what stays in it is what leaks",
            BridgeDiagnostics.pendingWaits.isEmpty
        )
    }
}
