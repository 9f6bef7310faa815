// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeSyntax
import Foundation
import SwiftParser
import SwiftSyntax

/// Expands the macros of a file as the plug-in does, without a compiler.
final class Expander: SyntaxVisitor {
    /// What the macros write, in the order of the file.
    private(set) var expansions: [String] = []
    private(set) var refusals: [Refusal] = []
    /// The bodies of delegates that are refused.
    private(set) var refusedBodies: [String] = []
    let file: SourceFileSyntax
    /// Whether modules are named as Swift 6.3 can.
    private let selectsModules: Bool
    /// What replaces what in the file, to hold the twins: a range of UTF-8, and a text.
    private var edits: [(range: Range<Int>, text: String)] = []

    init(_ source: String, selectingModules: Bool = false) {
        self.file = Parser.parse(source: source)
        self.selectsModules = selectingModules
        super.init(viewMode: .sourceAccurate)
        self.walk(self.file)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let attribute =
            self.attribute("Bridged", in: node.attributes) ?? self.attribute("BridgedAs", in: node.attributes)
        if let attribute { self.expand(DeclSyntax(node), attribute) }
        if let attribute = self.attribute("DelegateReply", in: node.attributes) {
            let surroundings = Surroundings(around: node)
            self.refusals += [DelegateEvents.uselessReply(attribute, at: node, in: surroundings)].compactMap(\.self)
        }
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
        let outcome = Generator.twins(
            ofRequirementsOf: node,
            markedBy: attribute,
            around: sequence(first: Syntax(node), next: \.parent).dropFirst()
                .filter { $0.asProtocol((any DeclGroupSyntax).self) != nil },
            selectingModules: self.selectsModules
        )
        self.refusals += outcome.refusals
        let type = IdentifierTypeSyntax(name: node.name.trimmed)
        if let source = Generator.extensionSource(of: type, outcome.twins, for: node) {
            self.expansions.append(self.written(source))
            self.place([source], behind: node.endPositionBeforeTrailingTrivia, attribute, indented: false)
        }
        return .visitChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { self.expandMembers(of: node) }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { self.expandMembers(of: node) }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { self.expandMembers(of: node) }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { self.expandMembers(of: node) }

    /// The file with the twins of functions beside their originals, and those of protocols at its end.
    var expandedFile: String {
        var text = Array(self.file.description.utf8)
        for edit in self.edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            text.replaceSubrange(edit.range, with: Array(edit.text.utf8))
        }
        return String(decoding: text, as: UTF8.self)
            .replacingOccurrences(of: "import AsyncBridgeMacros", with: "import AsyncBridge")
    }

    /// Notes that twins stand behind a declaration, and the attribute goes.
    private func place(_ twins: [String], behind end: AbsolutePosition, _ attribute: AttributeSyntax, indented: Bool) {
        let lines = twins.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.map { $0.isEmpty ? "" : (indented ? "    " : "") + $0 }.joined(separator: "\n")
        self.edits.append((end.utf8Offset..<end.utf8Offset, "\n\n" + text))
        let start = attribute.positionAfterSkippingLeadingTrivia.utf8Offset
        // With the line break before the next word.
        let next = attribute.nextToken(viewMode: .sourceAccurate)?.positionAfterSkippingLeadingTrivia.utf8Offset
        self.edits.append((start..<(next ?? start), ""))
    }

    private func expand(_ declaration: DeclSyntax, _ attribute: AttributeSyntax) {
        let surroundings = Surroundings(around: declaration, selectingModules: self.selectsModules)
        let outcome = Generator.twins(of: declaration, markedBy: attribute, in: surroundings)
        self.expansions += outcome.twins.map { self.written($0.source) }
        self.refusals += outcome.refusals
        let end = declaration.endPositionBeforeTrailingTrivia
        self.place(outcome.twins.map(\.source), behind: end, attribute, indented: surroundings.place != .file)
    }

    private func expandMembers(of group: some DeclGroupSyntax) -> SyntaxVisitorContinueKind {
        if let attribute = self.attribute("DelegateEvents", in: group.attributes) {
            let events = DelegateEvents(of: group, markedBy: attribute)
            self.refusals += events.refusals
            self.expansions += events.members.map(self.written)
            let bodies = Bodies(of: group, events, unchecked: DelegateEvents.isUnchecked(attribute)).all
            if events.refusals.isEmpty {
                self.expansions += bodies.map(self.written)
            } else {
                self.refusedBodies += bodies
            }
        }
        guard let attribute = self.attribute("BridgedMembers", in: group.attributes) else { return .visitChildren }
        let outcome = Generator.twins(ofMembersOf: group, markedBy: attribute, selectingModules: self.selectsModules)
        self.expansions += outcome.twins.map { self.written($0.source) }
        self.refusals += outcome.refusals
        return .visitChildren
    }

    private func written(_ source: String) -> String {
        self.selectsModules ? ModuleSelectors.written(in: source) : source
    }

    private func attribute(_ name: String, in attributes: AttributeListSyntax) -> AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
            .first { $0.attributeName.trimmedDescription == name }
    }
}

/// Writes the bodies of a delegate's methods as the plug-in does: an attribute, and what that is expanded to.
private final class Bodies: SyntaxVisitor {
    private let events: DelegateEvents
    private let unchecked: Bool
    private(set) var all: [String] = []

    init(of group: some DeclGroupSyntax, _ events: DelegateEvents, unchecked: Bool) {
        self.events = events
        self.unchecked = unchecked
        super.init(viewMode: .sourceAccurate)
        self.walk(group.memberBlock)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let written = self.events.attribute(of: node, unchecked: self.unchecked) else { return .skipChildren }
        var parser = Parser(written)
        let attribute = AttributeSyntax.parse(from: &parser)
        if let body = DelegateEvents.body(of: node, markedBy: attribute) { self.all.append(body) }
        return .skipChildren
    }
}
#endif
