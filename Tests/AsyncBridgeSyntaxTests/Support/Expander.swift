// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeSyntax
import SwiftParser
import SwiftSyntax

/// Expands the macros of a file as the plug-in does, without a compiler.
final class Expander: SyntaxVisitor {
    /// What the macros write, in the order of the file.
    private(set) var expansions: [String] = []
    private(set) var refusals: [Refusal] = []
    let file: SourceFileSyntax

    init(_ source: String) {
        self.file = Parser.parse(source: source)
        super.init(viewMode: .sourceAccurate)
        self.walk(self.file)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let attribute =
            self.attribute("Bridged", in: node.attributes) ?? self.attribute("BridgedAs", in: node.attributes)
        if let attribute { self.expand(DeclSyntax(node), attribute) }
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        if let attribute = self.attribute("Bridged", in: node.attributes) { self.expand(DeclSyntax(node), attribute) }
        return .visitChildren
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        if let attribute = self.attribute("Bridged", in: node.attributes) { self.expand(DeclSyntax(node), attribute) }
        _ = self.expandMembers(of: node)
        guard let attribute = self.attribute("BridgedProtocol", in: node.attributes) else { return .visitChildren }
        let outcome = Generator.twins(ofRequirementsOf: node, markedBy: attribute)
        self.refusals += outcome.refusals
        let type = IdentifierTypeSyntax(name: node.name.trimmed)
        if let source = Generator.extensionSource(of: type, outcome.twins, for: node) { self.expansions.append(source) }
        return .visitChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { self.expandMembers(of: node) }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { self.expandMembers(of: node) }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { self.expandMembers(of: node) }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { self.expandMembers(of: node) }

    private func expand(_ declaration: DeclSyntax, _ attribute: AttributeSyntax) {
        let surroundings = Surroundings(around: declaration)
        let outcome = Generator.twins(of: declaration, markedBy: attribute, in: surroundings)
        self.expansions += outcome.twins.map(\.source)
        self.refusals += outcome.refusals
    }

    private func expandMembers(of group: some DeclGroupSyntax) -> SyntaxVisitorContinueKind {
        if let attribute = self.attribute("DelegateEvents", in: group.attributes) {
            let events = DelegateEvents(of: group, markedBy: attribute)
            self.refusals += events.refusals
            guard events.refusals.isEmpty else { return .visitChildren }
            self.expansions += events.members
            self.expansions += group.memberBlock.members.compactMap { member in
                guard let function = member.decl.as(FunctionDeclSyntax.self) else { return nil }
                return DelegateEvents.body(of: function, unchecked: DelegateEvents.isUnchecked(attribute))
            }
        }
        guard let attribute = self.attribute("BridgedMembers", in: group.attributes) else { return .visitChildren }
        let outcome = Generator.twins(ofMembersOf: group, markedBy: attribute)
        self.expansions += outcome.twins.map(\.source)
        self.refusals += outcome.refusals
        return .visitChildren
    }

    private func attribute(_ name: String, in attributes: AttributeListSyntax) -> AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
            .first { $0.attributeName.trimmedDescription == name }
    }
}
#endif
