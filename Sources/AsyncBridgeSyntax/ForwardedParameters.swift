// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// The parameters of a twin, and the arguments with which it calls the original.
struct ForwardedParameters {
    /// One parameter.
    struct Parameter {
        let syntax: FunctionParameterSyntax
        /// Its name inside the twin, as an expression mentions it.
        let name: String
    }

    let all: [Parameter]

    /// Chooses names: a parameter without one gets one, and one that hides the function it is given to gets another, as
    /// does the second of one name, which a requirement may have.
    init(
        _ function: FunctionDeclSyntax,
        _ options: TwinOptions,
        in surroundings: Surroundings
    ) throws(Refusal) {
        // What the twin itself mentions by name: also types, and what stands in the macro's arguments.
        var hidden = options.mentions.union(["self", HubNames.module, "Swift"])
        hidden.formUnion(function.signature.mentionedTypes)
        for type in options.aliases.values { hidden.formUnion(type.mentionedTypes) }
        if let delivers = options.delivers { hidden.formUnion(delivers.mentionedTypes) }
        if surroundings.place == .file { hidden.insert(function.name.text.withoutBackticks) }
        var names = Names(taken: function.signature.parameterClause.parameters.map(\.innerName.asIdentifier))
        var all: [Parameter] = []
        var chosen: Set<String> = []
        for parameter in function.signature.parameterClause.parameters {
            try Self.check(parameter)
            // A declaration may say `default` where an expression wants backticks.
            let written = parameter.innerName.asIdentifier
            let isHiding = hidden.union(chosen).contains(written.withoutBackticks)
            let name =
                parameter.innerName == "_" ? names.unique("argument") : isHiding ? names.unique(written) : written
            chosen.insert(name.withoutBackticks)
            all.append(Parameter(syntax: parameter, name: name))
        }
        self.all = all
    }

    /// A name that no parameter of the twin has.
    func unique(_ name: String, without omitted: Set<Int> = []) -> String {
        var names = Names(taken: self.all.enumerated().filter { !omitted.contains($0.offset) }.map(\.element.name))
        return names.unique(name)
    }

    private static func check(_ parameter: FunctionParameterSyntax) throws(Refusal) {
        if let ellipsis = parameter.ellipsis {
            throw Refusal(
                .variadic,
                """
                Swift cannot pass the values of a variadic parameter on. Add an overload that takes an array, and \
                bridge that one
                """,
                at: ellipsis
            )
        }
    }
}

extension ForwardedParameters {
    /// Whether the call mentions an unsafe type, such as `UnsafeRawPointer`, as far as names tell.
    var areUnsafe: Bool {
        self.all.contains { parameter in
            parameter.syntax.type.tokens(viewMode: .sourceAccurate).contains { $0.text.hasPrefix("Unsafe") }
        }
    }
}

extension ForwardedParameters.Parameter {
    /// Whether it belongs to the function alone.
    fileprivate var isSent: Bool { self.syntax.type.hasSpecifier(.sending) && self.syntax.type.keptOften == nil }

    /// The parameter as the twin declares it.
    func declaration(changingTypeTo type: String? = nil) -> String {
        let syntax = self.syntax
        // A property wrapper would wrap what the function wraps again; a result builder is for the caller's closure.
        let isClosure = HandlerType(syntax.type) != nil
        let attributes = syntax.attributes.filter { element in
            isClosure || element.as(AttributeSyntax.self)?.name.hasSuffix("Builder") != false
        }
        var text = attributes.map { $0.trimmedDescription + " " }.joined()
        text += syntax.modifiers.map { $0.trimmedDescription + " " }.joined()
        let isOneName = syntax.firstName.text.withoutBackticks == self.name.withoutBackticks
        text += isOneName ? syntax.firstName.text : "\(syntax.firstName.text) \(self.name)"
        text += ": \(type ?? syntax.type.trimmedDescription)"
        // Some write `=nil`.
        if let value = syntax.defaultValue { text += " = \(value.value.trimmedDescription)" }
        return text
    }

    /// The argument, with its label.
    func argument(_ value: String? = nil) -> String {
        let value = value ?? self.value
        return self.syntax.label.map { "\($0.asLabel): \(value)" } ?? value
    }

    /// What passes the parameter on.
    private var value: String {
        let type = self.syntax.type
        if let handler = HandlerType(type), handler.isAutoclosure {
            let effects = handler.function.effectSpecifiers
            let canThrow = effects?.throwsClause != nil ? "try " : ""
            return canThrow + (effects?.asyncSpecifier != nil ? "await " : "") + "\(self.name)()"
        }
        if type.as(AttributedTypeSyntax.self)?.attributes.contains(named: "autoclosure") == true {
            return "\(self.name)()"
        }
        if type.isInout { return "&\(self.name)" }
        // The closure in which the call is runs once, and nothing else has the value.
        if self.isSent { return "unsafe \(HubNames.sending)(\(self.name))" }
        if type.is(PackExpansionTypeSyntax.self) { return "repeat each \(self.name)" }
        return self.name
    }
}

extension TypeSyntax {
    /// Whether a parameter of the type is passed with `&`.
    var isInout: Bool { self.hasSpecifier(.inout) }

    func hasSpecifier(_ keyword: Keyword) -> Bool {
        self.as(AttributedTypeSyntax.self)?.specifiers.contains { $0.isSpecifier(keyword) } ?? false
    }
}

extension TypeSpecifierListSyntax.Element {
    func isSpecifier(_ keyword: Keyword) -> Bool {
        self.as(SimpleTypeSpecifierSyntax.self)?.specifier.tokenKind == .keyword(keyword)
    }
}

/// Names that are in use.
struct Names {
    private var taken: Set<String>

    init(taken: [String]) { self.taken = Set(taken) }

    /// The name, with a number if it is in use; from now on in use.
    mutating func unique(_ name: String) -> String {
        var candidate = name
        var number = 1
        while self.taken.contains(candidate) {
            candidate = name.withSuffix("\(number)")
            number += 1
        }
        self.taken.insert(candidate)
        return candidate
    }
}
#endif
