// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import SwiftParser
import SwiftSyntax

/// The attribute that makes the macro write the twin that is planned.
enum MacroAttribute {
    static let plain = "@Bridged"
}

extension PlannedFunction {
    /// The attribute with the arguments that the twin needs, in source form.
    var attribute: String {
        let wanted = written(by: nil)
        var options: [String] = []
        if rung.isUnchecked { options.append(".unchecked") }
        if rung.isUncancelled { options.append(".cancel(nil)") }
        if rung.isRenamed || isRenamedByDefault { options.append(".asyncSuffix") }
        var aliases = meanings
        // Those without which the macro writes the same are not worth their line.
        for name in meanings.keys.sorted() {
            var fewer = aliases
            fewer[name] = nil
            if written(by: Self.attribute(options, fewer)) == wanted { aliases = fewer }
        }
        let attribute = Self.attribute(options, aliases)
        guard written(by: attribute) != wanted, let completion = handlers.first else { return attribute }
        let parameter = function.parameters[completion]
        let name = parameter.innerName.text
        return Self.attribute(options, aliases, completion: name)
    }

    /// What the macro writes with an attribute; without one, what is planned.
    private func written(by attribute: String?) -> String? {
        guard let attribute else {
            let options = Generator.CautiousOptions(
                aliases: meanings,
                isUnchecked: rung.isUnchecked,
                isUncancelled: rung.isUncancelled,
                hasSuffix: rung.isRenamed || isRenamedByDefault
            )
            return Generator.cautiousTwins(of: function.node, options, in: surroundings).twins.first?.source
        }
        var parser = Parser("\(attribute) func f() {}")
        let declaration = DeclSyntax.parse(from: &parser).as(FunctionDeclSyntax.self)
        guard case .attribute(let parsed)? = declaration?.attributes.first else { return nil }
        let outcome = Generator.twins(of: DeclSyntax(function.node), markedBy: parsed, in: surroundings)
        return outcome.twins.first?.source
    }

    /// What is around the function.
    ///
    /// A requirement is looked at as if it were in an extension: in a protocol the attribute alone writes nothing.
    private var surroundings: Surroundings {
        guard function.context.kind == .protocol else { return Surroundings(around: function.node) }
        var parser = Parser("extension \(function.context.extended) {}")
        return Surroundings([Syntax(DeclSyntax.parse(from: &parser))])
    }

    private static func attribute(
        _ options: [String],
        _ aliases: [String: TypeSyntax],
        completion: String? = nil
    ) -> String {
        var arguments = options
        if let completion { arguments.append("completion: \"\(completion)\"") }
        if !aliases.isEmpty {
            let pairs = aliases.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \"\($0.value.trimmedDescription)\"" }
            arguments.append("aliases: [\(pairs.joined(separator: ", "))]")
        }
        return arguments.isEmpty
            ? MacroAttribute.plain : "\(MacroAttribute.plain)(\(arguments.joined(separator: ", ")))"
    }
}
