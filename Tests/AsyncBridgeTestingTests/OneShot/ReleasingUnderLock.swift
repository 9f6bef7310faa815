// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting

/// A call that releases its handle while it holds its lock.
///
/// Safe: what changes is changed under the lock.
final class ReleasingUnderLock: @unchecked Sendable {
    private let lock = NonRecursiveLock()
    private let cell = Cell()
    private var handle: SourceHandle?
    private var isOver = false

    func run(_ source: OneShotSource) async throws -> Int {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withUnsafeContinuation { continuation in
                self.cell.store(continuation)
                let watch = DropWatch { self.settle(.failure(OtherError())) }
                self.store(
                    source.start { answer in
                        watch.disarm()
                        self.settle(answer)
                    }
                )
            }.get()
        } onCancel: {
            // Not under the runtime's lock.
            startThread { self.settle(.failure(CancellationError()), cancels: true) }
        }
    }

    private func store(_ handle: SourceHandle) {
        var isLate = false
        self.lock.locked {
            isLate = self.isOver
            if !isLate { self.handle = handle }
        }
        if isLate, Task.isCancelled { handle.cancel() }
    }

    private func settle(_ answer: Result<Int, any Error>, cancels: Bool = false) {
        var kept: SourceHandle?
        var isFirst = false
        self.lock.locked {
            isFirst = !self.isOver
            self.isOver = true
            if cancels { kept = self.handle }
            self.handle = nil
        }
        guard isFirst else { return }
        kept?.cancel()
        self.cell.resume(answer)
    }
}
