// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import SwiftSyntax

/// How code uses the names of some functions.
struct NameUses {
    /// A call, as far as it tells what it means.
    struct Call: Hashable {
        var labels: [String]
        var hasTrailingClosure: Bool
        /// Whether it has several closures behind it, so that nothing is certain.
        var isUnclear: Bool
    }

    fileprivate(set) var calls: [String: Set<Call>] = [:]
    /// The names that stand for something else than what is called, too.
    fileprivate(set) var mentioned: Set<String> = []
    /// The names that are mentioned with labels: `load(completion:)`.
    fileprivate(set) var labelled: Set<String> = []
    /// The names of variables and parameters.
    fileprivate(set) var variables: Set<String> = []

    init() {}

    mutating func add(_ file: SourceFile, names: Set<String>) {
        let finder = UseFinder(names, self)
        finder.walk(file.tree)
        self = finder.uses
    }

    /// Whether a call may mean a function with these parameters.
    func mayCall(_ name: String, _ parameters: [CallParameter]) -> Bool {
        (calls[name] ?? []).contains { call in
            if call.isUnclear { return true }
            guard call.hasTrailingClosure else { return parameters.take(call.labels) }
            return parameters.indices.contains { index in
                var others = parameters
                others.remove(at: index)
                return others.take(call.labels)
            }
        }
    }

    /// Whether something may be the function itself, and not a call of it.
    func mayName(_ name: String) -> Bool {
        labelled.contains(name) || mentioned.contains(name) && !variables.contains(name)
    }
}

private final class UseFinder: SyntaxVisitor {
    var uses: NameUses
    private let names: Set<String>

    init(_ names: Set<String>, _ uses: NameUses) {
        self.names = names
        self.uses = uses
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.baseName.text
        guard names.contains(name) else { return .visitChildren }
        var callee = ExprSyntax(node)
        if let member = node.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id {
            callee = ExprSyntax(member)
        }
        if node.argumentNames != nil {
            uses.labelled.insert(name)
        } else if let call = callee.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == callee.id {
            let use = NameUses.Call(
                labels: call.arguments.map { $0.label?.text ?? "_" },
                hasTrailingClosure: call.trailingClosure != nil,
                isUnclear: !call.additionalTrailingClosures.isEmpty
            )
            uses.calls[name, default: []].insert(use)
        } else {
            uses.mentioned.insert(name)
        }
        return .visitChildren
    }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        uses.variables.insert(node.identifier.text)
        return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        uses.variables.insert(node.innerName.text)
        return .visitChildren
    }

    override func visit(_ node: ClosureSignatureSyntax) -> SyntaxVisitorContinueKind {
        uses.variables.formUnion(node.parameterNames ?? [])
        return .visitChildren
    }

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        uses.variables.insert(node.name.text)
        return .visitChildren
    }
}
