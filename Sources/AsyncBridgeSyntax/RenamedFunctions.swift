// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// Lets the deprecation of a twin name the twin of another function: `renamed: "load(_:)"` for `load(_:completion:)`.
final class RenamedFunctions: SyntaxRewriter {
    /// How the labels of a function become those of its twin.
    private let labels: ([String]) -> [String]

    init(labels: @escaping ([String]) -> [String]) {
        self.labels = labels
        super.init(viewMode: .sourceAccurate)
    }

    /// Attributes in source form, with what they name.
    func text(of attributes: some SyntaxProtocol) -> String { self.rewrite(attributes).trimmedDescription }

    override func visit(_ node: AvailabilityLabeledArgumentSyntax) -> AvailabilityLabeledArgumentSyntax {
        guard node.label.text == "renamed", case .string(var literal) = node.value,
            let name = self.name(of: literal.segments.trimmedDescription)
        else { return node }
        literal.segments = [StringSegmentSyntax(content: .stringSegment(name))]
        return node.with(\.value, .string(literal))
    }

    /// The name of the twin; `nil` for a name without labels.
    private func name(of function: String) -> String? {
        guard let start = function.firstIndex(of: "("), function.last == ")" else { return nil }
        let labels = function[start...].dropFirst().dropLast().split(separator: ":").map(String.init)
        let kept = self.labels(labels).map { "\($0):" }.joined()
        return "\(function[..<start])(\(kept))"
    }
}

extension FunctionDeclSyntax {
    /// The labels of a function that this one's deprecation names, without those of this one's handlers, by the indices
    /// of these.
    func labels(_ labels: [String], without omitted: Set<Int>) -> [String] {
        let own = self.signature.parameterClause.parameters.map(\.firstName.text)
        // One that only has another name.
        if labels == own { return labels.enumerated().filter { !omitted.contains($0.offset) }.map(\.element) }
        var labels = labels
        for index in omitted where own[index] != "_" {
            if let place = labels.lastIndex(of: own[index]) { labels.remove(at: place) }
        }
        return labels
    }
}
#endif
