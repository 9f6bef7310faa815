// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A timeout on a standard clock, whose timers need no task.
struct TimerMeasure: TimeoutMeasure {
    let timers: Timers
    let duration: Duration

    func begin(runsOthersCode: Bool, _ action: @escaping @Sendable () -> Void) -> any RunningTimeout {
        TimedAction(after: self.duration, on: self.timers, runsOthersCode: runsOthersCode, action)
    }
}

extension TimedAction: RunningTimeout {}

/// A timeout on another clock, which sleeps in a task.
struct SleepMeasure: TimeoutMeasure {
    private let sleep: @Sendable () async throws -> Void

    init(_ sleep: @escaping @Sendable () async throws -> Void) { self.sleep = sleep }

    func begin(runsOthersCode: Bool, _ action: @escaping @Sendable () -> Void) -> any RunningTimeout {
        let task = Task { [sleep] in
            do { try await sleep() } catch {
                // The wait is over, and so is the timer. A clock that fails on its own must not make the wait endless.
                if Task.isCancelled { return }
            }
            action()
        }
        return RunningSleep(task)
    }
}

/// A clock's sleep that has begun.
private final class RunningSleep: RunningTimeout {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    func cancel() { self.task.cancel() }
}
