// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Replaces a continuation by a callback, which throws when it is dropped instead of hanging.
enum UseCallback {
    static func fix(in scope: ScopeReport) -> Fix? {
        guard scope.token.kind == .continuation, let closure = scope.token.scope.closure,
            let call = closure.enclosingCall, call.calledName == "withCheckedThrowingContinuation"
        else { return nil }
        let callee = call.calledExpression
        let edit = Fix.Edit(offset: callee.start, length: callee.last + 1 - callee.start, text: "withCallback")
        return Fix(
            message: "use ‘withCallback’ of the module AsyncBridge: a dropped callback throws instead of hanging",
            isApplied: false,
            edits: [edit]
        )
    }
}

extension ClosureExprSyntax {
    /// The call that it is an argument of.
    fileprivate var enclosingCall: FunctionCallExprSyntax? {
        var node = parent
        while let current = node, !current.is(CodeBlockItemSyntax.self) {
            if let call = current.as(FunctionCallExprSyntax.self) { return call }
            node = current.parent
        }
        return nil
    }
}
