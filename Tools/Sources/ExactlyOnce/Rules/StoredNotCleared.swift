// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A stored continuation that stays where it is after it was resumed.
struct StoredNotCleared: Rule {
    static let page = RulePage(
        id: "stored-not-cleared",
        summary: "A stored continuation is resumed, and stays stored.",
        levels: "warning in a delegate's method, such as `manager(_:didFail:)`, else note",
        why: """
            A delegate may be called again, and then the same continuation is resumed a second time: the process ends.
            """,
        bad: """
            func manager(_ manager: Manager, didFail error: any Error) {
                continuation?.resume(throwing: error)
            }
            """,
        good: """
            func manager(_ manager: Manager, didFail error: any Error) {
                continuation?.resume(throwing: error)
                continuation = nil
            }
            """,
        instead: """
            private let reply = ReplySlot<Location>()

            // The slot is empty afterwards; a reply that nobody waits for is refused.
            func manager(_ manager: Manager, didFail error: any Error) { reply.resume(throwing: error) }
            """,
        limits: "A caller that clears the property afterwards is not seen."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        guard scope.token.kind == .stored, scope.token.isOptional else { return [] }
        // Whoever calls a delegate does not know what it stores, and may call it again.
        let isDelegateMethod = scope.token.scope.declaration.contains("(_:did")
        var seen: Set<Int> = []
        return scope.trace.ends.compactMap { end in
            guard case .once(let delivery) = end.state.count, delivery.manner == .call, !end.state.isVoid,
                end.state.excuses.isEmpty, seen.insert(delivery.position).inserted
            else { return nil }
            return scope.finding(
                Self.self,
                isDelegateMethod && !scope.token.isUnsafe ? .warning : .note,
                at: delivery.position,
                "\(scope.noun) stays in its property after it was resumed"
            )
        }
    }
}
