// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import SwiftParser
import SwiftSyntax

/// The functions that a call with a completion handler may mean, and their twins.
///
/// Without a type checker a name and labels decide. So all functions of that name in the package must agree.
package struct TwinCalls: Sendable {
    /// A function that can be called with a closure for its handler.
    struct Callee: Sendable {
        struct Parameter: Sendable {
            var label: String
            var hasDefault: Bool
        }

        var title: String
        /// The parameters but the handler.
        var parameters: [Parameter]
        var handlerLabel: String
        /// Whether the handler may be a trailing closure: it is the last parameter.
        var handlerIsLast: Bool
        /// What callers write instead; `nil` if there is no twin, or none that a closure can be rewritten for.
        var replacement: Replacement?
    }

    /// A twin, as callers see it.
    struct Replacement: Hashable, Sendable {
        var name: String
        var shape: Generator.Completion.Shape
        var returnsValue: Bool
    }

    private var callees: [String: [Callee]] = [:]

    package init(_ plan: Plan) {
        for function in plan.functions where !function.function.isInitializer {
            callees[function.name, default: []].append(Callee(function))
        }
    }

    /// Whether a function of this name has a handler.
    func isKnown(_ name: String) -> Bool { callees[name] != nil }

    /// The functions that a call may mean.
    ///
    /// - Parameters:
    ///   - name: What is called.
    ///   - labels: The labels of its arguments but the handler.
    ///   - handler: The label of the handler; `nil` if it is a trailing closure.
    /// - Returns: None if it means something else.
    func callees(_ name: String, _ labels: [String], handler: String?) -> [Callee] {
        (callees[name] ?? []).filter { callee in
            handler.map { $0 == callee.handlerLabel } ?? callee.handlerIsLast && callee.takes(labels)
        }
    }
}

extension TwinCalls.Callee {
    fileprivate init(_ planned: PlannedFunction) {
        title = planned.title
        let all = planned.function.parameters
        let handler = planned.handlers.first ?? all.count - 1
        parameters = all.indices.filter { $0 != handler }.map { index in
            Parameter(label: all[index].firstName.text, hasDefault: all[index].defaultValue != nil)
        }
        handlerLabel = all[handler].firstName.text
        handlerIsLast = handler == all.count - 1
        replacement = planned.handlers.count == 1 ? TwinCalls.Replacement(planned) : nil
    }

    /// Whether it may be called with these labels.
    func takes(_ labels: [String]) -> Bool {
        var labels = labels[...]
        for parameter in parameters {
            if labels.first == parameter.label {
                labels.removeFirst()
            } else if !parameter.hasDefault {
                return false
            }
        }
        return labels.isEmpty
    }
}

extension TwinCalls.Replacement {
    fileprivate init?(_ planned: PlannedFunction) {
        guard planned.rung.errors == nil, let shape = planned.shape, let twin = planned.twin,
            let function = Parser.parse(source: twin.source).firstFunction
        else { return nil }
        // An argument that the twin does not take could not be passed on.
        let kept = planned.function.parameters.indices.filter { !planned.handlers.contains($0) }
        guard function.signature.parameterClause.parameters.map(\.firstName.text) == kept.map({ planned.labels[$0] })
        else { return nil }
        name = function.name.text
        self.shape = shape
        let returned = function.signature.returnClause?.type.trimmedDescription ?? "Void"
        returnsValue = !["Void", "()", "Swift.Void"].contains(returned)
    }
}

extension SourceFileSyntax {
    /// The function of a twin, which may stand in `#if`.
    fileprivate var firstFunction: FunctionDeclSyntax? {
        let finder = FunctionFinder(viewMode: .sourceAccurate)
        finder.walk(self)
        return finder.found
    }
}

private final class FunctionFinder: SyntaxVisitor {
    var found: FunctionDeclSyntax?

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if found == nil { found = node }
        return .skipChildren
    }
}
