// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import SwiftSyntax

extension Generator {
    /// The twins of a type's or an extension's members.
    ///
    /// Those that have `@Bridged` get theirs from it. Those that the generator refuses have none, nor those whose twin
    /// is there already.
    public static func twins(
        ofMembersOf group: some DeclGroupSyntax,
        markedBy attribute: AttributeSyntax,
        selectingModules: Bool = false
    ) -> Outcome {
        if let declaration = group.as(ProtocolDeclSyntax.self) {
            return Outcome(refusals: [.isAProtocol(declaration, attribute)])
        }
        do throws(Refusal) {
            let options = try GroupOptions(attribute, for: group)
            let surroundings = Surroundings([Syntax(group)], selectingModules: selectingModules)
            var outcome = Outcome()
            var written = WrittenFunctions(group.conditionalFunctions)
            var obstacles: [Obstacle] = []
            for member in group.conditionalFunctions {
                guard let own = member.declaration.bridgedAttribute, let options = try? TwinOptions(own) else {
                    continue
                }
                for twin in self.twins(of: member.declaration, options, in: surroundings).twins {
                    _ = written.insert(twin.identity, member.conditions)
                }
            }
            for member in group.conditionalFunctions {
                let function = member.declaration
                guard function.bridgedAttribute == nil, !options.excludes(function) else { continue }
                if let obstacle = Obstacle(function, in: surroundings) {
                    obstacles.append(obstacle)
                    continue
                }
                let found = self.cautiousTwins(of: function, .init(aliases: options.aliases), in: surroundings)
                obstacles += found.refusals.filter { !$0.isWarning }.map { Obstacle(function, $0) }
                outcome.twins += found.twins.filter { written.insert($0.identity, member.conditions) }
                    .map { $0.compiled(where: member.conditions) }
            }
            if outcome.twins.isEmpty { outcome.refusals = [.nothingToBridge(obstacles, attribute)] }
            return outcome
        } catch {
            return Outcome(refusals: [error])
        }
    }

    /// The twins of a protocol's requirements, for an extension of it.
    ///
    /// The arguments of a requirement's own `@Bridged` count. Requirements that the generator refuses have none.
    ///
    /// - Parameters:
    ///   - declaration: The protocol.
    ///   - attribute: The macro's.
    ///   - contexts: The declarations around the protocol, the innermost first.
    ///   - selectingModules: Whether ``ModuleSelectors`` are written.
    /// - Returns: The twins, as members of the extension.
    public static func twins(
        ofRequirementsOf declaration: ProtocolDeclSyntax,
        markedBy attribute: AttributeSyntax,
        around contexts: [Syntax] = [],
        selectingModules: Bool = false
    ) -> Outcome {
        do throws(Refusal) {
            try self.checkThatAnExtensionCanName(declaration, in: contexts)
            let options = try GroupOptions(attribute, for: declaration)
            var outcome = Outcome()
            let surroundings = Surroundings([Syntax(declaration)], selectingModules: selectingModules)
            var written = WrittenFunctions(declaration.conditionalFunctions)
            var obstacles: [Obstacle] = []
            for member in declaration.conditionalFunctions where !options.excludes(member.declaration) {
                let function = member.declaration
                let ownAttribute = function.bridgedAttribute
                // What starts a task takes `self` along.
                if ownAttribute == nil, function.isAsync, !surroundings.seemsSendable {
                    obstacles.append(.init(function, .notSendable))
                    continue
                }
                let found = self.twins(ofRequirement: function, ownAttribute, options, in: surroundings)
                outcome.refusals += ownAttribute == nil ? [] : found.refusals
                obstacles += found.refusals.filter { !$0.isWarning }.map { Obstacle(function, $0) }
                outcome.twins += found.twins.filter { written.insert($0.identity, member.conditions) }
                    .map { $0.compiled(where: member.conditions) }
            }
            if outcome.twins.isEmpty, outcome.refusals.isEmpty {
                outcome.refusals = [.nothingToBridge(obstacles, attribute)]
            }
            return outcome
        } catch {
            return Outcome(refusals: [error])
        }
    }

    /// Refuses what is private in a type: an extension stands outside of it.
    private static func checkThatAnExtensionCanName(
        _ declaration: ProtocolDeclSyntax,
        in contexts: [Syntax]
    ) throws(Refusal) {
        // What is private in a file, all of the file may name.
        let inTypes = ([Syntax(declaration)] + contexts).dropLast()
        for context in inTypes {
            let modifiers = context.asProtocol((any WithModifiersSyntax).self)?.modifiers
            guard let word = modifiers?.first(where: { $0.name.tokenKind == .keyword(.private) }) else { continue }
            throw Refusal(
                .privateInType,
                """
                the twins stand in an extension of '\(declaration.name.text)', and none can name what is private in a \
                type. Write 'fileprivate'
                """,
                at: word,
                cures: [
                    .init(
                        "write 'fileprivate'",
                        replacing: word,
                        with: word.with(\.name.tokenKind, .keyword(.fileprivate))
                    )
                ]
            )
        }
    }

    private static func twins(
        ofRequirement function: FunctionDeclSyntax,
        _ attribute: AttributeSyntax?,
        _ group: GroupOptions,
        in surroundings: Surroundings
    ) -> Outcome {
        do throws(Refusal) {
            guard let attribute else {
                return self.cautiousTwins(of: function, .init(aliases: group.aliases), in: surroundings)
            }
            var options = try TwinOptions(attribute)
            options.aliases.merge(group.aliases) { own, _ in own }
            return self.twins(of: function, options, in: surroundings)
        } catch {
            return Outcome(refusals: [error])
        }
    }
}

extension FunctionDeclSyntax {
    var bridgedAttribute: AttributeSyntax? {
        self.attributes.written.first { [HubNames.bridged, HubNames.bridgedAs].contains($0.name) }
    }

    var identityAsWritten: String {
        self.identity(named: self.name.text, returning: self.signature.returnClause?.type.trimmedDescription)
    }

    /// Whether it may register a handler, or call it for each of several things: told where the handler's own name says
    /// nothing.
    var mayRegister: Bool {
        let beginnings = [
            "on", "set", "register", "add", "bind", "attach", "each", "for", "every", "enumerate", "map", "filter",
            "repeat", "when", "monitor", "notify", "visit", "walk",
        ]
        let name = self.name.text
        return beginnings.contains { word in
            // `on` and `onChange`, but not `once`.
            name.hasPrefix(word) && name.dropFirst(word.count).first?.isLowercase != true
        }
    }

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
