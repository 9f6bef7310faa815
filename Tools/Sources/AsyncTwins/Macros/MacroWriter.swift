// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
package import ExactlyOnce
import SwiftSyntax

/// Writes `@Bridged` at the functions of a source file, and the import that it needs.
package struct MacroWriter: TwinWriter {
    private let file: SourceFile
    /// The functions of the file that have a completion handler and get no twin.
    private let others: [PlannedFunction]

    package var existing: String? { String(decoding: file.text, as: UTF8.self) }

    package init(_ file: SourceFile, others: [PlannedFunction]) {
        self.file = file
        self.others = others
    }

    private struct Insertion {
        var offset: Int
        var text: String
    }

    /// Leaves out requirements that attributes cannot name, for want of labels of their own.
    ///
    /// How far down a twin has gone, attributes do not tell.
    package func adopt(_ functions: inout [PlannedFunction], _ indices: [Int]) {
        var own = indices.map { functions[$0] }
        leaveOut(&own, with: others.filter { !$0.sharesTwin })
        for (index, function) in zip(indices, own) { functions[index] = function }
    }

    package func text(of functions: [PlannedFunction]) -> String? {
        let fallen = functions.filter { $0.rung.errors != nil }
        let functions = functions.filter { $0.rung.errors == nil }
        guard !functions.isEmpty else { return existing }
        var insertions = functions.compactMap { function -> Insertion? in
            let attribute = function.attribute
            // The macro of the protocol looks at all its requirements.
            if function.isRequirement, attribute == MacroAttribute.plain { return nil }
            return insertion(of: attribute, at: function.function.node)
        }
        insertions += protocols(of: functions, without: others + fallen)
        if let line = file.importing("AsyncBridgeMacros") {
            let text = line.text.replacing("\n", with: file.newline)
            insertions.append(Insertion(offset: line.range.lowerBound, text: text))
        }
        var text = file.text
        for insertion in insertions.sorted(by: { $0.offset > $1.offset }) {
            text.insert(contentsOf: insertion.text.utf8, at: insertion.offset)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// An attribute on a line of its own, above a declaration and below its comment.
    private func insertion(of attribute: String, at node: some SyntaxProtocol) -> Insertion {
        let offset = node.positionAfterSkippingLeadingTrivia.utf8Offset
        let location = file.location(of: offset)
        let before = file.line(location.line).utf8.prefix(location.column - 1)
        let indentation = String(decoding: before.prefix { $0 == 32 || $0 == 9 }, as: UTF8.self)
        let isAlone = before.count == indentation.utf8.count
        return Insertion(offset: offset, text: attribute + (isAlone ? file.newline + indentation : " "))
    }

    // MARK: Protocols

    /// A macro of a protocol writes the twins of its requirements: those that get none are named.
    private func protocols(of functions: [PlannedFunction], without others: [PlannedFunction]) -> [Insertion] {
        var seen: Set<Int> = []
        return functions.compactMap { function in
            guard let declaration = function.requirementOf, seen.insert(declaration.position.utf8Offset).inserted else {
                return nil
            }
            let wanted = Set(functions.map(\.position))
            let sharing = Set(others.filter(\.sharesTwin).map(\.position))
            let left = Set(others.map(\.position)).subtracting(sharing)
            let names = declaration.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
                .filter { member in
                    let position = member.position.utf8Offset
                    let isAsync = member.signature.effectSpecifiers?.asyncSpecifier != nil
                    return !wanted.contains(position) && (isAsync || left.contains(position))
                }
                .map { member in
                    let labels = member.signature.parameterClause.parameters.map { $0.firstName.text + ":" }
                    return "\"\(member.name.text)(\(labels.joined()))\""
                }
            let excluded = names.enumerated().filter { !names[..<$0.offset].contains($0.element) }.map(\.element)
            let arguments = excluded.isEmpty ? "" : "(except: \(excluded.joined(separator: ", ")))"
            return insertion(of: "@BridgedProtocol" + arguments, at: declaration)
        }
    }

    // MARK: Places

    package func places(of functions: [PlannedFunction], in text: String) -> [(lines: ClosedRange<Int>, function: Int)]
    {
        let written = SourceFile(path: file.path, source: text)
        let finder = FunctionLines(written)
        finder.walk(written.tree)
        // Attributes change no order.
        let old = FunctionLines(file)
        old.walk(file.tree)
        guard old.lines.count == finder.lines.count else { return [] }
        return functions.enumerated().compactMap { index, function in
            let place = old.positions.firstIndex(of: function.position)
            return place.map { (finder.lines[$0], index) }
        }
    }

    package func settle(_ functions: inout [PlannedFunction]) {
        leaveOut(&functions, with: functions.filter { $0.rung.errors != nil })
    }

    /// Leaves out requirements with the labels of others that must be left out.
    private func leaveOut(_ functions: inout [PlannedFunction], with others: [PlannedFunction]) {
        let others = others.filter(\.isRequirement)
        for index in functions.indices where functions[index].isRequirement && functions[index].rung.errors == nil {
            let title = functions[index].title
            guard let other = others.first(where: { $0.title == title }) else { continue }
            functions[index].rung.errors = [
                """
                @BridgedProtocol cannot leave out the one of line \(other.location.line) alone, which has the same \
                labels. Write one by hand, or let the tool write blocks
                """
            ]
        }
    }

    package func functions(
        _ functions: [PlannedFunction],
        ofExpansionAt place: Int,
        line: Int,
        in text: String
    ) -> [Int] {
        let written = SourceFile(path: file.path, source: text)
        guard let expansion = ProtocolExpansion(at: place, in: written) else { return [] }
        let all = functions.indices.filter {
            functions[$0].isRequirement && functions[$0].function.context.typeName == expansion.name
        }
        let identity = expansion.identity(ofLine: line)
        let found = all.filter { functions[$0].twin?.identity == identity }
        // What is around the twins is written for all of them.
        return found.isEmpty ? all : found
    }

    package func isHead(line: Int, of text: String) -> Bool {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.indices.contains(line - 1) && lines[line - 1] == "import AsyncBridgeMacros"
    }
}

extension PlannedFunction {
    /// Where the function begins.
    fileprivate var position: Int { function.node.position.utf8Offset }

    /// The protocol whose requirement it is.
    fileprivate var requirementOf: ProtocolDeclSyntax? {
        guard function.context.kind == .protocol else { return nil }
        var node = function.node.parent
        while let current = node {
            if let declaration = current.as(ProtocolDeclSyntax.self) { return declaration }
            node = current.parent
        }
        return nil
    }

    /// Whether the macro of the protocol writes nothing more for it, because it would write the same twice.
    fileprivate var sharesTwin: Bool {
        switch decision {
        case .existing(let title, isNear: false): title == self.title
        case .refused(let reason, _): reason == "differsInResult"
        case .twin, .existing(_, isNear: true), .inherited, .hidden, .severalShots: false
        }
    }

    fileprivate var isRequirement: Bool { function.context.kind == .protocol }
}

/// The lines of all functions of a file, in its order.
private final class FunctionLines: SyntaxVisitor {
    var positions: [Int] = []
    var lines: [ClosedRange<Int>] = []
    private let file: SourceFile

    init(_ file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        positions.append(node.position.utf8Offset)
        let first = file.location(of: node.positionAfterSkippingLeadingTrivia.utf8Offset).line
        lines.append(first...file.location(of: node.endPositionBeforeTrailingTrivia.utf8Offset).line)
        return .visitChildren
    }
}
