// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A path on which `self` is gone, and nothing is delivered.
struct WeakSelfDrop: Rule {
    static let page = RulePage(
        id: "weak-self-drop",
        summary: "If `self` has been released meanwhile, nothing is delivered.",
        levels: "warning for continuations, note for handlers",
        why: """
            A task that waits for a continuation does not care whether the object that started the work still exists: it
            hangs for ever. A caller of a handler may know that the object is gone, or may not.
            """,
        bad: """
            try await withCheckedThrowingContinuation { continuation in
                client.get { [weak self] result in
                    guard let self else { return }
                    continuation.resume(with: result.map(self.parse))
                }
            }
            """,
        good: """
            try await withCheckedThrowingContinuation { continuation in
                client.get { [weak self] result in
                    guard let self else { return continuation.resume(throwing: CancellationError()) }
                    continuation.resume(with: result.map(self.parse))
                }
            }
            """,
        instead: """
            // A dropped callback throws BridgeFault.callbackDropped instead of hanging.
            try await withCallback { callback in
                client.get(completion: callback.handler())
            }
            """,
        limits: "It does not know whether the object can be released while the work is under way."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        scope.places { $0 == .dropped(.weakSelf) }.map { position, _, _ in
            scope.finding(
                Self.self,
                scope.token.isContinuation ? .warning : .note,
                at: position,
                "\(scope.noun) is not \(scope.verb) if ‘self’ has been released",
                fix: UseCallback.fix(in: scope)
            )
        }
    }
}
