// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A clock whose time moves only when the test says so.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: self.offset + duration) }

        func duration(to other: Instant) -> Duration { other.offset - self.offset }

        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: UnsafeContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var lastKey = 0
        var begun = 0
        var ended = 0
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    var now: Instant { self.state.withLock { $0.now } }

    var minimumResolution: Duration { .zero }

    /// How many sleeps have been cancelled.
    var cancelledSleeps: Int { self.state.withLock { $0.cancelled.count } }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let key = self.state.withLock { state in
            state.lastKey += 1
            return state.lastKey
        }
        defer { self.change { $0.ended += 1 } }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = self.change { state in
                    state.begun += 1
                    if state.cancelled.contains(key) { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[key] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = self.change { state in
                state.cancelled.insert(key)
                return state.sleepers.removeValue(forKey: key)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the time, and wakes the sleepers whose time has come.
    func advance(by duration: Duration) {
        let due = self.state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Returns when somebody has begun to sleep.
    func hasSleeper() async { await self.wait { $0.begun > 0 } }

    /// Returns when every sleep has ended.
    func hasNoSleeper() async { await self.wait { $0.begun > 0 && $0.begun == $0.ended } }

    private func wait(until isFulfilled: (borrowing State) -> Bool) async {
        while !self.state.withLock({ isFulfilled($0) }) {
            await withCheckedContinuation { watcher in
                let isThere = self.state.withLock { state in
                    if isFulfilled(state) { return true }
                    state.watchers.append(watcher)
                    return false
                }
                if isThere { watcher.resume() }
            }
        }
    }

    private func change<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        let (result, watchers) = self.state.withLock { state in
            let result = body(&state)
            defer { state.watchers = [] }
            return (Unchecked(value: result), state.watchers)
        }
        for watcher in watchers { watcher.resume() }
        return result.value
    }
}
