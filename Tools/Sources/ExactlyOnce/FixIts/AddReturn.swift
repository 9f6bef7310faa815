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
            isApplied: item.mayLeave && !skipsCleanup(item, in: scope.file),
            edits: [
                Fix.Edit(offset: item.last + 1, length: 0, text: scope.file.newStatement("return", after: item))
            ]
        )
    }

    /// Whether the rest of the function has something that must not be left out.
    private static func skipsCleanup(_ item: CodeBlockItemSyntax, in file: SourceFile) -> Bool {
        guard let body = item.functionBody else { return true }
        return file.identifiers.hasCleanup(between: item.last, and: body.endPosition.utf8Offset)
    }
}

extension CodeBlockItemSyntax {
    /// The function or closure whose body it is in.
    var function: SyntaxIdentifier? { functionNode?.id }

    /// The same, as a node.
    private var functionNode: Syntax? {
        var node = parent
        while let current = node {
            if current.is(ClosureExprSyntax.self) || current.is(FunctionDeclSyntax.self)
                || current.is(InitializerDeclSyntax.self) || current.is(AccessorDeclSyntax.self)
            {
                return current
            }
            node = current.parent
        }
        return nil
    }

    /// The statements of the function or closure that it is in.
    var functionBody: CodeBlockItemListSyntax? {
        functionNode?.as(FunctionDeclSyntax.self)?.body?.statements
            ?? functionNode?.as(ClosureExprSyntax.self)?.statements
    }

    /// Whether a bare `return` is valid here, as far as the syntax tells.
    fileprivate var mayReturnNothing: Bool {
        if let function = functionNode?.as(FunctionDeclSyntax.self) {
            return function.signature.returnClause?.type.isVoid ?? true
        }
        return functionNode?.as(ClosureExprSyntax.self).map { $0.signature?.returnClause?.type.isVoid ?? true } ?? false
    }

    /// Whether nothing around it, up to its function, forbids a bare `return`.
    ///
    /// A closure that does not say what it answers may answer something; in `defer` there is no `return`; and an `if`
    /// whose value is used must have one.
    fileprivate var mayLeave: Bool {
        guard let function = functionNode, let body = functionBody else { return false }
        if let closure = function.as(ClosureExprSyntax.self), closure.signature?.returnClause == nil,
            body.count < 2 || body.answersSomething || body.endsNowhere
        {
            return false
        }
        return isAmongStatements(of: function)
    }

    /// Whether it is a statement of the function, or of statements in it, and no part of a value or of `defer`.
    func isAmongStatements(of function: Syntax) -> Bool {
        var node = parent
        while let current = node, current.id != function.id {
            if current.is(DeferStmtSyntax.self) { return false }
            let isChoice = current.is(IfExprSyntax.self) || current.is(SwitchExprSyntax.self)
            let isNext = current.parent?.is(IfExprSyntax.self) == true
            if isChoice, !isNext, current.parent?.is(ExpressionStmtSyntax.self) != true,
                current.parent?.is(CodeBlockItemSyntax.self) != true
            {
                return false
            }
            node = current.parent
        }
        return true
    }
}

extension CodeBlockItemListSyntax {
    /// Whether it ends with `throw`, or with a call that may never return: then it need not answer what it promises.
    fileprivate var endsNowhere: Bool {
        guard let last = last?.item else { return true }
        if last.is(ThrowStmtSyntax.self) { return true }
        guard case .expr(let expression) = last,
            let name = expression.unwrapped.as(FunctionCallExprSyntax.self)?.calledName
        else { return false }
        return Names.neverReturn.contains(name)
    }

    /// Whether a `return` of this function itself has a value.
    fileprivate var answersSomething: Bool {
        final class Finder: SyntaxVisitor {
            var found = false
            override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
                found = found || node.expression != nil
                return .skipChildren
            }
            override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
            override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
        }
        let finder = Finder(viewMode: .sourceAccurate)
        finder.walk(self)
        return finder.found
    }
}

extension TypeSyntax {
    fileprivate var isVoid: Bool { ["Void", "()", "Swift.Void"].contains(key) }
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
        guard isAlone else { return "; " + text }
        return lineEnd(at: item.start) + String(decoding: Array(before), as: UTF8.self) + text
    }
}
