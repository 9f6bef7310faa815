// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if os(macOS) || !canImport(Darwin)
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
    /// `terminationHandler` is called as well, before the call returns.
    ///
    /// ## Child processes that it leaves behind
    /// The call does not wait for the process's own children that keep running. On Linux Foundation does: it notices
    /// the process's end only after theirs, and only then calls `terminationHandler`. So the call gives Foundation a
    /// quarter of a second and returns. Until they have ended, the process stays a zombie, `isRunning` is `true`, and
    /// asking for `terminationStatus` ends the program: use what this call returns.
    ///
    /// ## Output
    /// The call does not read it. A pipe given as `standardOutput` ends when all processes have closed it, which may be
    /// long after the call if some are left behind. Read it while the process runs: when it is full, the process waits.
    ///
    /// ## Cancellation
    /// Treats the process itself according to the policy, then throws `CancellationError`. In a task already cancelled,
    /// nothing is started.
    ///
    /// - Parameters:
    ///   - policy: What happens to the process when the task is cancelled.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: How it ended.
    /// - Throws: `CocoaError` if it cannot be started; `CancellationError`. A status other than 0, or a signal, is not
    ///   an error; nor is it an error if the process, asked to terminate, ends by itself.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func runToEnd(
        cancellation policy: ProcessCancellation = .terminate,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> ProcessEnd {
        let end: ProcessEnd = try await awaitCallback(
            "Process.runToEnd",
            cancellation: policy == .leave ? .prompt : .cooperative,
            fileID: fileID,
            line: line
        ) { callback in
            let watch = ProcessWatch { callback.resume(returning: $0) }
            let previous = self.terminationHandler
            self.terminationHandler = { process in
                previous?(process)
                watch.foundationNoticed(
                    ProcessEnd(reason: process.terminationReason, status: process.terminationStatus)
                )
            }
            do { try self.start() } catch {
                self.terminationHandler = previous
                throw error
            }
            #if !canImport(Darwin)
            watch.look(at: ChildProcess(self.processIdentifier))
            #endif
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
#endif
