// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// A method of a delegate whose body the macro writes: it passes on what it is called with.
struct DelegateMethod {
    /// What happens to a call.
    enum Kind {
        /// It becomes an element of `events`.
        case event
        /// It answers the one who waits in a slot.
        case reply
    }

    /// A value that is passed on.
    struct Value {
        let name: String
        let label: String?
        let type: String
        /// What passes it on.
        let expression: String
    }

    let kind: Kind
    /// The function itself.
    let function: FunctionDeclSyntax
    /// Where it is compiled.
    let conditions: [Condition]
    /// The name of the case, or of the slot.
    private(set) var name: String
    /// Longer names, for when another method is called like this one.
    private var longerNames: [String]
    /// The parameters, without the sender.
    let values: [Value]

    init(_ member: ConditionalFunction) throws(Refusal) {
        let function = member.declaration
        try Self.checkThatItOnlyTells(function)
        let parameters = Array(function.signature.parameterClause.parameters)
        for parameter in parameters { try Self.check(parameter, of: function) }
        let hasSender = Self.hasSender(parameters, function.name.text)
        let passed = hasSender ? Array(parameters.dropFirst()) : parameters
        for parameter in passed { try Self.checkThatItMayBeStored(parameter) }
        self.function = function
        self.conditions = member.conditions
        self.kind = function.attributes.contains(named: HubNames.delegateReply) ? .reply : .event
        let names = DelegateNames(function.name.text, passed, hasSender: hasSender, self.kind)
        self.name = names.all[0]
        self.longerNames = Array(names.all.dropFirst())
        self.values = passed.enumerated().map { index, parameter in
            let name = parameter.innerName.asIdentifier
            return Value(
                name: name,
                label: index == names.label ? nil : parameter.label,
                type: parameter.type.asStored,
                // What is borrowed is not copied by itself.
                expression: parameter.type.hasSpecifier(.borrowing) ? "copy \(name)" : name
            )
        }
    }

    /// Whether the first parameter is the object that calls its delegate.
    private static func hasSender(_ parameters: [FunctionParameterSyntax], _ name: String) -> Bool {
        guard let first = parameters.first, first.label == nil, !first.type.isKnownToBeSendable else { return false }
        // `reader(_ reader: Reader, didReach position: Int)`, but `didReach(_ position: Position, at time: Date)`.
        if parameters.count > 1 { return !DelegateNames.beginsWithEvent(name) }
        // `readerDidStart(_ reader: Reader)`, `pickerDidCancel(_ picker: Controller)`, but `didReach(_ place: Place)`.
        let name = name.withoutBackticks
        let parameter = first.innerName.withoutBackticks
        if name.hasPrefix(parameter), name.dropFirst(parameter.count).first?.isUppercase == true { return true }
        let ends = first.type.trimmedDescription.lowercased().suffixes
        return ends.contains { $0.count > 3 && name.lowercased().hasPrefix($0) }
    }

    /// Whether it was made for the function.
    func isFor(_ function: FunctionDeclSyntax) -> Bool {
        self.function.signature(named: self.function.name.text) == function.signature(named: function.name.text)
            && self.function.identityAsWritten == function.identityAsWritten
    }

    /// Whether both have one name where both are compiled.
    func isCalledLike(_ other: DelegateMethod) -> Bool {
        self.name == other.name && !self.conditions.excludes(other.conditions)
    }

    /// Takes the next name.
    ///
    /// - Returns: Whether there was another one.
    mutating func takeLongerName() -> Bool {
        guard !self.longerNames.isEmpty else { return false }
        self.name = self.longerNames.removeFirst()
        return true
    }

    // MARK: Source

    /// The case of the enum, as in `case didReach(Int)`.
    var caseSource: String {
        guard !self.values.isEmpty else { return "case \(self.name)" }
        let values = self.values.map { value in value.label.map { "\($0): \(value.type)" } ?? value.type }
        return "case \(self.name)(\(values.joined(separator: ", ")))"
    }

    /// The statement that makes the element or the answer.
    func body(calling name: String, unchecked: Bool) -> String {
        let value: String
        switch self.kind {
        case .event:
            let arguments = self.values.map { value in
                value.label.map { "\($0.asLabel): \(value.expression)" } ?? value.expression
            }
            value = ".\(name)" + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
        case .reply:
            value =
                self.values.count == 1
                ? self.values[0].expression : "(\(self.values.map(\.expression).joined(separator: ", ")))"
        }
        guard self.kind == .event else { return "self.\(name).resume(returning: \(value))" }
        let sinks = "self.\(HubNames.delegateSinks)"
        return unchecked ? "unsafe \(sinks).yield(unchecked: \(value))" : "\(sinks).yield(\(value))"
    }

    /// The type of a slot's value.
    var valueType: String {
        switch self.values.count {
        case 0: HubNames.void
        case 1: self.values[0].type
        default: "(\(self.values.map(\.type).joined(separator: ", ")))"
        }
    }
}

extension TypeSyntax {
    /// The type as that of a stored value: a closure there is escaping anyway.
    fileprivate var asStored: String {
        if let implicit = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return implicit.wrappedType.optional }
        if let inner = self.inParentheses, HandlerType(inner) != nil { return inner.asStored }
        guard var attributed = self.as(AttributedTypeSyntax.self) else { return self.trimmedDescription }
        attributed.specifiers = attributed.specifiers.filter { element in
            ![Keyword.sending, .consuming, .borrowing].contains { element.isSpecifier($0) }
        }
        attributed.attributes = attributed.attributes.filter { $0.as(AttributeSyntax.self)?.name != "escaping" }
        let isBare = attributed.attributes.isEmpty && attributed.specifiers.isEmpty
        let text = isBare ? attributed.baseType.trimmedDescription : attributed.trimmedDescription
        return attributed.baseType.is(FunctionTypeSyntax.self) ? "(\(text))" : text
    }
}

extension String {
    fileprivate var suffixes: [Substring] { self.indices.map { self[$0...] } }
}
#endif
