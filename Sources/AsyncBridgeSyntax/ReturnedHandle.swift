// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// What a twin does with the value that the function with a completion handler returns.
enum ReturnedHandle {
    /// The function returns nothing.
    case none
    /// It is not kept.
    case ignored
    /// It stops the work. The closure for `onCancel:`, in source form.
    case cancelled(String)

    init(of function: FunctionDeclSyntax, _ options: TwinOptions, in surroundings: Surroundings) throws(Refusal) {
        guard let type = function.signature.returnClause?.type, !type.isVoid else {
            if !options.handle.isByType { throw Self.nothingReturned(function, options) }
            self = .none
            return
        }
        let isOptional = type.optionalWrapped != nil
        switch options.handle {
        case .ignored:
            self = .ignored
        case .closure(let closure) where closure.expectsOptional:
            guard isOptional else { throw Self.notOptional(type, closure, options) }
            self = .cancelled(closure.trimmedDescription)
        case .closure(let syntax):
            let closure = syntax.trimmedDescription
            // Not just `(closure)(handle)`: the closure would return what its only expression does, such as a task.
            let call = "\(HubNames.stop)(handle) \(closure)"
            self = .cancelled(isOptional ? "{\n    if let handle = $0 {\n\(call.indented.indented)\n    }\n}" : closure)
        case .byType:
            guard Self.canBeCancelled(type, in: surroundings) else { throw Self.refusal(type, options) }
            // Not just `$0.cancel()`: a type may be called like one that has it.
            let call = "\(HubNames.cancel)(\(isOptional ? "handle" : "$0")) { $0.cancel() }"
            self = .cancelled("{\n    \(isOptional ? "if let handle = $0 { \(call) }" : call)\n}")
        }
    }

    /// Whether values of the type have a method `cancel()`, as far as its name tells.
    private static func canBeCancelled(_ type: TypeSyntax, in surroundings: Surroundings) -> Bool {
        let wrapped = type.optionalWrapped ?? type
        let bare = wrapped.inParentheses ?? wrapped
        let constraint = bare.as(SomeOrAnyTypeSyntax.self)?.constraint ?? bare
        // One of several that a value conforms to is enough.
        if let all = constraint.as(CompositionTypeSyntax.self) {
            return all.elements.contains { self.canBeCancelled($0.type, in: surroundings) }
        }
        let name = constraint.lastName == "Self" ? surroundings.typeName : constraint.lastName
        guard let name, !["URLRequest", "NSURLRequest"].contains(name) else { return false }
        let endings = [
            "Task", "Request", "Operation", "Cancellable", "Cancelable", "CallHandle", "Progress", "WorkItem", "Future",
        ]
        let noun = name.hasSuffix("Protocol") ? name.dropLast("Protocol".count) : Substring(name)
        return endings.contains { noun.hasSuffix($0) }
    }

    private static func refusal(_ type: TypeSyntax, _ options: TwinOptions) -> Refusal {
        let stop = self.proposal(for: type)
        let words = stop.map { "If it stops the work, say how: \($0). " } ?? ""
        return Refusal(
            .returnsOther,
            """
            the function returns '\(type.trimmedDescription)', which the twin cannot return too. \(words)If nobody \
            needs it: .cancel(nil)
            """,
            at: type,
            cures: [stop, ".cancel(nil)"].compactMap(\.self).compactMap(options.cure(adding:))
        )
    }

    /// How a value of the type may stop the work; `nil` for what has no methods for that.
    private static func proposal(for type: TypeSyntax) -> String? {
        let optional = type.optionalWrapped ?? type
        let wrapped = optional.inParentheses ?? optional
        if let function = HandlerType(wrapped)?.function {
            return function.parameters.isEmpty && function.effectSpecifiers == nil ? ".cancel { $0() }" : nil
        }
        let isPlain = wrapped.isKnownToBeSendable || wrapped.is(TupleTypeSyntax.self) || wrapped.isCollection
        return isPlain ? nil : ".cancel { $0.cancel() }"
    }

    private static func nothingReturned(_ function: FunctionDeclSyntax, _ options: TwinOptions) -> Refusal {
        Refusal(
            .argumentDoesNotFit,
            "'\(function.name.text)' returns nothing, so '.cancel' has nothing to stop. Remove it",
            at: options.anchor(or: function.name),
            cures: [options.cure(removing: [".cancel"])].compactMap(\.self)
        )
    }

    private static func notOptional(
        _ type: TypeSyntax,
        _ closure: ClosureExprSyntax,
        _ options: TwinOptions
    ) -> Refusal {
        let name = closure.firstParameter
        // In other closures it may be another one.
        let isAlone = closure.trimmedDescription.count { $0 == "{" } == 1
        let cure = isAlone ? options.cure(writing: "\(name).", insteadOf: "\(name)?.", in: ".cancel") : nil
        return Refusal(
            .argumentDoesNotFit,
            """
            the function returns '\(type.trimmedDescription)', which is not optional: write '\(name).' instead of \
            '\(name)?.'
            """,
            at: options.anchor(or: type),
            cures: [cure].compactMap(\.self)
        )
    }
}

extension ClosureExprSyntax {
    /// What it calls its first parameter.
    fileprivate var firstParameter: String {
        switch self.signature?.parameterClause {
        case .simpleInput(let list): list.first?.name.text ?? "$0"
        case .parameterClause(let clause):
            (clause.parameters.first?.secondName ?? clause.parameters.first?.firstName)?.text ?? "$0"
        case nil: "$0"
        }
    }

    /// Whether it unwraps its first parameter: with `?`, `!`, `if let` or `guard let`.
    fileprivate var expectsOptional: Bool {
        let finder = Unwrapping(of: self.firstParameter)
        finder.walk(self.statements)
        return finder.isFound
    }
}

/// Finds where a name is unwrapped.
private final class Unwrapping: SyntaxVisitor {
    private(set) var isFound = false
    private let name: String

    init(of name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    private func look(at expression: ExprSyntax?) {
        let reference = expression?.withoutParentheses.as(DeclReferenceExprSyntax.self)
        if reference?.baseName.text == self.name { self.isFound = true }
    }

    override func visit(_ node: OptionalChainingExprSyntax) -> SyntaxVisitorContinueKind {
        self.look(at: node.expression)
        return .visitChildren
    }

    override func visit(_ node: ForceUnwrapExprSyntax) -> SyntaxVisitorContinueKind {
        self.look(at: node.expression)
        return .visitChildren
    }

    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        self.look(at: node.initializer?.value)
        let pattern = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        if node.initializer == nil, pattern == self.name { self.isFound = true }
        return .visitChildren
    }

    // `$0` is another one there.
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        self.name.hasPrefix("$") ? .skipChildren : .visitChildren
    }
}

extension TypeSyntax {
    fileprivate var isCollection: Bool { self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) }

    /// The name of a type without its module and its arguments.
    fileprivate var lastName: String? {
        self.as(IdentifierTypeSyntax.self)?.name.text ?? self.as(MemberTypeSyntax.self)?.name.text
    }
}
#endif
