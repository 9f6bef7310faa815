// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension TypeSyntax {
    /// Whether `sending` would say nothing: a value of the standard library.
    var isKnownToBeSendable: Bool {
        if let wrapped = self.optionalWrapped ?? self.as(ArrayTypeSyntax.self)?.element {
            return wrapped.isKnownToBeSendable
        }
        if let tuple = self.as(TupleTypeSyntax.self) { return tuple.elements.allSatisfy(\.type.isKnownToBeSendable) }
        let names = [
            "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
            "Bool", "String", "Character", "Duration", "Data", "Date", "URL", "UUID",
        ]
        return names.contains(self.nameInSwift)
    }

    /// Whether values of the type can be copied, as far as it tells: of a name alone nobody knows.
    func isCopyable(withGenerics names: [String]) -> Bool {
        if let wrapped = self.optionalWrapped ?? self.inParentheses { return wrapped.isCopyable(withGenerics: names) }
        switch self.kind {
        case .arrayType, .dictionaryType, .tupleType, .functionType, .metatypeType: return true
        case .someOrAnyType: return !self.description.contains("~")
        default: return self.isKnownToBeSendable || names.contains(self.trimmedDescription)
        }
    }

    /// The type of a parameter that one task uses later: `nil` if it may stay as it is.
    var keptOnce: String? {
        self.keptOften ?? (self.mayBeSent ? "sending \(self.trimmedDescription)" : nil)
    }

    /// The type of a parameter that is kept, perhaps for several tasks: a closure escapes.
    ///
    /// It is `nil` for others.
    var keptOften: String? {
        var type = self
        var specifiers: [String] = []
        var attributes: [AttributeListSyntax] = []
        // In parentheses an attribute would not be that of the closure.
        while true {
            if let attributed = type.as(AttributedTypeSyntax.self) {
                specifiers += attributed.specifiers.map(\.trimmedDescription)
                attributes.append(attributed.attributes)
                type = attributed.baseType
            } else if let inner = type.inParentheses {
                type = inner
            } else {
                break
            }
        }
        guard type.is(FunctionTypeSyntax.self) else { return nil }
        let missing = ["escaping", "Sendable"].filter { name in !attributes.contains { $0.contains(named: name) } }
        let words = specifiers + missing.map { "@" + $0 } + attributes.joined().map(\.trimmedDescription)
        return (words + [type.trimmedDescription]).joined(separator: " ")
    }

    /// Whether `sending` may stand in front of the type, and says something.
    private var mayBeSent: Bool {
        guard let attributed = self.as(AttributedTypeSyntax.self) else {
            return !self.is(PackExpansionTypeSyntax.self) && !self.isKnownToBeSendable
        }
        return attributed.specifiers.isEmpty && attributed.attributes.isEmpty
    }
}

extension TypeSyntax {
    /// The type of a value that is stored and returned: without `sending`, and `T?` for `T!`.
    var asValue: TypeSyntax {
        if let implicit = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return TypeSyntax(OptionalTypeSyntax(wrappedType: implicit.wrappedType))
        }
        guard let attributed = self.as(AttributedTypeSyntax.self), attributed.attributes.isEmpty else { return self }
        return attributed.baseType.asValue
    }
}

/// Gives `Self` a name: the parameter of a closure cannot be of a class's own type.
final class SelfNaming: SyntaxRewriter {
    private let name: String

    init(_ name: String) { self.name = name }

    override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
        guard node.name.text == "Self" else { return super.visit(node) }
        return TypeSyntax(node.with(\.name, .identifier(self.name)))
    }
}

/// Writes `Swift.Void` for `()`, which is a value where an expression may stand.
final class VoidNaming: SyntaxRewriter {
    override func visit(_ node: TupleTypeSyntax) -> TypeSyntax {
        guard node.elements.isEmpty else { return super.visit(node) }
        return .parsed(HubNames.void)
    }
}

extension TypeSyntax {
    /// The type of a value that may be missing, in source form.
    var optional: String {
        let text = self.trimmedDescription
        switch self.kind {
        case .identifierType, .memberType, .tupleType, .arrayType, .dictionaryType, .optionalType: return text + "?"
        default: return "(\(text))?"
        }
    }

    func naming(_ name: String?) -> TypeSyntax {
        name.map { SelfNaming($0).rewrite(self).cast(TypeSyntax.self) } ?? self
    }

    /// The type as an expression may mention it.
    var inExpression: TypeSyntax { VoidNaming().rewrite(self).cast(TypeSyntax.self) }
}
#endif
