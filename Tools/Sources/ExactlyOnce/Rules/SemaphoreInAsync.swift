// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A semaphore in an async function.
struct SemaphoreInAsync: Rule {
    static let page = RulePage(
        id: "semaphore-in-async",
        summary: "A semaphore or a group blocks a thread in async code.",
        levels: "warning",
        why: """
            Async code runs on a few threads, one for each core. One that is blocked is missing to all tasks; when all of
            them are blocked, the whole process stands still.
            """,
        bad: """
            func load() async -> Data? {
                let semaphore = DispatchSemaphore(value: 0)
                client.get { self.data = $0; semaphore.signal() }
                semaphore.wait()
                return data
            }
            """,
        good: """
            func load() async -> Data? {
                await withCheckedContinuation { continuation in client.get { continuation.resume(returning: $0) } }
            }
            """,
        instead: """
            func load() async throws -> Data {
                try await withCallback { callback in client.get(completion: callback.handler()) }
            }
            """,
        limits: "It knows semaphores and groups by their names."
    )

    func findings(in file: SourceFile) -> [Finding] {
        SemaphoreFinder.waits(in: file).filter { $0.isInAsyncCode && !$0.isSignalledByTask }.map { wait in
            wait.finding(Self.self, .warning, "‘\(wait.semaphore)’ blocks a thread of async code", in: file)
        }
    }
}
