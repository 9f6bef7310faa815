// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import Foundation

extension RunLoop {
    /// Runs a closure in this run loop, and waits for its result.
    ///
    /// A thread must be running the loop. If it sleeps, it is woken. If no thread runs it any more, the closure waits
    /// for one, and this function for the closure: nothing tells that a thread has ended. Cancel the task then.
    ///
    /// ## Cancellation
    /// Throws `CancellationError` at once. A closure that has not begun never runs; one that has begun continues, and
    /// its result is dropped.
    ///
    /// ## Isolation
    /// The closure runs on the loop's thread.
    ///
    /// - Parameters:
    ///   - modes: The modes in which the loop may run it.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - body: The closure.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error, or `CancellationError`; `BridgeFault` if the loop drops the closure.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func run<Value: Sendable>(
        inModes modes: [RunLoop.Mode] = [.common],
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await awaitCallback("RunLoop.run", fileID: fileID, line: line) { callback in
            self.perform(inModes: modes) {
                guard callback.isWaiting else { return }
                callback.resume(with: Result { try body() })
            }
            // `perform` alone waits for the next thing that happens in the loop.
            let wake = Timer(fire: Date(), interval: 0, repeats: false) { _ in }
            for mode in modes { self.add(wake, forMode: mode) }
        }
    }
}
