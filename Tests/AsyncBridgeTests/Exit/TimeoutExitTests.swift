// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// Durations that `Duration` itself cannot hold.
@Suite("Timeouts of any length", .timeLimit(.minutes(10)))
struct TimeoutExitTests {
    /// Waits with a timeout until the task is cancelled, or the time is up.
    @Sendable
    static func wait(_ timeout: BridgeTimeout) async -> any Error {
        let task = Task {
            try await withCallback(of: Int.self, timeout: timeout) { callback in
                callback.onCancel { _ = callback }
            }
        }
        // The wait has parked, and its timer has been made.
        while BridgeDiagnostics.pendingWaits.isEmpty { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        task.cancel()
        do {
            _ = try await task.value
            return CancellationError()
        } catch {
            return error
        }
    }

    @Test func `that are too long never end the wait`() async {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.tracksPendingWaits = true
            let timeouts: [BridgeTimeout] = [
                .seconds(.infinity), .seconds(.greatestFiniteMagnitude), .seconds(1e20), .milliseconds(.infinity),
                .milliseconds(1e24), .after(.seconds(Int64.max)), .after(.seconds(Int64.max), on: .suspending),
                .after(.seconds(1e20), tolerance: .seconds(1e20), on: .continuous),
            ]
            for timeout in timeouts { #expect(await Self.wait(timeout) is CancellationError) }
        }
    }

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(arguments: [-Double.infinity, -1e300, -1, .nan])
    func `that are none, or no number, end it at once`(_ seconds: Double) async {
        // As bits: what an exit test captures goes through JSON, which has no such numbers.
        let bits = seconds.bitPattern
        await #expect(processExitsWith: .success) { [bits = bits as UInt64] in
            let seconds = Double(bitPattern: bits)
            for timeout in [BridgeTimeout.seconds(seconds), .milliseconds(seconds)] {
                await #expect(throws: BridgeFault.self) {
                    try await withCallback(of: Int.self, timeout: timeout) { callback in
                        callback.onCancel { _ = callback }
                    }
                }
            }
        }
    }
    #endif
}
