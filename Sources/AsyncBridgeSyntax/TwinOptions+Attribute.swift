// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftParser
public import SwiftSyntax

extension TwinOptions {
    /// Reads the arguments of `@Bridged` or `@BridgedAs`.
    ///
    /// They have the types that the macro declares, and must be written in place.
    ///
    /// - Throws: ``Refusal``, for what is not written as the guide shows.
    public init(_ attribute: AttributeSyntax) throws(Refusal) {
        self.init()
        self.attribute = attribute
        guard case .argumentList(let arguments)? = attribute.arguments else { return }
        var rest = Array(arguments)
        if attribute.name == HubNames.bridgedAs, !rest.isEmpty {
            self.name = try Self.name(rest.removeFirst().expression)
        }
        for argument in rest {
            try self.read(argument)
            self.mentions.formUnion(argument.expression.mentionedNames)
        }
    }

    private mutating func read(_ argument: LabeledExprSyntax) throws(Refusal) {
        let value = argument.expression
        switch argument.label?.text {
        case nil: try self.read(option: value)
        case "delivers": self.delivers = try Self.functionType(value)
        case "aliases": self.aliases = try Self.aliases(value)
        case "ifInterrupted": self.ifInterrupted = value.trimmedDescription
        case "timeout": self.timeout = value.trimmedDescription
        case "completion": self.completion = try Self.text(value)
        case let label?: throw Self.unknown(label, at: argument)
        }
    }

    private mutating func read(option: ExprSyntax) throws(Refusal) {
        if let call = option.as(FunctionCallExprSyntax.self), Self.memberName(call.calledExpression) == "cancel" {
            try self.readCancel(call)
            return
        }
        switch Self.memberName(option) {
        case "unchecked": self.isUnchecked = true
        case "nonsending": self.isNonsending = true
        case "cooperative": self.isCooperative = true
        case "optional": self.nilIsAnswer = true
        case "future": self.addsFuture = true
        case "publisher": self.addsPublisher = true
        case "values": self.hasValuesOnly = true
        case "asyncSuffix": self.hasSuffix = true
        default: throw Self.unknown(option.trimmedDescription, at: option)
        }
    }

    private mutating func readCancel(_ call: FunctionCallExprSyntax) throws(Refusal) {
        if let closure = call.trailingClosure ?? call.arguments.first?.expression.as(ClosureExprSyntax.self) {
            self.handle = .closure(closure.trimmed)
        } else if call.arguments.first?.expression.is(NilLiteralExprSyntax.self) == true {
            self.handle = .ignored
        } else {
            throw Refusal(
                .unknownArgument,
                "the twin contains the closure itself: write '.cancel { $0.stop() }' with a closure, or '.cancel(nil)'",
                at: call
            )
        }
    }

    /// The name behind the point in `.unchecked`, or in `DelegateOption.unchecked`.
    static func memberName(_ expression: ExprSyntax) -> String? {
        expression.withoutParentheses.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }

    static func text(_ expression: ExprSyntax) throws(Refusal) -> String {
        guard let text = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            throw Refusal(.unknownArgument, "a name is a string literal, without interpolation", at: expression)
        }
        return text
    }

    private static func name(_ expression: ExprSyntax) throws(Refusal) -> String {
        let name = try self.text(expression)
        let plain = "`\(name)`"
        guard name.isValidSwiftIdentifier(for: .memberAccess) || plain.isValidSwiftIdentifier(for: .memberAccess),
            name.first.map({ $0.isLetter || $0 == "_" || !$0.isASCII }) == true,
            name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || !$0.isASCII })
        else {
            throw Refusal(
                .unknownArgument,
                "'\(name)' is no name: write one of letters, digits and '_', without labels",
                at: expression
            )
        }
        return name.asIdentifier
    }

    /// The pairs of `["Handler": ((User?, (any Error)?) -> Void).self]`.
    static func aliases(_ expression: ExprSyntax) throws(Refusal) -> [String: TypeSyntax] {
        guard let dictionary = expression.as(DictionaryExprSyntax.self) else {
            throw Refusal(
                .unknownArgument,
                "'aliases:' wants names and what they stand for: [\"Handler\": ((User?, (any Error)?) -> Void).self]",
                at: expression
            )
        }
        guard case .elements(let elements) = dictionary.content else { return [:] }
        var aliases: [String: TypeSyntax] = [:]
        for element in elements {
            guard let type = self.type(element.value) else {
                throw self.noType("type", at: element.value)
            }
            let function = HandlerType(type).map { TypeSyntax($0.function) }
            aliases[try self.text(element.key)] = function ?? type
        }
        return aliases
    }

    /// The type in `((User?, (any Error)?) -> Void).self`, which a parser takes for an expression, or in a text.
    ///
    /// Why a text: the compiler (6.3) crashes at a generic parameter in an attribute.
    private static func type(_ expression: ExprSyntax) -> TypeSyntax? {
        let source: String
        if let text = try? self.text(expression) {
            source = text
        } else if let member = expression.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "self",
            let base = member.base
        {
            source = base.trimmedDescription
        } else {
            return nil
        }
        var parser = Parser(source)
        let type = TypeSyntax.parse(from: &parser)
        guard !type.hasError, type.trimmedDescription == source.trimmed, !source.trimmed.isEmpty else { return nil }
        return type
    }

    private static func functionType(_ expression: ExprSyntax) throws(Refusal) -> FunctionTypeSyntax {
        if let type = self.type(expression).flatMap({ HandlerType($0) }) { return type.function }
        throw self.noType("function type", at: expression)
    }

    private static func noType(_ kind: String, at expression: ExprSyntax) -> Refusal {
        Refusal(
            .argumentDoesNotFit,
            """
            here stands the \(kind) that the alias is for, as in ((User?, (any Error)?) -> Void).self, or as a text: \
            "(User?, (any Error)?) -> Void"
            """,
            at: expression
        )
    }

    private static func unknown(_ argument: String, at anchor: some SyntaxProtocol) -> Refusal {
        Refusal(
            .unknownArgument,
            """
            '\(argument)' is not written as the macro can read it. It sees only what stands here: \
            .cancel { … }, .unchecked, .nonsending, .cooperative, .optional, .values, .asyncSuffix, .future, .publisher
            """,
            at: anchor
        )
    }
}
#endif
