// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import SwiftSyntax

/// Where the body of a function takes a handler: into a property, or to a function that calls closures many times.
struct HandlerFlow {
    private(set) var isStored = false
    /// The function that may call it many times.
    private(set) var repeating: String?

    init(of handler: String, in function: FunctionDeclSyntax, _ apis: APITable, repeating: Set<String>) {
        guard let body = function.body else { return }
        let finder = FlowFinder(handler, apis, repeating)
        finder.walk(body)
        isStored = finder.isStored
        self.repeating = finder.repeatingName
    }
}

private final class FlowFinder: SyntaxVisitor {
    var isStored = false
    var repeatingName: String?
    private let handler: String
    private let apis: APITable
    private let repeating: Set<String>

    init(_ handler: String, _ apis: APITable, _ repeating: Set<String>) {
        self.handler = handler
        self.apis = apis
        self.repeating = repeating
        super.init(viewMode: .sourceAccurate)
    }

    /// Whether an expression is the handler itself.
    private func isHandler(_ expression: ExprSyntax) -> Bool {
        expression.as(DeclReferenceExprSyntax.self)?.baseName.text == handler
    }

    /// Whether an expression is the handler, or a closure or a value that holds it.
    private func holdsHandler(_ expression: ExprSyntax) -> Bool {
        expression.tokens(viewMode: .sourceAccurate).contains { $0.text == handler }
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node.elements)
        if elements.count >= 3, elements[1].is(AssignmentExprSyntax.self), isProperty(elements[0]) {
            let values = elements[2...]
            // `self.handler = handler`, and `self.handler = { … handler(…) }`, but not `self.task = start(handler)`.
            if values.contains(where: { isHandler($0) || $0.is(ClosureExprSyntax.self) && holdsHandler($0) }) {
                isStored = true
            }
        }
        return .visitChildren
    }

    private func isProperty(_ expression: ExprSyntax) -> Bool {
        expression.is(MemberAccessExprSyntax.self) || expression.is(SubscriptCallExprSyntax.self)
            || expression.is(DeclReferenceExprSyntax.self) || expression.is(OptionalChainingExprSyntax.self)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let (name, receiver) = node.calledName
        guard let name else { return .visitChildren }
        let arguments = node.arguments.map { (label: $0.label?.text, value: $0.expression) }
        if ["append", "insert", "push", "enqueue", "updateValue"].contains(name),
            arguments.contains(where: { holdsHandler($0.value) })
        {
            isStored = true
        }
        let closures =
            ([node.trailingClosure] + node.additionalTrailingClosures.map(\.closure)).compactMap(\.self)
            .map { ExprSyntax($0) }
        let handlers = (arguments + closures.map { (nil, $0) }).filter { _, value in
            isHandler(value) || value.is(ClosureExprSyntax.self) && holdsHandler(value)
        }
        for (label, value) in handlers {
            let use = apis.use(of: name, on: receiver, label: label)
            // What a closure does in a loop, the paths tell.
            guard use == .many || use == .loop && isHandler(value) || repeating.contains(name) else { continue }
            repeatingName = repeatingName ?? name
        }
        return .visitChildren
    }
}

extension FunctionCallExprSyntax {
    /// The name of what is called, and that of its receiver.
    fileprivate var calledName: (name: String?, receiver: String?) {
        if let member = calledExpression.as(MemberAccessExprSyntax.self) {
            return (member.declName.baseName.text, member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text)
        }
        return (calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text, nil)
    }
}
