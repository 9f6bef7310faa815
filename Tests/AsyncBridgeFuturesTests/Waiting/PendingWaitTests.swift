// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

/// The list is one for the whole process: it is switched off in processes of their own only.
@Suite("The list of pending waits, and tasks that wait for a channel", .timeLimit(.minutes(10)))
struct PendingWaitTests {
    @Test func `what is there is no wait`() async throws {
        BridgeDiagnostics.tracksPendingWaits = true
        let before = BridgeDiagnostics.pendingWaits.map(\.made).count { $0.line == 1_000_900 }
        let channel = CoChannel<Int>(buffering: .bounded(capacity: 1), line: 1_000_900)
        try await channel.send(1)
        #expect(try await channel.receive() == 1)
        let listed = BridgeDiagnostics.pendingWaits.filter { $0.made == CallSite(line: 1_000_900) }
        #expect(before == 0 && listed.isEmpty)
    }

    @Test func `off, the list does not hold the wait`() async {
        await #expect(processExitsWith: .success) {
            let (executor, channel) = (ManualExecutor(), CoChannel<Int>(buffering: .bounded(capacity: 0)))
            let task = Task(executorPreference: executor) { try await channel.receive() }
            executor.run()
            precondition(BridgeDiagnostics.pendingWaits.isEmpty)
            // A wait that had begun before is not in the list.
            BridgeDiagnostics.tracksPendingWaits = true
            precondition(channel.offer(1), "the task waits")
            executor.run()
            precondition(BridgeDiagnostics.pendingWaits.isEmpty)
            _ = task
        }
    }
}
