// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// A continuation that is resumed in a callback which comes many times.
struct MultiShotResume: Rule {
    static let page = RulePage(
        id: "multi-shot-resume",
        summary: "A continuation is resumed in a callback that comes many times.",
        levels: "warning",
        why: """
            An observer, a sink or a repeating timer calls its closure for each event. The second event resumes the
            continuation again, and the process ends.
            """,
        bad: """
            let first = await withCheckedContinuation { continuation in
                token = center.addObserver(forName: name, object: nil, queue: nil) { note in
                    continuation.resume(returning: note)
                }
            }
            """,
        good: """
            for await note in center.notifications(named: name) { return note }
            """,
        instead: """
            let notes = CallbackSequence<Note, any Error> { sink in
                let token = center.observe(sink.handler())
                return { center.remove(token) }
            }
            for try await note in notes { return note }
            """,
        limits: "It knows such functions by name: see `asyncbridge apis`. A flag or a lock in the closure silences it."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        guard scope.token.isContinuation, let carrier = scope.carrier, carrier.kind == .many else { return [] }
        for end in scope.trace.ends {
            guard case .once(let delivery) = end.state.count, !end.state.excuses.contains(.latch),
                !endsObservation(before: delivery, in: carrier, of: scope.file)
            else { continue }
            return [
                scope.finding(
                    Self.self,
                    .warning,
                    at: delivery.position,
                    "\(scope.noun) is \(scope.verb) each time this closure is called",
                    related: [(carrier.position, "this closure may be called many times")]
                )
            ]
        }
        return []
    }

    /// Whether the closure stops what calls it before it delivers, itself or in a local function.
    private func endsObservation(before delivery: Delivery, in carrier: Carrier, of file: SourceFile) -> Bool {
        guard let token = file.tree.token(at: AbsolutePosition(utf8Offset: carrier.position)),
            let closure = token.parent?.as(ClosureExprSyntax.self)
        else { return false }
        let called = closure.identifiers(before: delivery.position)
        if called.contains(where: { Self.ends.contains($0) }) { return true }
        var node = closure.parent
        while let current = node {
            if let list = current.as(CodeBlockItemListSyntax.self) {
                for function in list.compactMap({ $0.item.as(FunctionDeclSyntax.self) })
                where called.contains(function.name.text) {
                    if function.body?.identifiers.contains(where: { Self.ends.contains($0) }) == true { return true }
                }
            }
            node = current.parent
        }
        return false
    }

    private static let ends: Set<String> = ["removeObserver", "cancel", "invalidate", "unsubscribe"]
}

extension ClosureExprSyntax {
    /// The names in its code before a place.
    fileprivate func identifiers(before position: Int) -> Set<String> {
        var names: Set<String> = []
        for token in statements.tokens(viewMode: .sourceAccurate) {
            guard token.positionAfterSkippingLeadingTrivia.utf8Offset < position else { break }
            if case .identifier(let name) = token.tokenKind { names.insert(name) }
        }
        return names
    }
}
