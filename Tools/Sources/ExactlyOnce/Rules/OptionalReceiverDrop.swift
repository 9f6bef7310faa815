// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A call that is skipped because its receiver is `nil`.
struct OptionalReceiverDrop: Rule {
    static let page = RulePage(
        id: "optional-receiver-drop",
        summary: "If the receiver of the call is `nil`, nothing is delivered.",
        levels: "note; warning if the method itself is optional",
        why: """
            `delegate?.load { completion($0) }` does nothing if there is no delegate, and the caller waits forever. The same
            holds for `delegate.load?(completion)` if the delegate has no such method, which is common.
            """,
        bad: """
            func load(completion: @escaping (Data?) -> Void) {
                source?.get { data in completion(data) }
            }
            """,
        good: """
            func load(completion: @escaping (Data?) -> Void) {
                guard let source else { return completion(nil) }
                source.get { data in completion(data) }
            }
            """,
        instead: """
            func load() async throws -> Data {
                guard let source else { throw LoadError.noSource }
                return try await withCallback { callback in source.get(completion: callback.handler()) }
            }
            """,
        limits: "Whether the receiver can be `nil` there depends on data. `asyncbridge check --notes` shows it."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        scope.places { $0 == .dropped(.optionalReceiver) || $0 == .dropped(.optionalMethod) }.map { position, _, loss in
            let isMethod = loss == .dropped(.optionalMethod)
            let reason = isMethod ? "the receiver has no such method" : "the receiver of a call is ‘nil’"
            return scope.finding(
                Self.self,
                isMethod ? .warning : .note,
                at: position,
                "\(scope.noun) is not \(scope.verb) if \(reason)"
            )
        }
    }
}
