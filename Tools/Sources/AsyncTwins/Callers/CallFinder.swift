// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// A call of a function that may have a twin.
struct FoundCall {
    let call: FunctionCallExprSyntax
    /// The handler, if it is a closure.
    let closure: ClosureExprSyntax?
    /// The continuation that waits for nothing but the call.
    let wrap: ContinuationWrap?
    /// The functions that it may mean.
    let callees: [TwinCalls.Callee]
    /// The labels of its arguments but the handler.
    let labels: [String]

    /// What is called instead.
    ///
    /// - Throws: Why there is nothing.
    func twin() throws(CallPosition.Obstacle) -> TwinReplacement {
        if callees.contains(where: { !$0.severalLabels.isEmpty }) {
            throw CallPosition.Obstacle(reason: .severalHandlers)
        }
        let replacements = callees.compactMap(\.replacement)
        guard let twin = replacements.first else { throw CallPosition.Obstacle(reason: .noTwin) }
        guard replacements.count == callees.count, replacements.allSatisfy(twin.isWritten) else {
            throw CallPosition.Obstacle(reason: .otherFunctions)
        }
        // The twin would call itself for ever.
        var node = Syntax(call).parent
        while let current = node {
            if let function = current.as(FunctionDeclSyntax.self), function.name.text == twin.name,
                function.signature.parameterClause.parameters.map(CallParameter.init).take(labels)
            {
                throw CallPosition.Obstacle(reason: .inTwin)
            }
            node = current.parent
        }
        return twin
    }
}

/// Finds the calls of functions that may have twins.
final class CallFinder: SyntaxVisitor {
    private(set) var found: [FoundCall] = []
    private let calls: TwinCalls
    /// The calls that were found with the continuations around them.
    private var wrapped: Set<SyntaxIdentifier> = []

    init(_ calls: TwinCalls) {
        self.calls = calls
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let wrap = ContinuationWrap(node) {
            add(wrap.call, handler: wrap.handler, wrap)
            wrapped.insert(wrap.call.id)
        } else if !wrapped.contains(node.id) {
            // The handler is the last argument, as everywhere, or the only closure.
            let closures = node.arguments.map(\.expression).filter { $0.is(ClosureExprSyntax.self) }
            let handler = node.trailingClosure.map(ExprSyntax.init) ?? closures.last ?? node.arguments.last?.expression
            if let handler { add(node, handler: handler, nil) }
        }
        return .visitChildren
    }

    private func add(_ call: FunctionCallExprSyntax, handler: ExprSyntax, _ wrap: ContinuationWrap?) {
        guard let name = call.calleeName?.text, calls.isKnown(name) else { return }
        let several = calls.calleesWithSeveralHandlers(call)
        if !several.isEmpty {
            let closure = handler.as(ClosureExprSyntax.self)
            found.append(FoundCall(call: call, closure: closure, wrap: wrap, callees: several, labels: []))
            return
        }
        guard call.additionalTrailingClosures.isEmpty else { return }
        var labels = call.arguments.map { $0.label?.text ?? "_" }
        var handlerLabel: String?
        if let index = Array(call.arguments).firstIndex(where: { $0.expression.id == handler.id }) {
            handlerLabel = labels.remove(at: index)
        }
        var callees = calls.callees(name, labels, handler: handlerLabel)
        if call.isOfSelf {
            let type = call.enclosingType
            let own = callees.filter { $0.type == type }
            if !own.isEmpty { callees = own }
        }
        guard !callees.isEmpty else { return }
        let closure = handler.as(ClosureExprSyntax.self)
        found.append(FoundCall(call: call, closure: closure, wrap: wrap, callees: callees, labels: labels))
    }
}

extension FunctionCallExprSyntax {
    /// The name of what is called.
    var calleeName: TokenSyntax? {
        if let member = calledExpression.as(MemberAccessExprSyntax.self) { return member.declName.baseName }
        return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName
    }

    /// Whether it calls a method of `self`, or a function.
    fileprivate var isOfSelf: Bool {
        guard let member = calledExpression.as(MemberAccessExprSyntax.self) else { return true }
        return member.base.map { ["self", "Self"].contains($0.trimmedDescription) } ?? false
    }

    /// The name of the type around, with those around that; empty for none.
    fileprivate var enclosingType: String {
        var names: [String] = []
        var node = parent
        while let current = node {
            if let declaration = current.as(ExtensionDeclSyntax.self) {
                names.insert(contentsOf: declaration.extendedType.path, at: 0)
            } else if let group = current.asProtocol((any DeclGroupSyntax).self),
                let name = group.asProtocol((any NamedDeclSyntax).self)?.name
            {
                names.insert(name.text, at: 0)
            }
            node = current.parent
        }
        return names.joined(separator: ".")
    }
}
