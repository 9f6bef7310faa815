// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Two deliveries on one path.
struct DoubleDelivery: Rule {
    static let page = RulePage(
        id: "double-delivery",
        summary: "A continuation is resumed twice, or a handler is called twice, on one path.",
        levels:
            "error if every way on from the first delivery delivers again, else warning; note for a stored handler "
            + "that two statements in a row call with different arguments, and where a comment says that it is meant",
        why: """
            The second `resume` of a checked continuation ends the process; of an unsafe one, it corrupts memory. A
            handler that is called twice runs its caller's code twice: two screens are pushed, a group is left twice.
            The usual cause is a missing `return` after the error was reported.
            """,
        bad: """
            func load(completion: @escaping (Data?, (any Error)?) -> Void) {
                client.get { data, error in
                    if let error {
                        completion(nil, error)
                    }
                    completion(data, nil)
                }
            }
            """,
        good: """
            func load(completion: @escaping (Data?, (any Error)?) -> Void) {
                client.get { data, error in
                    if let error {
                        completion(nil, error)
                        return
                    }
                    completion(data, nil)
                }
            }
            """,
        instead: """
            func load() async throws -> Data {
                // The first answer counts; a second one is refused and reported.
                try await withCallback { callback in client.get(completion: callback.handler()) }
            }
            """,
        limits: "Deliveries by others, after the token was stored or passed on, are not seen."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        var seen: Set<Int> = []
        return scope.trace.doubles.compactMap { double in
            guard !double.isInLoop, seen.insert(double.second.position).inserted else { return nil }
            let isDefinite =
                isCertain(double.first) && isCertain(double.second) && !double.second.isConditional
                && !scope.trace.isIncomplete && !scope.trace.endsOnce(with: double.first) && !scope.token.isProperty
            return scope.finding(
                Self.self,
                isMeant(double, in: scope) ? .note : isDefinite ? .error : .warning,
                at: double.second.position,
                double.second.manner == .handed
                    ? "\(scope.noun) is kept for later after it was \(scope.verb)"
                    : "\(scope.noun) is \(scope.verb) a second time",
                related: [(double.first.position, first(double.first, scope))],
                fix: AddReturn.fix(after: double.first, before: double.second, in: scope)
            )
        }
    }

    private func isMeant(_ double: Trace.Double, in scope: ScopeReport) -> Bool {
        guard !scope.token.isContinuation else { return false }
        return tellsOfEvents(double, in: scope) || scope.isDocumented(.repeated, at: double.second.position)
    }

    /// Whether one statement after the other calls a stored handler, with different arguments.
    ///
    /// Nobody overlooks the statement above: such a handler is told of events.
    private func tellsOfEvents(_ double: Trace.Double, in scope: ScopeReport) -> Bool {
        guard scope.token.kind == .storedHandler, double.first.manner == .call, double.second.manner == .call,
            let first = scope.file.statement(at: double.first.position),
            let second = scope.file.statement(at: double.second.position),
            let list = first.parent?.as(CodeBlockItemListSyntax.self), let index = list.firstIndex(of: first)
        else { return false }
        let next = list.index(after: index)
        return next < list.endIndex && list[next] == second && first.key != second.key
    }

    private func isCertain(_ delivery: Delivery) -> Bool {
        switch delivery.manner {
        case .call, .deferred: true
        case .delegate, .likely, .handed: false
        }
    }

    private func first(_ delivery: Delivery, _ scope: ScopeReport) -> String {
        switch delivery.manner {
        case .call: "it was \(scope.verb) here"
        case .handed: "it was stored here"
        case .delegate: "it was passed here to a function that answers it"
        case .deferred: "this closure, which runs once, has it"
        case .likely: "this closure, which probably runs once, has it"
        }
    }
}
