// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Tells functions that wait for an answer from those that only keep a closure: initializers that store it, functions
/// that return another closure or an object around it.
///
/// Nobody waits for these, so they are no functions with a completion handler.
struct HeldHandlers {
    private let function: DeclaredFunction
    private let meanings: [String: TypeSyntax]
    /// The names of the closures in the body.
    private let names: Set<String>

    init(_ function: DeclaredFunction, _ handlers: [Int], _ meanings: [String: TypeSyntax]) {
        self.function = function
        self.meanings = meanings
        names = Set(handlers.map { function.parameters[$0].innerName.text })
    }

    /// Whether the function does nothing else with its closures than keep them.
    var areAll: Bool {
        guard !names.isEmpty else { return false }
        guard let body = function.body else { return returnsHandler }
        let mentions = body.all(DeclReferenceExprSyntax.self)
            .filter { names.contains($0.baseName.text) && !$0.isMember }
        return !mentions.isEmpty && mentions.allSatisfy { isHeld(Syntax($0), in: body) }
    }

    /// Whether it returns a closure that gets something, as a handler does: `() -> Void` may stop the work.
    private var returnsHandler: Bool {
        let returned = function.node.signature.returnClause?.type.handlerFunction(meanings)
        return returned.map { !$0.parameters.isEmpty } ?? false
    }

    private var returnsSomething: Bool {
        function.node.signature.returnClause.map { !TwinReplacement.isVoid($0.type.trimmedDescription) } ?? false
    }

    /// Whether a value that is the closure, or has it, is kept, or returned.
    private func isHeld(_ node: Syntax, in body: CodeBlockSyntax) -> Bool {
        // What a closure does with it, it does when it is called.
        if let closure = node.around(ClosureExprSyntax.self, in: body) { return isHeld(Syntax(closure), in: body) }
        if node.around(FunctionDeclSyntax.self, in: body) != nil { return returnsSomething }
        var node = node
        while let parent = node.parent {
            if parent.is(ReturnStmtSyntax.self) { return returnsSomething }
            if parent.is(InitializerClauseSyntax.self) { return true }
            if let elements = parent.as(ExprListSyntax.self) { return elements.assigns(node) }
            if let item = parent.as(CodeBlockItemSyntax.self) {
                return returnsSomething && body.statements.count == 1 && item.id == body.statements.first?.id
            }
            if let call = parent.callWithArgument(node) {
                switch call.keeping {
                case .object: node = Syntax(call)
                case .forGood: return true
                case nil: return false
                }
                continue
            }
            guard parent.isTransparent else { return false }
            node = parent
        }
        return false
    }
}

extension DeclReferenceExprSyntax {
    /// Whether it is the name behind a point.
    fileprivate var isMember: Bool { parent?.as(MemberAccessExprSyntax.self)?.declName.id == id }
}

extension Syntax {
    /// The innermost closure or function around, inside a body.
    fileprivate func around<T: SyntaxProtocol>(_ type: T.Type, in body: CodeBlockSyntax) -> T? {
        var node = parent
        while let current = node, current.id != body.id {
            if let found = current.as(type) { return found }
            node = current.parent
        }
        return nil
    }

    /// The call whose argument or trailing closure this is, if the given node is in this one.
    fileprivate func callWithArgument(_ node: Syntax) -> FunctionCallExprSyntax? {
        if let call = self.as(FunctionCallExprSyntax.self) {
            return call.trailingClosure?.id == node.id ? call : nil
        }
        guard self.is(LabeledExprSyntax.self) || self.is(MultipleTrailingClosureElementSyntax.self) else { return nil }
        return parent?.parent?.as(FunctionCallExprSyntax.self)
    }

    /// Whether it has the value of what is in it.
    fileprivate var isTransparent: Bool {
        [
            .tryExpr, .optionalChainingExpr, .forceUnwrapExpr, .tupleExpr, .labeledExprList, .labeledExpr, .asExpr,
            .arrayExpr, .arrayElementList, .arrayElement,
        ].contains(kind)
    }
}

extension ExprListSyntax {
    /// Whether a value is assigned to something here: `self.handler = handler`.
    fileprivate func assigns(_ node: Syntax) -> Bool {
        guard count >= 3, let second = dropFirst().first, second.is(AssignmentExprSyntax.self) else { return false }
        return first?.id != node.id
    }
}

extension FunctionCallExprSyntax {
    fileprivate enum Keeping {
        /// It makes an object.
        case object
        /// It puts its argument into a collection, or hands it to another initializer.
        case forGood
    }

    /// Whether a call keeps its arguments, as far as its name tells.
    fileprivate var keeping: Keeping? {
        let member = calledExpression.as(MemberAccessExprSyntax.self)
        let name = member?.declName.baseName.text ?? calledExpression.trimmedDescription
        if name == "init" {
            let base = member?.base?.trimmedDescription
            return base == "self" || base == "super" ? .forGood : .object
        }
        if ["append", "insert", "updateValue"].contains(name) { return .forGood }
        return name.first?.isUppercase == true ? .object : nil
    }
}
