// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import Foundation
import UnixSignals

/// Ctrl-C was pressed, or SIGTERM came.
public struct SignalInterruption: Error {
    /// The signal's number.
    public let signal: Int32

    /// The status with which a program ends that a signal ended.
    public var status: Int32 { 128 + self.signal }
}

/// Runs a command's code until it ends or is interrupted, which cancels it.
///
/// Writing to a pipe that nobody reads is an error like others from then on, and does not end the process, which may be
/// in the middle of saving.
///
/// - Parameters:
///   - status: The process ends with it if the code goes on for a second after it was cancelled: it may be in the
///     middle of a line, for a pipe that is full and that nobody reads.
///   - body: The code.
/// - Throws: What the code throws; ``SignalInterruption``.
public nonisolated(nonsending) func untilInterrupted(
    status: @escaping @Sendable (SignalInterruption) -> Int32 = { $0.status },
    _ body: @escaping @Sendable () async throws -> Void
) async throws {
    signal(SIGPIPE, SIG_IGN)
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await body() }
        group.addTask {
            for await signal in signals {
                let interruption = SignalInterruption(signal: signal == .sigterm ? SIGTERM : SIGINT)
                DispatchQueue.global().asyncAfter(deadline: .now() + 1) { _exit(status(interruption)) }
                throw interruption
            }
            // The code has ended: the wait for signals was cancelled.
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}
