// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// What the user says about the twins of a whole type or protocol: the arguments of `@BridgedMembers`.
struct GroupOptions {
    /// The functions that get no twin, by name or by name with labels.
    private var excluded: Set<String> = []

    /// The function types that aliases stand for.
    private(set) var aliases: [String: TypeSyntax] = [:]

    /// Reads the arguments.
    ///
    /// - Throws: ``Refusal``, for what is not written as the guide shows, and for a name that no function has.
    init(_ attribute: AttributeSyntax, for group: some DeclGroupSyntax) throws(Refusal) {
        guard case .argumentList(let arguments)? = attribute.arguments else { return }
        for argument in arguments {
            // The names after the first one have no label.
            if argument.label?.text == "aliases" {
                self.aliases = try TwinOptions.aliases(argument.expression)
                try TwinOptions.checkThatAllAreUsed(self.aliases, by: group.functions, at: argument.expression)
            } else {
                try self.exclude(argument.expression, in: group)
            }
        }
    }

    private mutating func exclude(_ expression: ExprSyntax, in group: some DeclGroupSyntax) throws(Refusal) {
        let name = try TwinOptions.text(expression)
        guard group.functions.contains(where: { $0.isNamed(name) }) else {
            throw Refusal(.argumentDoesNotFit, "there is no function '\(name)' here", at: expression)
        }
        self.excluded.insert(name)
    }

    func excludes(_ function: FunctionDeclSyntax) -> Bool { self.excluded.contains(where: function.isNamed) }
}

extension FunctionDeclSyntax {
    /// Whether it has the name, or the name with labels.
    fileprivate func isNamed(_ name: String) -> Bool {
        let own = self.name.text.withoutBackticks
        return name == own || name == self.signature(named: own)
    }
}
#endif
