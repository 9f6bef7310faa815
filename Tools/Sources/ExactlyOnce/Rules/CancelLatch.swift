// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A path on which cancelled work says nothing.
struct CancelLatch: Rule {
    static let page = RulePage(
        id: "cancel-latch",
        summary: "If the work was cancelled, nothing is delivered.",
        levels: "warning for continuations, note for handlers",
        why: """
            Cancelling does not end a wait: a task that waits for a continuation goes on waiting, cancelled or not. Whoever
            cancels the work must still resume it.
            """,
        bad: """
            try await withCheckedThrowingContinuation { continuation in
                client.get { result in
                    guard !self.isCancelled else { return }
                    continuation.resume(with: result)
                }
            }
            """,
        good: """
            try await withCheckedThrowingContinuation { continuation in
                client.get { result in
                    guard !self.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                    continuation.resume(with: result)
                }
            }
            """,
        instead: """
            // Throws CancellationError at once; the old API is told to stop.
            try await withCallback { callback in
                client.get(completion: callback.handler())
            } onCancel: { request in
                request.cancel()
            }
            """,
        limits: "Whether the code that cancels also delivers is not seen: then ignore it, with that reason."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        scope.places { $0 == .dropped(.cancelled) }.map { position, _, _ in
            scope.finding(
                Self.self,
                scope.token.isContinuation ? .warning : .note,
                at: position,
                "\(scope.noun) is not \(scope.verb) if the work was cancelled",
                fix: UseCallback.fix(in: scope)
            )
        }
    }
}
