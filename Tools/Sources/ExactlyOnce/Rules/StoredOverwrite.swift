// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A stored continuation that another one replaces.
struct StoredOverwrite: Rule {
    static let page = RulePage(
        id: "stored-overwrite",
        summary: "A property with a continuation gets another one, and nobody has looked at the first.",
        levels: "warning; note for an unsafe continuation",
        why: """
            If two callers wait at the same time, the second one's continuation replaces the first one's. The first task
            hangs for ever.
            """,
        bad: """
            func location() async throws -> Location {
                try await withCheckedThrowingContinuation { continuation in
                    self.continuation = continuation
                    manager.requestLocation()
                }
            }
            """,
        good: """
            func location() async throws -> Location {
                try await withCheckedThrowingContinuation { continuation in
                    guard self.continuation == nil else { return continuation.resume(throwing: Busy()) }
                    self.continuation = continuation
                    manager.requestLocation()
                }
            }
            """,
        instead: """
            // Says what happens to a second caller: .reject, .share and others.
            private let reply = ReplySlot<Location>(overlap: .share)

            func location() async throws -> Location {
                try await reply.wait(keepingAlive: self) { manager.requestLocation() }
            }
            """,
        limits: "Whether two callers can wait at the same time is not seen."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        // What an object keeps from the start is its first one.
        guard scope.token.kind == .stored, scope.functionName != "init" else { return [] }
        return scope.trace.stores.filter { $0.kind == .overwritten }.map { store in
            scope.finding(
                Self.self,
                scope.token.isUnsafe ? .note : .warning,
                at: store.position,
                "‘\(scope.token.name)’ may still hold the continuation of a caller that waits"
            )
        }
    }
}
