// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// One result, delivered once: the half that the waiter holds.
///
/// Made only when the result is late or a cancel action is registered. It outlives the waiter while an answerer lives,
/// and the answerers while the waiter waits; so the last side always finds it.
@usableFromInline
package final class OneShotWait: Sendable {
    @usableFromInline let word: OneShotWord

    // Safe: written by the one deliverer that moved the state to `claimed`, read by the waiter after `full`.
    @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var payload = Payload()

    // Safe: written by the waiter before it parks, read by the one event whose action is to resume it.
    @exclusivity(unchecked) private nonisolated(unsafe) var waiter: ParkedWaiter?

    let cancelActions = CancelActions()

    package let made: CallSite

    let bridge: StaticString

    init(_ state: OneShotState, made: CallSite, bridge: StaticString) {
        self.word = OneShotWord(state)
        self.made = made
        self.bridge = bridge
    }

    /// Resumes the waiter.
    ///
    /// Only for the thread whose event had that action.
    @usableFromInline
    func resume() {
        guard let waiter = unsafe self.waiter else {
            preconditionFailure("BUG: a waiter was resumed that had not parked")
        }
        waiter.resume()
    }
}

// MARK: - Ends

extension OneShotWait {
    /// Ends the wait without a result, if none has come.
    ///
    /// - Parameters:
    ///   - end: The end.
    ///   - beforeResuming: Runs if this is what ends the wait, before the waiter runs again.
    package func end(_ end: OneShotState.End, beforeResuming: () -> Void = {}) {
        let (action, ended) = self.word.apply { state in
            let (next, action) = state.end(end)
            return (next, action: (action, next != state))
        }
        if ended { beforeResuming() }
        if action == .resume { self.resume() }
    }

    /// Wakes the waiter to run its cancel actions, without ending its wait.
    func wakeForCancellation() {
        if self.word.apply({ $0.wakeForCancellation() }) == .resume { self.resume() }
    }
}

// MARK: - Waiting

extension OneShotWait {
    /// What the waiter knows when it wakes.
    @usableFromInline
    package enum Wake: Equatable, Sendable {
        /// Take the result with ``take(as:)``.
        case result
        /// The task was cancelled and the wait goes on: run the cancel actions, then park again.
        case runCancelActions
        /// The wait is over without a result.
        case end(OneShotState.End)
    }

    /// Suspends until there is a result or the wait is over, or the task is cancelled and the mode says so.
    ///
    /// - Parameters:
    ///   - answerers: The waiter's own reference to the answerers' half, given up as soon as the waiter has parked: a
    ///     reference that lived on would hide that all others are gone. `nil` if an earlier wait gave it up.
    ///   - mode: What cancelling the task does.
    /// - Returns: Why the waiter runs again.
    package nonisolated(nonsending) func park(
        releasing answerers: AnswerersReference?,
        cancellation mode: CancellationMode
    ) async -> Wake {
        let entry = PendingWaits.enter(self.bridge, made: self.made)
        // Safe: this object lives until the waiter runs again. Called under the lock of the task's status: only our own
        // continuation is resumed there.
        let object = unsafe Unmanaged.passUnretained(self).toOpaque()
        switch mode {
        case .prompt:
            await unsafe CurrentTask.suspend(object) { wait in
                unsafe Unmanaged<OneShotWait>.fromOpaque(wait).takeUnretainedValue().end(.cancelled)
            } _: { continuation in
                self.park(.task(continuation), releasing: answerers)
            }
        case .cooperative:
            await unsafe CurrentTask.suspend(object) { wait in
                unsafe Unmanaged<OneShotWait>.fromOpaque(wait).takeUnretainedValue().wakeForCancellation()
            } _: { continuation in
                self.park(.task(continuation), releasing: answerers)
            }
        case .ignore:
            await CurrentTask.suspend { self.park(.task($0), releasing: answerers) }
        }
        entry?.leave()
        return self.wake
    }

    private func park(_ waiter: ParkedWaiter, releasing answerers: AnswerersReference?) {
        if self.parks(waiter, releasing: answerers) == .goOn { waiter.resume() }
    }

    /// Parks a waiter that has left its thread, until there is a result or the end.
    ///
    /// - Parameters:
    ///   - waiter: The waiter.
    ///   - answerers: As in ``park(releasing:cancellation:)``.
    /// - Returns: Whether it must stay parked until it is resumed, or the wait is already over.
    package func parks(_ waiter: ParkedWaiter, releasing answerers: AnswerersReference?) -> OneShotState.Park {
        unsafe self.waiter = waiter
        let action = self.word.apply { $0.park() }
        answerers?.release()
        return action
    }

    /// Why the waiter runs again.
    package var wake: Wake {
        switch self.word.state {
        case .full: .result
        case .idle, .claimed, .wakeRequested: .runCancelActions
        case .cancelled, .cancelledAnswered: .end(.cancelled)
        case .timedOut, .timedOutAnswered: .end(.timedOut)
        case .dropped: .end(.dropped)
        case .parked, .claimedParked, .closed, .closedAnswered:
            preconditionFailure("BUG: a waiter woke in state \(self.word.state)")
        }
    }

    /// Takes the result, once, after ``Wake/result``.
    @_alwaysEmitIntoClient
    package func take<Value>(as _: Value.Type) -> Value {
        // Safe: the waiter saw `full`, and only the waiter takes.
        unsafe self.payload.take()
    }

    func close<Value>(as _: Value.Type) -> Value? {
        // A late answerer may live long, and keep this object alive: the actions must not live as long.
        defer { self.cancelActions.discard() }
        return switch self.word.apply({ $0.close() }) {
        case .leave: nil
        // Safe: the action says that the result is there, and the waiter's to take.
        case .dispose: unsafe self.payload.take()
        }
    }
}

/// The waiter's own count of references to the answerers' half, given up by hand.
///
/// The compiler may keep a variable of the waiter alive longer: in a debug build across the wait.
///
/// Safe: the object lives until ``release()``, which the waiter calls once, after its last use of this value. An empty
/// one is never used.
@safe @usableFromInline
package struct AnswerersReference: Sendable {
    @usableFromInline let shot: Unmanaged<OneShot>?

    @_alwaysEmitIntoClient
    package init(_ shot: consuming OneShot) { unsafe self.shot = Unmanaged.passRetained(shot) }

    /// Makes an empty one, for a waiter that has its answer and does not wait.
    @_alwaysEmitIntoClient
    init() { unsafe self.shot = nil }

    /// The object, for use before ``release()``.
    @inlinable package var object: OneShot {
        // Safe: this value holds one count until it is released.
        @inline(__always) get { unsafe self.shot.unsafelyUnwrapped.takeUnretainedValue() }
    }

    /// Gives the count up.
    ///
    /// Call once.
    @_alwaysEmitIntoClient
    package func release() { unsafe self.shot.unsafelyUnwrapped.release() }
}
