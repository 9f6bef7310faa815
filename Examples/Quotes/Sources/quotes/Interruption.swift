// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import UnixSignals

/// Ctrl-C was pressed.
struct Interruption: Error {}

/// Runs code until it ends or Ctrl-C is pressed, which cancels it.
func untilInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let signals = await UnixSignalsSequence(trapping: .sigint)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await body() }
        group.addTask {
            for await _ in signals { throw Interruption() }
            // The code has ended: the wait for signals was cancelled.
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}
