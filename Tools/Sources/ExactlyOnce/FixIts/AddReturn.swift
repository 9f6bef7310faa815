// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Adds the `return` that is missing after a delivery.
enum AddReturn {
    static func fix(after first: Delivery, before second: Delivery, in scope: ScopeReport) -> Fix? {
        guard first.manner == .call, first.position < second.position,
            let item = scope.file.statement(at: first.position),
            let list = item.parent?.as(CodeBlockItemListSyntax.self),
            list.last == item,
            list.parent?.parent?.is(IfExprSyntax.self) == true || list.parent?.is(SwitchCaseSyntax.self) == true,
            let other = scope.file.statement(at: second.position), item.function == other.function,
            item.mayReturnNothing
        else { return nil }
        return Fix(
            message: "add ‘return’ after line \(scope.file.location(of: first.position).line)",
            edits: [
                Fix.Edit(offset: item.last + 1, length: 0, text: scope.file.newStatement("return", after: item))
            ]
        )
    }
}

extension CodeBlockItemSyntax {
    /// The function or closure whose body it is in.
    var function: SyntaxIdentifier? {
        var node = parent
        while let current = node {
            if current.is(ClosureExprSyntax.self) || current.is(FunctionDeclSyntax.self)
                || current.is(InitializerDeclSyntax.self) || current.is(AccessorDeclSyntax.self)
            {
                return current.id
            }
            node = current.parent
        }
        return nil
    }

    /// Whether a bare `return` is valid here, as far as the syntax tells.
    var mayReturnNothing: Bool {
        var node = parent
        while let current = node {
            if let function = current.as(FunctionDeclSyntax.self) {
                let type = function.signature.returnClause?.type.trimmedDescription
                return type == nil || type == "Void" || type == "()"
            }
            if let closure = current.as(ClosureExprSyntax.self) {
                let type = closure.signature?.returnClause?.type.trimmedDescription
                return type == nil || type == "Void" || type == "()"
            }
            if current.is(InitializerDeclSyntax.self) { return true }
            if current.is(AccessorDeclSyntax.self) { return false }
            node = current.parent
        }
        return false
    }
}

extension SourceFile {
    /// The innermost statement that begins at a position, or contains it.
    func statement(at offset: Int) -> CodeBlockItemSyntax? {
        var node = tree.token(at: AbsolutePosition(utf8Offset: offset))?.parent
        while let current = node {
            if let item = current.as(CodeBlockItemSyntax.self) { return item }
            node = current.parent
        }
        return nil
    }

    /// The text that adds a statement behind another one, in the same style.
    func newStatement(_ text: String, after item: CodeBlockItemSyntax) -> String {
        let start = location(of: item.start)
        let before = line(start.line).utf8.prefix(start.column - 1)
        let isAlone = before.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return isAlone ? "\n" + String(decoding: Array(before), as: UTF8.self) + text : "; " + text
    }
}
