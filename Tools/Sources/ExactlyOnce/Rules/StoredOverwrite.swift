// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// A stored continuation that another one replaces.
struct StoredOverwrite: Rule {
    static let page = RulePage(
        id: "stored-overwrite",
        summary: "A property with a continuation gets another one, and nobody has looked at the first.",
        levels: "warning; note for an unsafe continuation",
        why: """
            If two callers wait at the same time, the second one's continuation replaces the first one's. The first task
            hangs for ever.
            """,
        bad: """
            func location() async throws -> Location {
                try await withCheckedThrowingContinuation { continuation in
                    self.continuation = continuation
                    manager.requestLocation()
                }
            }
            """,
        good: """
            func location() async throws -> Location {
                try await withCheckedThrowingContinuation { continuation in
                    guard self.continuation == nil else { return continuation.resume(throwing: Busy()) }
                    self.continuation = continuation
                    manager.requestLocation()
                }
            }
            """,
        instead: """
            // Says what happens to a second caller: .reject, .share and others.
            private let reply = ReplySlot<Location>(overlap: .share)

            func location() async throws -> Location {
                try await reply.wait(keepingAlive: self) { manager.requestLocation() }
            }
            """,
        limits: "Whether two callers can wait at the same time is not seen."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        // What an object keeps from the start is its first one.
        guard scope.token.kind == .stored, scope.functionName != "init" else { return [] }
        let replaced = scope.trace.stores.filter { $0.kind == .overwritten && !scope.isAskedFor(before: $0.position) }
        return replaced.map { store in
            scope.finding(
                Self.self,
                scope.token.isUnsafe ? .note : .warning,
                at: store.position,
                "‘\(scope.token.name)’ may still hold the continuation of a caller that waits"
            )
        }
    }
}

extension ScopeReport {
    /// Whether the function has checked for an earlier caller, or has ended that caller's wait.
    ///
    /// It checks by a property that reads the continuation, such as `isBusy`.
    fileprivate func isAskedFor(before position: Int) -> Bool {
        var node = file.tree.token(at: AbsolutePosition(utf8Offset: position))?.parent
        var function: Syntax?
        while let current = node, !current.is(MemberBlockSyntax.self) {
            if current.is(FunctionDeclSyntax.self) { function = current }
            node = current.parent
        }
        guard let function, let members = node?.as(MemberBlockSyntax.self)?.members else { return false }
        if function.callsBefore(position, Names.endsEarlierWait) { return true }
        let askers = members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.flatMap(\.bindings)
            .filter { $0.typeAnnotation?.type.trimmedDescription == "Bool" }
            .filter { binding in binding.accessorBlock?.mentions([token.name]) == true }
            .flatMap(\.pattern.boundNames)
        return function.mentions(Set(askers), before: position)
    }
}

extension SyntaxProtocol {
    /// Whether a function with such a name is called in it, before a place.
    fileprivate func callsBefore(_ position: Int, _ isWanted: (String) -> Bool) -> Bool {
        tokens(viewMode: .sourceAccurate).prefix { $0.start < position }.contains {
            guard case .identifier(let name) = $0.tokenKind, isWanted(name) else { return false }
            return $0.nextToken(viewMode: .sourceAccurate)?.tokenKind == .leftParen
        }
    }

    /// Whether one of the names stands in it, before a place.
    fileprivate func mentions(_ names: Set<String>, before position: Int = .max) -> Bool {
        if names.isEmpty { return false }
        return tokens(viewMode: .sourceAccurate).prefix { $0.start < position }.contains { names.contains($0.text) }
    }
}
