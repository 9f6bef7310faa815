// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An error that leaves a task, and the token with it.
struct LostOnThrow: Rule {
    static let page = RulePage(
        id: "lost-on-throw",
        summary: "An error leaves the task before the continuation is resumed, or the handler called.",
        levels: "error for continuations, warning for handlers",
        why: """
            Nobody hears of an error that leaves the closure of a `Task`: it is kept in a value that is dropped. The
            code below the `try` does not run, so nothing is delivered.
            """,
        bad: """
            func load(completion: @escaping (Data?) -> Void) {
                Task {
                    let data = try await client.data()
                    completion(data)
                }
            }
            """,
        good: """
            func load(completion: @escaping (Data?) -> Void) {
                Task {
                    do {
                        completion(try await client.data())
                    } catch {
                        completion(nil)
                    }
                }
            }
            """,
        instead: """
            func load(completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {
                // Values, errors and cancellation all reach the handler, once.
                callAsync {
                    try await client.data()
                } completion: {
                    completion($0)
                }
            }
            """,
        limits: "An error of `Task.sleep` is not reported: it means that the task was cancelled on purpose."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        guard let place = scope.places(of: { $0 == .thrown }).first else { return [] }
        let level: Level = scope.token.kind == .continuation ? .error : .warning
        return [
            scope.finding(
                Self.self,
                level,
                at: place.position,
                "\(scope.noun) is not \(scope.verb) if an error leaves this task"
            )
        ]
    }
}
