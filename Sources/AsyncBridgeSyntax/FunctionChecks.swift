// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension FunctionDeclSyntax {
    var isAsync: Bool { self.signature.effectSpecifiers?.asyncSpecifier != nil }

    var canThrow: Bool {
        guard let clause = self.signature.effectSpecifiers?.throwsClause else { return false }
        return clause.type?.nameInSwift != "Never"
    }

    /// Whether it runs on no actor of its own, whatever it is a member of.
    var isOutsideOfActors: Bool { self.has(.nonisolated) || self.attributes.contains(named: "concurrent") }

    func has(_ keyword: Keyword) -> Bool { self.modifiers.contains { $0.name.tokenKind == .keyword(keyword) } }

    /// Refuses what has no twin, whatever it calls back with.
    func checkThatItMayHaveATwin(_ options: TwinOptions, in surroundings: Surroundings) throws(Refusal) {
        try self.checkPlace(options, in: surroundings)
        if let attribute = self.attributes.written.first(where: \.forbidsUse) {
            let message = "nothing may call '\(self.name.text)', so its twin could not either"
            throw Refusal(.unavailable, message, at: attribute)
        }
        if self.has(.distributed) {
            throw Refusal(.distributed, "a distributed function is async for its callers already", at: self.name)
        }
        if self.has(.optional) {
            throw Refusal(
                .optionalRequirement,
                "a type may leave '\(self.name.text)' out, and then nothing would answer. Write the bridge by hand",
                at: self.name
            )
        }
        try self.checkOwnership()
        guard case .identifier = self.name.tokenKind else {
            throw Refusal(.operatorFunction, "an operator has no twin: give the function a name", at: self.name)
        }
    }

    /// The twin calls the function out of a closure, and a closure cannot give away what it has from outside.
    private func checkOwnership() throws(Refusal) {
        let message = """
            Swift lets no closure pass on what is 'consuming' or 'borrowing', and the twin makes its call in one. \
            Write an overload without, and bridge that one; if the value cannot be copied, let it take a final class \
            that holds it
            """
        let consuming: [Keyword] = [.consuming, .__consuming]
        if let modifier = self.modifiers.first(where: { word in
            consuming.contains { word.name.tokenKind == .keyword($0) }
        }) {
            throw Refusal(.ownership, message, at: modifier)
        }
        for parameter in self.signature.parameterClause.parameters {
            let words: [Keyword] = [.consuming, .borrowing]
            guard words.contains(where: parameter.type.hasSpecifier) else { continue }
            throw Refusal(.ownership, message, at: parameter.type)
        }
    }

    private func checkPlace(_ options: TwinOptions, in surroundings: Surroundings) throws(Refusal) {
        if surroundings.place == .function {
            throw Refusal(
                .local,
                "a twin beside a local function could not be called. Move '\(self.name.text)' out of the function",
                at: self.name
            )
        }
        if let module = surroundings.hiddenModule {
            throw Refusal(
                .hiddenModule,
                """
                the type '\(module)' around it hides the module '\(module)', which the twin mentions. Rename the type, \
                or move the function out of it
                """,
                at: self.name
            )
        }
        guard let override = self.modifiers.first(where: { $0.name.tokenKind == .keyword(.override) }) else { return }
        throw Refusal(
            .overriding,
            """
            bridge the function of the superclass instead: its twin is inherited, and calls this override
            """,
            at: override
        )
    }

    /// What tells overloads apart: the name, the labels, and the types as they are written.
    ///
    /// What it returns counts only if callers must say it anyway: nothing else tells what a generic parameter is.
    func identity(
        named name: String,
        without omitted: Set<Int> = [],
        adding label: String? = nil,
        generics errors: GenericErrors? = nil,
        returning returnType: String? = nil
    ) -> String {
        let parameters = self.signature.parameterClause.parameters.enumerated()
            .filter { !omitted.contains($0.offset) }
            .map { "\($0.element.label ?? "_"):\($0.element.type.identity)" }
        let errors = errors ?? GenericErrors(of: self, erasing: [])
        let generics = [errors.generics, errors.requirements ?? ""].map { $0.filter { !$0.isWhitespace } }
        let isStatic = self.has(.static) || self.has(.class)
        let added = label.map { ["\($0):\(TypeSyntax.handlerIdentity)"] } ?? []
        let result = self.resultAloneTells(without: omitted, erasing: errors.erased) ? returnType : nil
        let returned = result.map { ["-> \(TypeSyntax.parsed($0).identity)"] } ?? []
        return ([isStatic ? "static" : "", name] + generics + parameters + added + returned).joined(
            separator: " "
        )
    }

    /// Its name with labels.
    func signature(named name: String, without omitted: Set<Int> = [], adding label: String? = nil) -> String {
        let labels = self.signature.parameterClause.parameters.enumerated()
            .filter { !omitted.contains($0.offset) }
            .map { ($0.element.label ?? "_") + ":" }
        return "\(name)(\((labels + (label.map { [$0 + ":"] } ?? [])).joined()))"
    }
}

extension TypeSyntax {
    /// All functions alike: a handler is written in many ways.
    fileprivate static var handlerIdentity: String { "()" }

    /// The type without blanks, and without what tells no overloads apart.
    fileprivate var identity: String {
        if HandlerType(self) != nil { return Self.handlerIdentity }
        guard let attributed = self.as(AttributedTypeSyntax.self) else {
            return self.tokens(viewMode: .sourceAccurate).map(\.text).joined(separator: " ")
        }
        let isInout = self.isInout ? "inout " : ""
        return isInout + attributed.baseType.identity
    }
}
#endif
