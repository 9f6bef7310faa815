// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Where a file stores continuations, by what it declares: names need not say so.
final class StoredContinuations: SyntaxVisitor {
    /// Properties with one.
    private(set) var properties: Set<String> = []
    /// Properties with several.
    private(set) var collections: Set<String> = []
    /// Cases of enumerations, and which of their values is one.
    private(set) var cases: [String: Set<Int>] = [:]
    private let knowledge: Knowledge

    init(in file: SourceFile, _ knowledge: Knowledge) {
        self.knowledge = knowledge
        super.init(viewMode: .sourceAccurate)
        let types = ["CheckedContinuation", "UnsafeContinuation"] + knowledge.continuationTypes
        if file.identifiers.contains(anyOf: types, in: file.tree) { walk(file.tree) }
    }

    /// Names of properties and cases of which something is taken out.
    var names: Set<String> { properties.union(collections).union(cases.keys) }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.is(MemberBlockItemSyntax.self) == true else { return .visitChildren }
        for binding in node.bindings {
            guard let annotation = binding.typeAnnotation?.type, let type = ContinuationType(annotation, knowledge),
                let name = binding.pattern.boundNames.first
            else { continue }
            if type.isCollection { collections.insert(name) } else { properties.insert(name) }
        }
        return .visitChildren
    }

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        for (index, parameter) in (node.parameterClause?.parameters ?? []).enumerated() {
            guard let type = ContinuationType(parameter.type, knowledge), !type.isCollection else { continue }
            cases[node.name.text, default: []].insert(index)
        }
        return .skipChildren
    }

    /// The names that a pattern gives continuations.
    func bound(by pattern: PatternSyntax) -> [String] {
        let named = pattern.boundNames.filter { Names.isContinuation($0) }
        return named + typed(pattern).filter { !named.contains($0) }
    }

    private func typed(_ pattern: PatternSyntax) -> [String] {
        if let binding = pattern.as(ValueBindingPatternSyntax.self) { return typed(binding.pattern) }
        guard let call = pattern.as(ExpressionPatternSyntax.self)?.expression.as(FunctionCallExprSyntax.self),
            let name = call.calledName, let places = cases[name]
        else { return [] }
        return call.arguments.enumerated().flatMap { index, argument -> [String] in
            guard places.contains(index), let pattern = argument.expression.as(PatternExprSyntax.self)?.pattern else {
                return []
            }
            return pattern.boundNames
        }
    }
}
