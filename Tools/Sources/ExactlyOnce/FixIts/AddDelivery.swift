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
        if end.kind == .return { return beforeReturn(end, call, scope.file) }
        guard end.state.blame?.way == .whenFalse, let position = end.state.blame?.position,
            let item = scope.file.statement(at: position),
            let branch = item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
                ?? item.item.as(IfExprSyntax.self),
            branch.start == position, branch.elseBody == nil
        else { return nil }
        let edit = Fix.Edit(offset: branch.last + 1, length: 0, text: " else { \(call) }")
        return Fix(message: "add ‘else { \(call) }’", edits: [edit])
    }

    private static func beforeReturn(_ end: Trace.End, _ call: String, _ file: SourceFile) -> Fix? {
        guard let item = file.statement(at: end.position), let node = item.item.as(ReturnStmtSyntax.self),
            node.expression == nil
        else { return nil }
        let edit = Fix.Edit(offset: node.start, length: 0, text: call + "; ")
        return Fix(message: "add ‘\(call)’ before ‘return’", edits: [edit])
    }
}
