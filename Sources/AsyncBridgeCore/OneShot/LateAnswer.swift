// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Where a late answer is, or why there is none.
@usableFromInline
package enum LateAnswer {
    /// In the answerers' half, which the waiter has not given up.
    case inShot
    /// In the waiter's half.
    case inWait(OneShotWait)
    case interruption(BridgeInterruption)
}

// The beginning and end of every wait for a late answer: a task's, and that of a coroutine on a scheduler.

extension AnswerersReference {
    /// What the waiter finds when it begins to wait.
    package enum Beginning {
        case answered(LateAnswer)
        /// Nothing yet: it parks.
        case late(OneShotWait)
    }

    /// Begins a wait.
    ///
    /// - Parameter bridge: What waits, for the list of pending waits and for reports.
    /// - Returns: The answer, if it has come; ``LateAnswer/inWait(_:)`` has given up this reference.
    package func beginWait(_ bridge: StaticString) -> Beginning {
        guard let wait = self.object.attachWait(for: .waiter, bridge: bridge) else { return .answered(.inShot) }
        guard wait.word.state == .full else { return .late(wait) }
        // A cancel action was registered, and then the answer came at once.
        self.release()
        wait.cancelActions.discard()
        return .answered(.inWait(wait))
    }
}

extension OneShotWait {
    /// Ends a wait: runs the cancel actions, or releases them.
    ///
    /// - Parameter wake: Why the waiter runs again.
    /// - Returns: Where the answer is, or why there is none.
    package func conclude(_ wake: Wake) -> LateAnswer {
        switch wake {
        case .result:
            self.cancelActions.discard()
            return .inWait(self)
        case .end(.dropped):
            self.cancelActions.discard()
            return .interruption(.fault(BridgeFault(.callbackDropped, made: self.made)))
        case .end(.cancelled):
            self.cancelActions.fire()
            return .interruption(.cancelled)
        case .end(.timedOut):
            self.cancelActions.fire()
            return .interruption(.fault(BridgeFault(.timedOut, made: self.made)))
        case .runCancelActions:
            preconditionFailure("BUG: a waiter that no longer listens for cancellation was woken for it")
        }
    }
}
