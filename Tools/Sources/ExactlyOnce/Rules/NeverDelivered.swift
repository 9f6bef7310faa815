// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A token that no path delivers.
struct NeverDelivered: Rule {
    static let page = RulePage(
        id: "never-delivered",
        summary: "No path resumes the continuation, or calls the handler.",
        levels: "error for continuations, warning for handlers, note for handlers with the name `_` and in stand-ins",
        why: """
            A task that waits for the continuation hangs for ever, and leaks. A caller that waits for the handler shows
            its spinner for ever.
            """,
        bad: """
            func save(_ item: Item, completion: @escaping (Bool) -> Void) {
                guard isOnline else { return }
                queue.async { self.store.write(item) }
            }
            """,
        good: """
            func save(_ item: Item, completion: @escaping (Bool) -> Void) {
                guard isOnline else { return completion(false) }
                queue.async { completion(self.store.write(item)) }
            }
            """,
        instead: """
            // A callback that nobody keeps throws BridgeFault.callbackDropped, which names the place.
            try await withCallback(timeout: .seconds(5)) { callback in
                client.get(completion: callback.handler())
            }
            """,
        limits:
            "An empty body is taken as meant if the handler is optional or cannot escape, the function is `open` or in "
            + "an extension without protocols, or its type is named as a stand-in. Write `_ = completion` where it is "
            + "deliberately not called; a comment such as “no-op” makes a note of it."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        guard scope.carrier == nil, scope.hasSoleDuty, Self.applies(to: scope) else { return [] }
        // A handler without a name is ignored on purpose, and that of a stand-in probably, too.
        let isMeant =
            scope.token.name == "_" || scope.isStandIn || scope.saysNothingToDo
            || scope.isDocumented(.dropped, at: scope.token.position)
        let isOwn = scope.token.isContinuation && scope.token.kind != .continuationParameter
        let level: Level = isOwn ? .error : isMeant ? .note : .warning
        return [
            scope.finding(Self.self, level, at: scope.token.position, "\(scope.noun) is never \(scope.verb)")
        ]
    }

    /// Whether no path delivers; then there is no point in saying of each path that it does not.
    static func applies(to scope: ScopeReport) -> Bool {
        !scope.trace.isUsed
            && scope.trace.ends.contains { $0.state.isMissing && $0.kind != .throw }
            && !scope.trace.ends.contains { $0.state.excuses.contains(.accepted) }
    }
}
