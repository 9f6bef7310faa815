// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A clock whose time moves only when a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let answer = Task { try await withCallback(timeout: .after(.seconds(30), on: clock)) { service.ask($0) } }
/// try await clock.sleepers(atLeast: 1)
/// clock.advance(by: .seconds(30))
/// ```
///
/// Isolation: may be used on any thread.
public final class TestClock: Clock {
    /// A point of the clock's time, counted from its start.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public let offset: Duration

        /// Makes a point in time.
        ///
        /// - Parameter offset: The time since the clock's start.
        public init(offset: Duration) { self.offset = offset }

        /// Returns the point that is later by a duration.
        ///
        /// - Parameter duration: The duration.
        /// - Returns: The point.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: self.offset + duration) }

        /// Returns the time from this point to another one.
        ///
        /// - Parameter other: The other point.
        /// - Returns: The time, which is negative if the other point is earlier.
        public func duration(to other: Instant) -> Duration { other.offset - self.offset }

        /// Whether one point is earlier than another.
        ///
        /// - Parameters:
        ///   - left: A point.
        ///   - right: A point.
        /// - Returns: Whether `left` is earlier.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    struct Sleeper: Sendable {
        let id: UInt64
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    struct State: Sendable {
        var now = Instant(offset: .zero)
        /// The sleepers, by deadline; among equal ones, oldest first.
        var sleepers: [Sleeper] = []
        var nextID: UInt64 = 0

        mutating func add(_ sleeper: Sleeper) {
            let index = self.sleepers.firstIndex { sleeper.deadline < $0.deadline }
            self.sleepers.insert(sleeper, at: index ?? self.sleepers.endIndex)
        }

        mutating func removeDue() -> [Sleeper] {
            let due = self.sleepers.prefix { $0.deadline <= self.now }
            self.sleepers.removeFirst(due.count)
            return Array(due)
        }
    }

    let state = Watched(State())

    /// Makes a clock that stands at zero.
    public init() {}

    /// The clock's time.
    public var now: Instant { self.state.value.now }

    /// The smallest difference that the clock can represent: zero.
    public var minimumResolution: Duration { .zero }

    /// The number of sleepers.
    public var sleeperCount: Int { self.state.value.sleepers.count }

    /// Waits until a number of tasks sleep.
    ///
    /// - Parameter count: The number.
    /// - Throws: `CancellationError`, if the calling task is cancelled first.
    public func sleepers(atLeast count: Int) async throws(CancellationError) {
        try await self.state.wait { $0.sleepers.count >= count }
    }

    /// Moves the time forward and wakes the sleepers that are due, earliest deadline first.
    ///
    /// The woken tasks run when their executors let them, perhaps after this call. To see a task sleep several times,
    /// move step by step, with ``sleepers(atLeast:)`` in between.
    ///
    /// - Parameter duration: By how much.
    /// - Complexity: O(*n*) in the number of sleepers.
    public func advance(by duration: Duration) {
        self.wake {
            precondition(duration >= .zero, "Time does not go backwards")
            $0.now = $0.now.advanced(by: duration)
        }
    }

    /// Moves the time forward to a point and wakes the sleepers that are due, earliest deadline first.
    ///
    /// - Parameter instant: The point. Nothing happens if it has passed.
    /// - Complexity: O(*n*) in the number of sleepers.
    public func advance(to instant: Instant) {
        self.wake { $0.now = max($0.now, instant) }
    }

    /// Sleeps until a point in time.
    ///
    /// ## Cancellation
    /// Ends the sleep at once. In a task already cancelled, there is no sleep.
    ///
    /// - Parameters:
    ///   - deadline: The point in time.
    ///   - tolerance: Ignored: the clock is exact.
    /// - Throws: `CancellationError`, if the task is cancelled before the time has come.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = self.state.update { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.begin(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            // Resumes nothing but this very task.
            self.cancel(id)
        }
    }

    private func begin(_ sleeper: Sleeper) {
        let answer: Result<Void, any Error>? = self.state.update { state in
            // Race: if the cancellation handler has run already and found no sleeper, the flag is set by now.
            if Task.isCancelled { return .failure(CancellationError()) }
            if sleeper.deadline <= state.now { return .success(()) }
            state.add(sleeper)
            return nil
        }
        if let answer { sleeper.continuation.resume(with: answer) }
    }

    private func cancel(_ id: UInt64) {
        let sleeper: Sleeper? = self.state.update { state in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    private func wake(_ move: (inout State) -> Void) {
        let due = self.state.update { state in
            move(&state)
            return state.removeDue()
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
