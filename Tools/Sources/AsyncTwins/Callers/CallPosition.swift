// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Where a call stands: whether its caller may wait for it there, and nothing comes earlier or later for that.
struct CallPosition {
    /// The statement that is the call, or discards what it returns.
    let statement: CodeBlockItemSyntax
    /// Whether `self` is optional there: the task's closure captures it weakly.
    private(set) var hasWeakSelf = false

    /// - Throws: Why the call must stay as it is.
    init(of call: FunctionCallExprSyntax) throws(Obstacle) {
        statement = try Self.statement(of: call)
        var item = statement
        while let outer = try step(from: item) { item = outer }
    }

    struct Obstacle: Error {
        var reason: CallerSite.Reason
    }

    private static func statement(of call: FunctionCallExprSyntax) throws(Obstacle) -> CodeBlockItemSyntax {
        guard let parent = call.parent else { throw Obstacle(reason: .resultIsUsed) }
        if let item = parent.as(CodeBlockItemSyntax.self) { return item }
        // `_ = call`
        if let list = parent.as(ExprListSyntax.self), list.count == 3, list.last?.id == ExprSyntax(call).id,
            list.first?.is(DiscardAssignmentExprSyntax.self) == true,
            let item = list.parent?.parent?.as(CodeBlockItemSyntax.self)
        {
            return item
        }
        throw Obstacle(reason: .resultIsUsed)
    }

    /// Goes from a statement to the one around it.
    ///
    /// - Returns: `nil` once the function or closure is reached, if that is async.
    private mutating func step(from item: CodeBlockItemSyntax) throws(Obstacle) -> CodeBlockItemSyntax? {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self), let around = list.parent else {
            throw Obstacle(reason: .notAsync)
        }
        let isLast = list.last?.id == item.id
        if let closure = around.as(ClosureExprSyntax.self) {
            guard around.asyncBoundary == true else {
                throw Obstacle(reason: closure.isOfContinuation ? .inContinuation : .notAsync)
            }
            if closure.signature?.capture?.items.contains(where: \.isWeakSelf) == true { hasWeakSelf = true }
            return try Self.end(isLast)
        }
        var node: Syntax? = around
        if around.is(CodeBlockSyntax.self) { node = around.parent }
        guard let node else { throw Obstacle(reason: .notAsync) }
        switch node.as(SyntaxEnum.self) {
        case .functionDecl, .initializerDecl:
            guard node.asyncBoundary == true else { throw Obstacle(reason: .notAsync) }
            return try Self.end(isLast)
        case .forStmt, .whileStmt, .repeatStmt:
            try Self.requireAsync(around: node)
            throw Obstacle(reason: .inLoop)
        case .ifExpr, .doStmt, .catchClause, .switchCase, .ifConfigClause:
            guard let outer = Self.enclosing(node) else {
                try Self.requireAsync(around: node)
                throw Obstacle(reason: .resultIsUsed)
            }
            if !isLast {
                try Self.requireAsync(around: node)
                throw Obstacle(reason: .codeFollows)
            }
            return outer
        default:
            try Self.requireAsync(around: node)
            throw Obstacle(reason: .codeFollows)
        }
    }

    private static func end(_ isLast: Bool) throws(Obstacle) -> CodeBlockItemSyntax? {
        guard isLast else { throw Obstacle(reason: .codeFollows) }
        return nil
    }

    /// The statement that a part of a statement belongs to.
    private static func enclosing(_ node: Syntax) -> CodeBlockItemSyntax? {
        var node: Syntax? = node
        while let current = node {
            if let item = current.as(CodeBlockItemSyntax.self) { return item }
            switch current.kind {
            // An `if` or a `switch` elsewhere has a value.
            case .ifExpr, .doStmt, .catchClause, .catchClauseList, .switchCase, .switchCaseList, .switchExpr,
                .ifConfigClause, .ifConfigClauseList, .ifConfigDecl, .expressionStmt:
                node = current.parent
            default: return nil
            }
        }
        return nil
    }

    /// Code that is not async is told so first: that is the nearest thing to change.
    private static func requireAsync(around node: Syntax) throws(Obstacle) {
        var node: Syntax? = node
        while let current = node {
            if let isAsync = current.asyncBoundary {
                if isAsync { return }
                break
            }
            node = current.parent
        }
        throw Obstacle(reason: .notAsync)
    }
}

extension Syntax {
    /// Whether it is async, if it is a function or a closure.
    fileprivate var asyncBoundary: Bool? {
        switch self.as(SyntaxEnum.self) {
        case .functionDecl(let node): node.signature.effectSpecifiers?.asyncSpecifier != nil
        case .initializerDecl(let node): node.signature.effectSpecifiers?.asyncSpecifier != nil
        case .closureExpr(let node): node.isAsyncClosure
        default: nil
        }
    }
}

extension ClosureExprSyntax {
    /// Whether it is async: it says so, or it is the work of a task.
    fileprivate var isAsyncClosure: Bool {
        if signature?.effectSpecifiers?.asyncSpecifier != nil { return true }
        var call = parent?.as(FunctionCallExprSyntax.self)
        if let argument = parent?.as(LabeledExprSyntax.self), argument.label?.text == "operation" {
            call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
        }
        guard let call else { return false }
        var callee = call.calledExpression
        if let specialized = callee.as(GenericSpecializationExprSyntax.self) { callee = specialized.expression }
        let name = callee.trimmedDescription
        if ["Task", "Task.detached", "Task.immediate", "Task.immediateDetached"].contains(name) { return true }
        let member = callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        return ["addTask", "addTaskUnlessCancelled", "addImmediateTask"].contains(member)
    }
}

extension ClosureCaptureSyntax {
    /// Whether it is `weak self`.
    var isWeakSelf: Bool { specifier?.specifier.text == "weak" && isSelf }

    /// Whether it captures `self`, in any way.
    var isSelf: Bool { name.text == "self" && initializer == nil }
}
