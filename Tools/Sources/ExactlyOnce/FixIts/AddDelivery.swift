// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Adds the delivery that is missing, with an `else` if need be.
///
/// Only a handler without arguments can be called blindly.
enum AddDelivery {
    static func fix(for end: Trace.End, in scope: ScopeReport) -> Fix? {
        let token = scope.token
        guard token.kind == .handler, token.takesNothing else { return UseCallback.fix(in: scope) }
        let call = token.name + (token.isOptional ? "?()" : "()")
        if end.kind == .return { return beforeReturn(end, call, scope) }
        guard end.state.blame?.way == .whenFalse, let position = end.state.blame?.position,
            let item = scope.file.statement(at: position),
            let branch = item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
                ?? item.item.as(IfExprSyntax.self),
            branch.start == position, branch.elseBody == nil
        else { return nil }
        // The only statement of a closure may be its value.
        let isAlone = item.parent?.as(CodeBlockItemListSyntax.self)?.count == 1
        let isInClosure = item.parent?.parent?.is(ClosureExprSyntax.self) == true
        let edit = Fix.Edit(offset: branch.last + 1, length: 0, text: " else { \(call) }")
        return Fix(
            message: "add ‘else { \(call) }’",
            isApplied: isCallable(call, at: item, in: scope) && !(isAlone && isInClosure),
            edits: [edit]
        )
    }

    private static func beforeReturn(_ end: Trace.End, _ call: String, _ scope: ScopeReport) -> Fix? {
        guard let item = scope.file.statement(at: end.position), let node = item.item.as(ReturnStmtSyntax.self),
            node.expression == nil
        else { return nil }
        let edit = Fix.Edit(offset: node.start, length: 0, text: call + "; ")
        return Fix(
            message: "add ‘\(call)’ before ‘return’",
            isApplied: isCallable(call, at: item, in: scope),
            edits: [edit]
        )
    }

    /// Whether the call certainly compiles at a place.
    ///
    /// The name must mean the parameter there, and a closure must have called it already: else it may not have it, or
    /// not be allowed to.
    private static func isCallable(_ call: String, at item: CodeBlockItemSyntax, in scope: ScopeReport) -> Bool {
        guard scope.token.isPlainFunction, !scope.token.isRebound, let function = item.enclosingFunction
        else { return false }
        guard item.function == function.id else {
            return item.functionBody.map { body in
                body.contains {
                    scope.file.identifiers.contains(scope.token.name, in: $0) && $0.has(call, in: item.function)
                }
            } ?? false
        }
        return true
    }
}

extension CodeBlockItemSyntax {
    /// The function or initializer around all closures.
    fileprivate var enclosingFunction: Syntax? {
        var node = parent
        while let current = node {
            if current.is(FunctionDeclSyntax.self) || current.is(InitializerDeclSyntax.self) { return current }
            node = current.parent
        }
        return nil
    }

    /// Whether a statement of the function itself is this call.
    fileprivate func has(_ call: String, in function: SyntaxIdentifier?) -> Bool {
        final class Finder: SyntaxVisitor {
            var call = ""
            var function: SyntaxIdentifier?
            var found = false
            override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
                found = found || node.function == function && node.item.key == call
                return .visitChildren
            }
        }
        let finder = Finder(viewMode: .sourceAccurate)
        (finder.call, finder.function) = (call, function)
        finder.walk(self)
        return finder.found
    }
}
