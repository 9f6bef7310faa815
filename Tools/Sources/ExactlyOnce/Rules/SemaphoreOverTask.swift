// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A thread that is blocked until a task signals it.
struct SemaphoreOverTask: Rule {
    static let page = RulePage(
        id: "semaphore-over-task",
        summary: "A semaphore blocks the thread until a task has signalled it.",
        levels: "error; warning with a timeout",
        why: """
            The task needs a thread of the cooperative pool. If the waiting thread is one of them, or the main thread
            that the task needs, neither can go on: a deadlock, which appears only under load.
            """,
        bad: """
            func load() -> Data? {
                let semaphore = DispatchSemaphore(value: 0)
                var result: Data?
                Task {
                    result = try? await client.data()
                    semaphore.signal()
                }
                semaphore.wait()
                return result
            }
            """,
        good: """
            func load() async throws -> Data { try await client.data() }
            """,
        instead: """
            // Module Coroutines: blocks only where that is allowed, and reports a deadlock.
            func load() throws -> Data { try blockingAwait { try await client.data() } }
            """,
        limits: "The semaphore must be waited for in the same function."
    )

    func findings(in file: SourceFile) -> [Finding] {
        SemaphoreFinder.waits(in: file).filter(\.isSignalledByTask).map { wait in
            wait.finding(
                Self.self,
                wait.hasTimeout ? .warning : .error,
                "the thread is blocked until a task signals ‘\(wait.semaphore)’",
                in: file
            )
        }
    }
}
