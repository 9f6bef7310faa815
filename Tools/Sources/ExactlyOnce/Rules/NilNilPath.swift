// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A callback that brings neither a value nor an error.
struct NilNilPath: Rule {
    static let page = RulePage(
        id: "nil-nil-path",
        summary: "If the callback brings neither a value nor an error, nothing is delivered.",
        levels: "warning",
        why: """
            A callback of the form `(Value?, Error?)` can be called with two `nil`s, and some libraries do so, for example
            after a cancellation. Then neither branch runs, and the task hangs for ever.
            """,
        bad: """
            try await withCheckedThrowingContinuation { continuation in
                client.get { data, error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else if let data {
                        continuation.resume(returning: data)
                    }
                }
            }
            """,
        good: """
            try await withCheckedThrowingContinuation { continuation in
                client.get { data, error in
                    if let data {
                        continuation.resume(returning: data)
                    } else {
                        continuation.resume(throwing: error ?? LoadError.nothing)
                    }
                }
            }
            """,
        instead: """
            // Two `nil`s throw BridgeFault.noResult.
            try await withCallback { callback in client.get(completion: callback.handler()) }
            """,
        limits: "It knows the callback's parameters by the conditions that ask whether they are `nil`."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        scope.places { $0 == .nilNil }.map { position, _, _ in
            scope.finding(
                Self.self,
                .warning,
                at: position,
                "\(scope.noun) is not \(scope.verb) if the callback brings neither a value nor an error",
                fix: UseCallback.fix(in: scope)
            )
        }
    }
}
