// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// A delivery in a loop that goes on after it.
struct DeliverInLoop: Rule {
    static let page = RulePage(
        id: "deliver-in-loop",
        summary: "A loop delivers, goes on, and may deliver again in its next turn.",
        levels:
            "warning; note for a closure that cannot escape, for a handler of events such as `onResult`, and where a "
            + "comment says that it is meant",
        why: """
            The second turn resumes the continuation again, which ends the process, or answers the caller a second
            time. Leave the loop after the delivery, or collect the results and deliver once behind it.
            """,
        bad: """
            func find(_ id: Int, completion: (Item?) -> Void) {
                for item in items {
                    if item.id == id { completion(item) }
                }
            }
            """,
        good: """
            func find(_ id: Int, completion: (Item?) -> Void) {
                completion(items.first { $0.id == id })
            }
            """,
        instead: """
            // Several answers are a sequence, not a callback.
            let found = CallbackSequence<Item, any Error> { sink in
                let search = client.search(onItem: sink.handler(), onError: sink.errorHandler())
                return { search.stop() }
            }
            """,
        limits: "Whether the condition holds in two turns depends on data, so it is never an error."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        let plain = Set(scope.trace.doubles.filter { !$0.isInLoop }.map(\.second.position))
        var seen: Set<Int> = []
        return repeated(in: scope)
            + scope.trace.doubles.compactMap { double in
                guard double.isInLoop, seen.insert(double.second.position).inserted else { return nil }
                guard !plain.contains(double.second.position) else { return nil }
                return scope.finding(
                    Self.self,
                    isMeant(at: double.second.position, in: scope) ? .note : .warning,
                    at: double.second.position,
                    "\(scope.noun) may be \(scope.verb) again in a later turn of the loop",
                    related: double.first == double.second ? [] : [(double.first.position, "it was \(scope.verb) here")]
                )
            }
    }

    private func isMeant(at position: Int, in scope: ScopeReport) -> Bool {
        guard !scope.token.isContinuation else { return false }
        // What cannot leave the function is often meant for each element, and `onResult` for each event.
        return scope.token.isLocal || Names.isEvent(scope.token.name) || scope.isDocumented(.repeated, at: position)
            || isForOneCase(position, in: scope.file)
    }

    /// Whether the place is only for one of an enumeration's cases: `for kind in Kind.allCases`, `if kind.id == id`.
    private func isForOneCase(_ position: Int, in file: SourceFile) -> Bool {
        var node = file.tree.token(at: AbsolutePosition(utf8Offset: position))?.parent
        var conditions: [ConditionElementListSyntax] = []
        while let current = node, !current.is(FunctionDeclSyntax.self), !current.is(ClosureExprSyntax.self) {
            if let branch = current.as(IfExprSyntax.self), position > branch.body.start {
                conditions.append(branch.conditions)
            }
            if let loop = current.as(ForStmtSyntax.self) {
                let sequence = loop.sequence.as(MemberAccessExprSyntax.self)
                guard sequence?.declName.baseName.text == "allCases" else { return false }
                return conditions.contains { $0.compares(loop.pattern.boundNames) }
            }
            node = current.parent
        }
        return false
    }

    /// Deliveries of a closure that each turn of a loop makes, where no counter or flag is asked.
    private func repeated(in scope: ScopeReport) -> [Finding] {
        guard scope.isRepeated, let carrier = scope.carrier, !endsTheLoop(carrier, in: scope.file) else { return [] }
        var seen: Set<Int> = []
        return scope.trace.ends.compactMap { end in
            guard case .once(let delivery) = end.state.count, delivery.manner == .call,
                end.state.excuses.isDisjoint(with: [.latch, .accepted]), seen.insert(delivery.position).inserted
            else { return nil }
            return scope.finding(
                Self.self,
                isMeant(at: delivery.position, in: scope) ? .note : .warning,
                at: delivery.position,
                "\(scope.noun) may be \(scope.verb) again: each turn of a loop makes this closure",
                related: [(carrier.position, "in this closure")]
            )
        }
    }

    /// Whether the closure sets a flag to `true` that the code around it asks.
    private func endsTheLoop(_ carrier: Carrier, in file: SourceFile) -> Bool {
        guard let token = file.tree.token(at: AbsolutePosition(utf8Offset: carrier.position)),
            let closure = token.parent?.as(ClosureExprSyntax.self),
            let list = file.statement(at: carrier.position)?.parent?.as(CodeBlockItemListSyntax.self)
        else { return false }
        let flags = Set(
            closure.statements.tokens(viewMode: .sourceAccurate).compactMap { token -> String? in
                guard token.tokenKind == .keyword(.true), let equal = token.previousToken(viewMode: .sourceAccurate),
                    equal.tokenKind == .equal,
                    case .identifier(let name)? = equal.previousToken(viewMode: .sourceAccurate)?
                        .tokenKind
                else { return nil }
                return name
            }
        )
        return list.contains { item in
            guard let branch = item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self) else {
                return false
            }
            return branch.conditions.identifiers.contains { flags.contains($0) }
        }
    }
}

extension ConditionElementListSyntax {
    /// Whether it asks only whether something of one of the names equals something else.
    fileprivate func compares(_ names: [String]) -> Bool {
        guard count == 1, identifiers.contains(where: { names.contains($0) }) else { return false }
        let operators = tokens(viewMode: .sourceAccurate).compactMap { token -> String? in
            if case .binaryOperator(let name) = token.tokenKind { name } else { nil }
        }
        return operators == ["=="]
    }
}
