// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension FunctionDeclSyntax {
    var isAsync: Bool { self.signature.effectSpecifiers?.asyncSpecifier != nil }

    var canThrow: Bool { self.signature.effectSpecifiers?.throwsClause != nil }

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
        guard case .identifier = self.name.tokenKind else {
            throw Refusal(.operatorFunction, "an operator has no twin: give the function a name", at: self.name)
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
        guard let override = self.modifiers.first(where: { $0.name.tokenKind == .keyword(.override) }) else { return }
        throw Refusal(
            .overriding,
            """
            bridge the function of the superclass instead: its twin is inherited, and calls this override
            """,
            at: override
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
#endif
