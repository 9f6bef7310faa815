// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// The pieces of a function, and how they are laid out: on one line if that fits, else a parameter a line.
struct FunctionSource {
    var documentation: [String] = []
    var attributes: [String] = []
    var modifiers: [String] = []
    var name = ""
    var generics = ""
    var parameters: [String] = []
    var effects = ""
    var returnType: String?
    var requirements: String?
    /// A line, or several with their own indentation.
    var body = ""

    private static let width = 120

    var text: String {
        let lines = self.documentation + self.attributes + [self.head + " {", self.body.indented, "}"]
        return lines.joined(separator: "\n")
    }

    private var head: String {
        let start = (self.modifiers + ["func", self.name + self.generics]).joined(separator: " ")
        var end = self.effects.isEmpty ? "" : " " + self.effects
        if let type = self.returnType { end += " -> " + type }
        if let requirements = self.requirements { end += " " + requirements }
        return Self.list(start, self.parameters, end)
    }

    /// Parameters or arguments in parentheses: on one line if that fits, else one a line.
    static func list(_ start: String, _ elements: [String], _ end: String = "") -> String {
        let line = "\(start)(\(elements.joined(separator: ", ")))\(end)"
        // With the brace, in a type.
        let isLong = line.count + 6 > Self.width || elements.contains { $0.contains("\n") }
        guard isLong, !elements.isEmpty else { return line }
        return "\(start)(\n\(elements.joined(separator: ",\n").indented)\n)\(end)"
    }
}

extension String {
    /// Each line four columns further to the right.
    var indented: String {
        self.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }
            .joined(separator: "\n")
    }
}

extension FunctionSource {
    /// What every twin takes over from its original; `labels` makes those of a twin of a function's.
    init(
        of function: FunctionDeclSyntax,
        named name: String,
        in surroundings: Surroundings,
        labels: @escaping ([String]) -> [String]
    ) {
        self.name = name
        self.attributes = function.attributes.travelling(toTwinNamed: name, labels: labels)
        let isObjective = ["objc", "IBAction"].contains { function.attributes.contains(named: $0) }
        // The extension of a protocol is invisible to Objective-C, and its members must not say so.
        if isObjective || surroundings.exposesMembers, surroundings.place != .protocol {
            self.attributes.append("@nonobjc")
        }
        self.modifiers = function.modifiers.compactMap(Self.travelling)
        // `final class func` is `static func`.
        if self.modifiers.contains("static") { self.modifiers.removeAll { $0 == "final" } }
        self.generics = GenericErrors(of: function, erasing: []).generics
        self.requirements = function.genericWhereClause?.trimmedDescription
    }

    /// Requires of generic parameters what a task wants that uses their conformances: that those belong to no actor.
    mutating func requireSendableMetatypes(of function: FunctionDeclSyntax, in surroundings: Surroundings) {
        var names = function.genericsWithConformances
        // The extension of a protocol is ours; elsewhere nothing may be required of `Self`.
        if surroundings.place == .protocol, !surroundings.seemsSendable, function.has(.static) { names.append("Self") }
        let new = names.map { "\($0): \(HubNames.sendableMetatype)" }
        guard !new.isEmpty else { return }
        let start = self.requirements.map { $0 + ", " } ?? "where "
        self.requirements = start + new.joined(separator: ", ")
    }

    private static func travelling(_ modifier: DeclModifierSyntax) -> String? {
        switch modifier.name.text {
        case "open": "public"
        case "class": "static"
        case "dynamic", "consuming", "borrowing", "__consuming", "prefix", "postfix", "infix": nil
        default: modifier.trimmedDescription
        }
    }
}

extension FunctionDeclSyntax {
    /// The generic parameters of which a conformance is required, and not `Sendable`, which says enough.
    fileprivate var genericsWithConformances: [String] {
        let parameters = self.genericParameterClause?.parameters.filter { $0.specifier == nil } ?? []
        return parameters.map(\.name.text).filter { name in
            let inherited = parameters.filter { $0.name.text == name }.compactMap(\.inheritedType)
            let required = self.genericWhereClause?.requirements.compactMap { element -> TypeSyntax? in
                guard case .conformanceRequirement(let requirement) = element.requirement else { return nil }
                return requirement.leftType.trimmedDescription == name ? requirement.rightType : nil
            }
            let types = (inherited + (required ?? [])).flatMap(\.mentionedTypes)
            return !types.isEmpty && types.allSatisfy { !["Sendable", "SendableMetatype", "Error"].contains($0) }
        }
    }
}
#endif
