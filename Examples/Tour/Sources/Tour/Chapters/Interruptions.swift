// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension Tour {
    func cancel() async {
        self.narrator.chapter(
            "The task is cancelled",
            "What 'start' returns goes to 'onCancel:', which runs on the caller's actor, once."
        )
        let client = ShelfClient()
        let task = Task {
            try await withCallback { callback in
                client.startRequest(id: 3, completion: callback.handler())
            } onCancel: { request in
                request.cancel()
            }
        }
        await until { client.journal == ["start 3"] }
        task.cancel()
        let error = await errorOf { try await task.value }
        self.narrator.check(
            "the wait ends at once",
            so: "a screen that is closed does not wait for the server",
            error is CancellationError,
            error
        )
        self.narrator.check(
            "the old API was told to stop",
            so: "the request uses no more of the network",
            client.journal == ["start 3", "cancel 3"],
            client.journal
        )

        client.wakeServer()
        await until { client.journal.last == "answer 3" }
        let reports = self.reports.takeAll()
        self.narrator.check(
            "its late answer is no mistake",
            so: "a log is not filled with what is normal",
            reports.isEmpty,
            "\(reports.count) reports"
        )

        let early = Task {
            try await withCallback { callback in
                client.startRequest(id: 1, completion: callback.handler())
            } onCancel: { request in
                request.cancel()
            }
        }
        // The task has not begun: it waits for the main actor.
        early.cancel()
        let earlyError = await errorOf { try await early.value }
        let isStarted = client.journal.contains("start 1")
        self.narrator.check(
            "cancelled before: nothing is started",
            so: "nothing has to be stopped",
            earlyError is CancellationError && !isStarted
        )
    }

    func giveUpInTime() async {
        self.narrator.chapter(
            "The time is up",
            "withCallback(timeout: .milliseconds(30), onUndelivered: ...): the server sleeps longer than that."
        )
        let client = ShelfClient()
        let late = Notebook<ShelfQuote>()
        let error = await errorOf {
            try await withCallback(timeout: .milliseconds(30), onUndelivered: { late.note($0) }) { callback in
                client.startRequest(id: 1, completion: callback.handler())
            } onCancel: { request in
                request.cancel()
            }
        }
        self.narrator.check(
            "the wait ends with an error",
            so: "a user is told, and can try again",
            (error as? BridgeFault)?.code == .timedOut,
            error
        )
        self.narrator.check(
            "the old API was told to stop",
            so: "the request uses no more of the network",
            client.journal == ["start 1", "cancel 1"],
            client.journal
        )

        client.wakeServer()
        await until { client.journal.last == "answer 1" }
        let quotes = late.entries
        let isRight = quotes == [ShelfClient.shelf[0]]
        self.narrator.check(
            "the late value goes to onUndelivered",
            so: "what was paid for can be kept, or closed",
            isRight,
            quotes.first?.text
        )
    }
}
