// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Where each identifier is in a file, so that "does this code mention it?" needs no walk.
struct IdentifierIndex: Sendable {
    private var offsets: [String: [Int]] = [:]
    private var tries: [Int] = []
    private var continuations: [String] = []
    private var handlers: [String] = []
    private var cleanups: [Int] = []

    init(_ tree: SourceFileSyntax) {
        for token in tree.tokens(viewMode: .sourceAccurate) {
            switch token.tokenKind {
            case .identifier(let name), .dollarIdentifier(let name):
                let offset = token.positionAfterSkippingLeadingTrivia.utf8Offset
                offsets[name, default: []].append(offset)
                if Names.isCleanup(name) { cleanups.append(offset) }
            case .keyword(.try):
                tries.append(token.positionAfterSkippingLeadingTrivia.utf8Offset)
            default: break
            }
        }
        continuations = offsets.keys.filter { Names.isContinuation($0) }
        handlers = offsets.keys.filter { Names.isCompletion($0) }
    }

    func contains(_ name: String, in node: some SyntaxProtocol) -> Bool {
        offsets[name].map { Self.contains($0, node) } ?? false
    }

    func contains(anyOf names: some Sequence<String>, in node: some SyntaxProtocol) -> Bool {
        names.contains { contains($0, in: node) }
    }

    func containsTry(in node: some SyntaxProtocol) -> Bool { Self.contains(tries, node) }

    /// Whether a name in it is that of a continuation.
    func mentionsContinuation(in node: some SyntaxProtocol) -> Bool {
        continuations.contains { contains($0, in: node) }
    }

    /// Whether a name in it is that of a continuation or a handler.
    func mentionsStored(in node: some SyntaxProtocol) -> Bool {
        contains(anyOf: continuations, in: node) || contains(anyOf: handlers, in: node)
    }

    /// Whether something between two places must not be left out, such as `unlock`.
    func hasCleanup(between start: Int, and end: Int) -> Bool { Self.contains(cleanups, from: start, to: end) }

    private static func contains(_ offsets: [Int], _ node: some SyntaxProtocol) -> Bool {
        contains(offsets, from: node.position.utf8Offset, to: node.endPosition.utf8Offset)
    }

    private static func contains(_ offsets: [Int], from start: Int, to end: Int) -> Bool {
        var low = 0
        var high = offsets.count
        while low < high {
            let middle = (low + high) / 2
            if offsets[middle] < start { low = middle + 1 } else { high = middle }
        }
        return low < offsets.count && offsets[low] < end
    }
}
