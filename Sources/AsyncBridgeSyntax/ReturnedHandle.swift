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
        case .closure(let closure) where closure.contains("$0?"):
            guard isOptional else { throw Self.notOptional(type, options) }
            self = .cancelled(closure)
        case .closure(let closure):
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

    private static func notOptional(_ type: TypeSyntax, _ options: TwinOptions) -> Refusal {
        Refusal(
            .argumentDoesNotFit,
            "the function returns '\(type.trimmedDescription)', which is not optional: write '$0.' instead of '$0?.'",
            at: options.anchor(or: type),
            cures: [options.cure(writing: "$0.", insteadOf: "$0?.", in: ".cancel")].compactMap(\.self)
        )
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
