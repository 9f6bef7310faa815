// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A timeout that has begun: what is to be stopped when the wait is over.
package enum RunningTimeout: Sendable {
    case action(TimedAction)
    case task(Task<Void, Never>)

    package func cancel() {
        switch self {
        case .action(let action): action.cancel()
        case .task(let task): task.cancel()
        }
    }
}

extension BridgeTimeout {
    /// Begins to measure the time that a wait may take, and ends the wait then.
    ///
    /// - Parameters:
    ///   - wait: The wait.
    ///   - resumesOthersCode: Whether resuming the waiter may run code that is not this package's, and takes long.
    /// - Returns: What is to be cancelled when the wait is over.
    package func begin(_ wait: OneShotWait, resumesOthersCode: Bool) -> RunningTimeout {
        switch self.measure {
        case .timers(let timers, let duration):
            let action = TimedAction(after: duration, on: timers, runsOthersCode: resumesOthersCode) {
                wait.end(.timedOut)
            }
            return .action(action)
        case .sleep(let sleep):
            let task = Task {
                do { try await sleep() } catch {
                    // The wait is over, and so is the timer. A clock that fails on its own must not make the wait
                    // endless.
                    if Task.isCancelled { return }
                }
                wait.end(.timedOut)
            }
            return .task(task)
        }
    }
}
