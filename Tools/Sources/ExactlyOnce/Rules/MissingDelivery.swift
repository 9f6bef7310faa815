// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A path that ends without delivery.
struct MissingDelivery: Rule {
    static let page = RulePage(
        id: "missing-delivery",
        summary: "One path ends without resuming the continuation, or without calling the handler.",
        levels:
            "error for a continuation in code that runs once for certain, else warning; note if the function answers "
            + "`false` there, or calls another handler",
        why: """
            On this path the task hangs for ever, or the caller never hears back. The usual places are a `guard` that
            returns early, an `if let` without `else`, and a case of a `switch` that only logs.
            """,
        bad: """
            func load(_ url: URL?, completion: @escaping (Data?) -> Void) {
                guard let url else { return }
                client.get(url) { data in completion(data) }
            }
            """,
        good: """
            func load(_ url: URL?, completion: @escaping (Data?) -> Void) {
                guard let url else {
                    completion(nil)
                    return
                }
                client.get(url) { data in completion(data) }
            }
            """,
        instead: """
            func load(_ url: URL?) async throws -> Data {
                guard let url else { throw URLError(.badURL) }
                // The compiler checks that every path returns or throws.
                return try await withCallback { callback in client.get(url, completion: callback.handler()) }
            }
            """,
        limits: "What happens after the token was stored or passed on is not seen."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        guard scope.carrier != nil || !NeverDelivered.applies(to: scope) else { return [] }
        return scope.places { $0 == .plain }.map { position, end, _ in
            var level: Level = scope.token.kind == .continuation && scope.isCertain ? .error : .warning
            if scope.trace.isIncomplete { level = .warning }
            if !end.state.excuses.isDisjoint(with: [.sibling, .refused, .emptyLoop, .futureCase]) { level = .note }
            return scope.finding(
                Self.self,
                level,
                at: position,
                "\(scope.noun) is not \(scope.verb) \(scope.way(end))",
                related: scope.carrier.map { [($0.position, "in this closure")] } ?? [],
                fix: AddDelivery.fix(for: end, in: scope)
            )
        }
    }
}
