// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A stored continuation that is thrown away.
struct StoredDropped: Rule {
    static let page = RulePage(
        id: "stored-dropped",
        summary: "A property with a continuation is set to `nil`, and nobody has resumed what it held.",
        levels: "warning; note for an unsafe continuation",
        why: """
            If a task waits, nobody can resume it any more: it hangs for ever.
            """,
        bad: """
            func stop() {
                manager.stop()
                continuation = nil
            }
            """,
        good: """
            func stop() {
                manager.stop()
                continuation?.resume(throwing: CancellationError())
                continuation = nil
            }
            """,
        instead: """
            private let reply = ReplySlot<Location>()

            // Whoever waits gets an error.
            func stop() { reply.close() }
            """,
        limits: "Whether a task can wait at that moment is not seen."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        guard scope.token.kind == .stored else { return [] }
        return scope.trace.stores.filter { $0.kind == .dropped }.map { store in
            scope.finding(
                Self.self,
                scope.token.isUnsafe ? .note : .warning,
                at: store.position,
                "‘\(scope.token.name)’ may hold a continuation that nobody resumes any more"
            )
        }
    }
}
