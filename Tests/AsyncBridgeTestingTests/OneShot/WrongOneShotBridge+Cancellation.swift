// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization

extension WrongOneShotBridge {
    /// All calls share a flag.
    private static func forgettingCancellations() -> WrongOneShotBridge {
        let isCancelled = Flag()
        return WrongOneShotBridge(
            "forgets that a call was cancelled when the next one begins",
            breaks: [(.cancellation, "start of a cancelled call goes on until another call has started")]
        ) { source in
            isCancelled.set(false)
            let started = Mutex<SourceHandle?>(nil)
            return try await withPrompt { cell in
                let handle = source.start { cell.resume($0) }
                started.withLock { $0 = handle }
                if isCancelled.value { handle.cancel() }
            } onCancel: {
                isCancelled.set()
                started.withLock { $0 }?.cancel()
            }
        }
    }

    static let ofCancellation: [WrongOneShotBridge] = [
        forgettingCancellations(),
        WrongOneShotBridge(
            "knows no cancellation",
            breaks: [
                (.cancellation, "the task is cancelled before the call"),
                (.cancellation, "the task is cancelled while start runs"),
                (.cancellation, "the task is cancelled during the wait"),
                (.cancellation, "the task is cancelled twice"),
                (.cancellation, "the source answers after the cancellation"),
            ]
        ) { source in
            try await withCell { cell in _ = source.start { cell.resume($0) } }
        },
        // What most tutorials show.
        WrongOneShotBridge(
            "captures the handle before it is there",
            breaks: [(.cancellation, "the task is cancelled while start runs")]
        ) { source in
            let handle = Mutex<SourceHandle?>(nil)
            return try await withTaskCancellationHandler {
                try await withCell { cell in
                    let started = source.start { cell.resume($0) }
                    handle.withLock { $0 = started }
                }
            } onCancel: {
                handle.withLock { $0 }?.cancel()
            }
        },
        WrongOneShotBridge(
            "starts the work in a cancelled task",
            breaks: [(.cancellation, "the task is cancelled before the call")],
            cancelsUnderTheLock
        ),
        // `onCancel` runs under the lock of the task's status.
        WrongOneShotBridge(
            "cancels under the runtime's lock",
            breaks: [(.noLocks, "cancel() waits for the thread that is calling the completion handler")],
            cancelsUnderTheLock
        ),
        // `lock.withLock { handle.cancel() }`, and a source that answers in it.
        WrongOneShotBridge(
            "cancels under its own lock",
            breaks: [(.noLocks, "the source answers inside cancel")]
        ) { source in
            let lock = NonRecursiveLock()
            let latch = Latch()
            return try await withPrompt { cell in
                latch.set(source.start { answer in lock.locked { cell.resume(answer) } })
            } onCancel: {
                lock.locked { latch.cancel() }
            }
        },
        WrongOneShotBridge(
            "starts the work under a recursive lock that its cancellation takes",
            breaks: [(.noLocks, "start waits for the thread that is cancelling the task")]
        ) { source in
            let lock = RecursiveLock()
            let latch = Latch()
            return try await withPrompt { cell in
                lock.locked { latch.set(source.start { cell.resume($0) }) }
            } onCancel: {
                lock.locked { latch.cancel() }
            }
        },
        WrongOneShotBridge(
            "waits in its cancellation handler for the source",
            breaks: [
                (.noBlocking, "the task is cancelled during the wait"),
                (.noBlocking, "the task is cancelled while start runs"),
                (.noBlocking, "the task is cancelled twice"),
                (.noBlocking, "the source answers after the cancellation"),
            ]
        ) { source in
            let isOver = DispatchSemaphore(value: 0)
            ForgottenCells.afterTest { for _ in 0..<3 { isOver.signal() } }
            let latch = Latch()
            return try await withPrompt { cell in
                latch.set(
                    source.start { answer in
                        isOver.signal()
                        cell.resume(answer)
                    }
                )
            } onCancel: {
                latch.cancel()
                isOver.wait()
            }
        },
        WrongOneShotBridge(
            "lets an answer inside cancel() win over the cancellation",
            breaks: [(.cancellation, "the source answers inside cancel")],
            cancelsUnderTheLock
        ),
        WrongOneShotBridge(
            "stops the source and waits for it, and yet promises to be prompt",
            breaks: [
                (.cancellation, "the task is cancelled during the wait"),
                (.neverLost, "the source drops the handler when it is cancelled"),
            ]
        ) { source in
            let latch = Latch()
            return try await withTaskCancellationHandler {
                try await withCell { cell in latch.set(source.start { cell.resume($0) }) }
            } onCancel: {
                latch.cancel()
            }
        },
        WrongOneShotBridge(
            "loses a value that comes after the cancellation",
            promises: .wrong.with { $0.handsBackLateValues = true },
            breaks: [(.once, "the source answers after the cancellation")],
            cancelsUnderTheLock
        ),
        WrongOneShotBridge(
            "cancels twice",
            breaks: [
                (.cancellation, "the task is cancelled during the wait"),
                (.cancellation, "the task is cancelled twice"),
            ]
        ) { source in
            let latch = Latch()
            return try await withPrompt { cell in
                latch.set(source.start { cell.resume($0) })
            } onCancel: {
                latch.cancel()
                latch.cancel()
            }
        },
        WrongOneShotBridge(
            "stops the source after its answer too",
            breaks: [
                (.cancellation, "the source answers at once"), (.cancellation, "the task is cancelled after the end"),
            ]
        ) { source in
            let latch = Latch()
            defer { latch.cancel() }
            return try await withCell { cell in latch.set(source.start { cell.resume($0) }) }
        },
        WrongOneShotBridge(
            "throws another error when it is cancelled",
            breaks: [
                (.cancellation, "the task is cancelled during the wait"),
                (.cancellation, "the task is cancelled between the answer and its arrival"),
                (.cancellation, "cancellation and answer race"),
            ]
        ) { source in
            let latch = Latch()
            let result: Result<Int, any Error>
            do {
                result = .success(
                    try await withPrompt { cell in
                        latch.set(source.start { cell.resume($0) })
                    } onCancel: {
                        latch.cancel()
                    }
                )
            } catch { result = .failure(error) }
            if Task.isCancelled { throw OtherError() }
            return try result.get()
        },
        WrongOneShotBridge(
            "is prompt and yet promises to wait",
            promises: .wrong.with { $0.cancellation = .cooperative },
            breaks: [
                (.cancellation, "the task is cancelled during the wait"),
                (.cancellation, "the task is cancelled while start runs"),
            ]
        ) { source in
            let latch = Latch()
            return try await withPrompt { cell in
                latch.set(source.start { cell.resume($0) })
            } onCancel: {
                latch.cancel()
            }
        },
        WrongOneShotBridge(
            "forgets to stop the source",
            breaks: [(.cancellation, "the task is cancelled during the wait")]
        ) { source in
            try await withPrompt { cell in
                _ = source.start { cell.resume($0) }
            } onCancel: {
            }
        },
    ]

    private static let cancelsUnderTheLock: Bridge = { source in
        let latch = Latch()
        return try await withPrompt { cell in
            latch.set(source.start { cell.resume($0) })
        } onCancel: {
            latch.cancel()
        }
    }
}

/// The usual prompt bridge: stop the source, then resume with `CancellationError`.
private func withPrompt(
    _ start: (Cell) -> Void,
    onCancel cancel: @escaping @Sendable () -> Void
) async throws -> Int {
    let waiting = Mutex<Cell?>(nil)
    return try await withTaskCancellationHandler {
        try await withCell { cell in
            waiting.withLock { $0 = cell }
            start(cell)
            if Task.isCancelled { cell.resume(.failure(CancellationError())) }
        }
    } onCancel: {
        cancel()
        waiting.withLock { $0 }?.resume(.failure(CancellationError()))
    }
}
