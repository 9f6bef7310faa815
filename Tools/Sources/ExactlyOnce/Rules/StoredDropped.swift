// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

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
        let stores = scope.trace.stores.filter { $0.kind == .dropped && !resumesACopy(at: $0.position, in: scope) }
        return stores.map { store in
            scope.finding(
                Self.self,
                scope.token.isUnsafe ? .note : .warning,
                at: store.position,
                "‘\(scope.token.name)’ may hold a continuation that nobody resumes any more"
            )
        }
    }

    /// Whether the same block resumes a continuation of another name: what the property held is probably that one.
    private func resumesACopy(at position: Int, in scope: ScopeReport) -> Bool {
        guard let list = scope.file.statement(at: position)?.parent?.as(CodeBlockItemListSyntax.self) else {
            return false
        }
        return list.contains { item in
            guard let call = item.item.as(FunctionCallExprSyntax.self), call.calledName == "resume" else {
                return false
            }
            let base = call.calledExpression.unwrapped.as(MemberAccessExprSyntax.self)?.base?.unwrapped
            return base?.identifier.map { Names.isContinuation($0) && $0 != scope.token.name } == true
        }
    }
}
