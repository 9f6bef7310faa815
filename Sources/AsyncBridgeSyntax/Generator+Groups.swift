// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import SwiftSyntax

extension Generator {
    /// The twins of a type's or an extension's members.
    ///
    /// Those that have `@Bridged` get theirs from it. Those that the generator refuses have none, nor those whose twin
    /// is there already.
    public static func twins(ofMembersOf group: some DeclGroupSyntax, markedBy attribute: AttributeSyntax) -> Outcome {
        if let declaration = group.as(ProtocolDeclSyntax.self) {
            return Outcome(refusals: [.isAProtocol(declaration, attribute)])
        }
        let surroundings = Surroundings([Syntax(group)])
        var outcome = Outcome()
        var written = Set(group.functions.map(\.signatureAsWritten))
        for function in group.functions where function.bridgedAttribute == nil && !function.looksLikeSeveralShots {
            // What starts a task takes `self` along.
            guard !function.isAsync || surroundings.seemsSendable || function.has(.static) else { continue }
            let twins = self.cautiousTwins(of: function, in: surroundings).twins
            outcome.twins += twins.filter { written.insert($0.signature).inserted }
        }
        if outcome.twins.isEmpty { outcome.refusals = [.nothingToBridge(in: group, attribute)] }
        return outcome
    }

    /// The twins of a function that nobody has looked at.
    private static func cautiousTwins(of function: FunctionDeclSyntax, in surroundings: Surroundings) -> Outcome {
        var options = TwinOptions.cautious
        let outcome = self.twins(of: function, options, in: surroundings)
        // Existing async code that leaves the completion out goes on meaning what it does.
        guard outcome.refusals.contains(where: { $0.reason == .defaultCompletion }) else { return outcome }
        options.hasSuffix = true
        return self.twins(of: function, options, in: surroundings)
    }

    /// The twins of a protocol's requirements, for an extension of it.
    ///
    /// The arguments of a requirement's own `@Bridged` count. Requirements that the generator refuses have none.
    public static func twins(
        ofRequirementsOf declaration: ProtocolDeclSyntax,
        markedBy attribute: AttributeSyntax
    ) -> Outcome {
        var outcome = Outcome()
        let surroundings = Surroundings([Syntax(declaration)])
        var written = Set(declaration.functions.map(\.signatureAsWritten))
        for function in declaration.functions {
            let ownAttribute = function.bridgedAttribute
            let found = self.twins(ofRequirement: function, ownAttribute, in: surroundings)
            outcome.refusals += ownAttribute == nil ? [] : found.refusals
            outcome.twins += found.twins.filter { written.insert($0.signature).inserted }
        }
        if outcome.twins.isEmpty, outcome.refusals.isEmpty {
            outcome.refusals = [.nothingToBridge(in: declaration, attribute)]
        }
        return outcome
    }

    private static func twins(
        ofRequirement function: FunctionDeclSyntax,
        _ attribute: AttributeSyntax?,
        in surroundings: Surroundings
    ) -> Outcome {
        do throws(Refusal) {
            guard let attribute else { return self.cautiousTwins(of: function, in: surroundings) }
            return self.twins(of: function, try TwinOptions(attribute), in: surroundings)
        } catch {
            return Outcome(refusals: [error])
        }
    }
}

extension DeclGroupSyntax {
    /// The functions among its members, without those in `#if`.
    var functions: [FunctionDeclSyntax] { self.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) } }
}

extension FunctionDeclSyntax {
    var bridgedAttribute: AttributeSyntax? {
        self.attributes.written.first { [HubNames.bridged, HubNames.bridgedAs].contains($0.name) }
    }

    var signatureAsWritten: String { self.signature(named: self.name.text) }

    /// Whether it registers a handler that is called many times, as far as names tell.
    var looksLikeSeveralShots: Bool {
        let name = self.name.text.lowercased()
        let beginnings = ["observe", "subscribe", "listen", "stream", "addobserver", "addlistener", "watch", "handle"]
        if beginnings.contains(where: name.hasPrefix) { return true }
        // `onChange`, but not `once`.
        if self.name.text.hasPrefix("on"), self.name.text.dropFirst(2).first?.isUppercase == true { return true }
        let type = self.signature.returnClause?.type.trimmedDescription ?? ""
        let tokens = ["Observer", "Listener", "Subscription", "Observation", "ListenerRegistration"]
        return tokens.contains { type.hasSuffix($0) }
    }
}
#endif
