// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// The functions that a call with a completion handler may mean, and their twins.
///
/// Without a type checker a name and labels decide. So all functions of that name in the package must agree.
package struct TwinCalls: Sendable {
    /// A function that can be called with a closure for its handler.
    struct Callee: Sendable {
        var title: String
        /// The type that declares it, or an extension of it; empty for none.
        var type: String
        /// The parameters but the handler.
        var parameters: [CallParameter]
        var handlerLabel: String
        /// Whether the handler may be a trailing closure: it is the last parameter.
        var handlerIsLast: Bool
        /// The labels of its handlers, if there is one for each answer.
        var severalLabels: [String]
        /// Whether it overrides another one, whose twin calls it.
        var isOverride: Bool
        /// What callers write instead; `nil` if there is no twin, or none that a closure can be rewritten for.
        var replacement: TwinReplacement?
    }

    private var callees: [String: [Callee]] = [:]

    package init(_ plan: Plan) {
        // What has the twin of another function is called as that one.
        var written: [String: TwinReplacement] = [:]
        var overloads: [String: [TwinReplacement?]] = [:]
        for function in plan.functions where function.isTwin && function.handlers.count == 1 {
            let replacement = TwinReplacement(function)
            written[function.title] = replacement
            overloads[function.identity(in: function.title), default: []].append(replacement)
        }
        // Callers of one of several that differ only in what they return would get any of them.
        for (identity, all) in overloads where Set(all.map { $0?.returned }).count > 1 { overloads[identity] = [nil] }
        for function in plan.functions where !function.function.isInitializer {
            callees[function.name, default: []].append(Callee(function, written, overloads))
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
        let all = (callees[name] ?? []).filter { callee in
            guard callee.severalLabels.isEmpty else { return false }
            return handler.map { $0 == callee.handlerLabel } ?? callee.handlerIsLast && callee.parameters.take(labels)
        }
        let originals = all.filter { !$0.isOverride }
        return originals.isEmpty ? all : originals
    }

    /// The functions with a handler for each answer that a call may mean.
    func calleesWithSeveralHandlers(_ call: FunctionCallExprSyntax) -> [Callee] {
        guard let name = call.calleeName?.text else { return [] }
        let labels = call.arguments.map { $0.label?.text ?? "_" }
        // The first trailing closure has no label.
        let trailing = call.additionalTrailingClosures.map(\.label.text)
        let count = call.trailingClosure == nil ? 0 : 1 + trailing.count
        return (callees[name] ?? []).filter { callee in
            let handlers = callee.severalLabels
            guard handlers.count >= max(count, 2), Array(handlers.suffix(trailing.count)) == trailing else {
                return false
            }
            var given = labels
            for label in handlers.dropLast(count) {
                guard let index = given.lastIndex(of: label) else { return false }
                given.remove(at: index)
            }
            return callee.parameters.take(given)
        }
    }
}

extension TwinCalls.Callee {
    fileprivate init(
        _ planned: PlannedFunction,
        _ written: [String: TwinReplacement],
        _ overloads: [String: [TwinReplacement?]]
    ) {
        title = planned.title
        type = planned.function.context.typeName
        let all = planned.function.parameters
        let handler = planned.handlers.first ?? all.count - 1
        let several = planned.handlers.count > 1 ? planned.handlers : []
        severalLabels = several.map { all[$0].firstName.text }
        parameters = all.indices.filter { $0 != handler && !several.contains($0) }.map { CallParameter(all[$0]) }
        handlerLabel = all[handler].firstName.text
        handlerIsLast = handler == all.count - 1
        isOverride = planned.function.node.modifiers.contains { $0.name.text == "override" }
        switch planned.decision {
        case .twin: replacement = overloads[planned.identity(in: planned.title)]?.first ?? nil
        case .existing(let title, isNear: false):
            replacement = planned.handlers.count == 1 ? TwinReplacement(existing: planned) ?? written[title] : nil
        case .inherited(let title): replacement = overloads[planned.identity(in: title)]?.first ?? nil
        case .existing(_, isNear: true), .hidden, .severalShots, .refused: replacement = nil
        }
    }
}

/// A parameter, as callers see it.
struct CallParameter: Sendable {
    var label: String
    var hasDefault: Bool

    init(_ parameter: FunctionParameterSyntax) {
        label = parameter.firstName.text
        hasDefault = parameter.defaultValue != nil
    }
}

extension [CallParameter] {
    /// Whether a function with them may be called with these labels.
    func take(_ labels: [String]) -> Bool {
        var labels = labels[...]
        for parameter in self {
            if labels.first == parameter.label {
                labels.removeFirst()
            } else if !parameter.hasDefault {
                return false
            }
        }
        return labels.isEmpty
    }
}
