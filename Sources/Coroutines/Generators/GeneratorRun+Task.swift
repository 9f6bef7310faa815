// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import CCoroutines

// Safe: the table of `GeneratorRun` says who uses the control block, and when.
extension GeneratorRun {
    /// Runs the body up to its next `yield`, in the current task: the body's waits are awaited here.
    ///
    /// - Returns: The address of the element; `nil` at the end. Move it out, then call ``suspendInTask()``.
    /// - Throws: What the body threw, once; `CancellationError` if the task was cancelled while the body had not begun
    ///   or was suspended in a `yield`.
    @usableFromInline
    nonisolated(nonsending) func advanceInTask() async throws -> UnsafeMutableRawPointer? {
        try self.checkCancellation()
        guard let block = unsafe self.suspended ?? self.begun() else {
            try self.throwFailure()
            return nil
        }
        unsafe self.suspended = nil
        while true {
            unsafe ccoro_resume(block)
            switch unsafe block.pointee.request {
            case .element:
                return unsafe block.pointee.operation
            case .operation:
                await unsafe OperationCall.perform(for: block)
            case .yield:
                await Task.yield()
            case .finished:
                unsafe self.end(block)
                try self.throwFailure()
                return nil
            case .none, .park, .callback:
                preconditionFailure("BUG: a generator made a request that its driver does not serve")
            }
        }
    }

    /// Leaves the body suspended in its `yield`, now that its element has been taken.
    ///
    /// Why not earlier: until then, no other code may run the body, and a task may be suspended wherever an async
    /// function returns.
    ///
    /// - Throws: As ``checkCancellation()``.
    @usableFromInline
    func suspendInTask() throws {
        let block = unsafe self.point.block
        unsafe block?.pointee.task = nil
        unsafe self.suspended = block
        try self.checkCancellation()
    }

    /// Ends the body if the task was cancelled.
    ///
    /// - Throws: If so, what the body threw while it ended, or `CancellationError`.
    private func checkCancellation() throws {
        guard CurrentTask.isCancelled else { return }
        if let block = unsafe self.suspended {
            unsafe self.unwind(block)
        } else if !self.abandonIfNotBegun() {
            return
        }
        try self.throwFailure()
        throw CancellationError()
    }
}
