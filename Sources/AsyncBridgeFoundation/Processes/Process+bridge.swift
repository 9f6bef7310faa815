// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import Foundation

extension Process {
    /// Starts the process, and waits for its end.
    ///
    /// ```swift
    /// let end = try await process.runToEnd()
    /// ```
    ///
    /// Foundation reaps the process, whatever happens to the caller: no zombie is left. The process's own
    /// `terminationHandler` is called as well, before.
    ///
    /// ## Cancellation
    /// As the policy says; then throws `CancellationError`. In a task that is cancelled already, nothing is started.
    ///
    /// - Parameters:
    ///   - policy: What becomes of the process when the task is cancelled.
    ///   - fileID: The caller's file, for errors and lists.
    ///   - line: The caller's line, for errors and lists.
    /// - Returns: How it ended.
    /// - Throws: `CocoaError` if it cannot be started; `CancellationError`. A status other than 0, or a signal, is not an
    ///   error; nor is the end of a process that ended by itself when it was asked to terminate.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func runToEnd(
        onCancel policy: ProcessCancellation = .terminate,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> ProcessEnd {
        let end = try await withCallback(
            of: ProcessEnd.self,
            cancellation: policy == .leave ? .prompt : .cooperative,
            fileID: fileID,
            line: line
        ) { callback in
            let previous = self.terminationHandler
            self.terminationHandler = { process in
                previous?(process)
                callback.resume(
                    returning: ProcessEnd(reason: process.terminationReason, status: process.terminationStatus)
                )
            }
            try self.start()
        } onCancel: {
            self.end(as: policy)
        }
        if end.reason == .uncaughtSignal, Task.isCancelled { throw CancellationError() }
        return end
    }

    private func start() throws {
        #if canImport(Darwin)
        try self.run()
        #else
        // The child inherits what this thread blocks, and Swift's threads on Linux block all signals: it could not be
        // terminated.
        var none = sigset_t()
        var blocked = sigset_t()
        // Safe: the sets outlive the calls.
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try self.run()
        #endif
    }

    private func end(as policy: ProcessCancellation) {
        guard self.isRunning else { return }
        switch policy.kind {
        case .terminate: self.terminate()
        case .kill: kill(self.processIdentifier, SIGKILL)
        case .leave: break
        }
    }
}
