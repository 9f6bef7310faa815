// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How often the project's functions call their handlers, by the functions' names and labels.
///
/// A syntax checker cannot tell overloads apart. So an entry holds only while every function of the same name, labels
/// and number of parameters agrees.
package struct Summaries: Sendable {
    struct Key: Hashable, Sendable {
        var name: String
        var labels: [String?]
        var label: String?
    }

    private var known: [Key: Frequency] = [:]

    package init() {}

    mutating func add(_ frequency: Frequency, name: String, labels: [String?], label: String?) {
        let key = Key(name: name, labels: labels, label: label)
        if let old = known[key], old != frequency {
            known[key] = .unknown
        } else {
            known[key] = frequency
        }
    }

    /// Adds the functions of a file that get a handler.
    mutating func add(functionsOf file: SourceFile, knowledge: Knowledge) {
        let options = TokenFinder.Options(takesTypeShapes: true)
        for token in TokenFinder.tokens(in: file, knowledge: knowledge, options: options) {
            guard let function = token.function else { continue }
            let frequency = Lowering.trace(token, in: file, knowledge: knowledge).frequency
            add(frequency, name: function.name, labels: function.labels, label: function.label)
            if function.isLast {
                // As a trailing closure it has no label.
                add(frequency, name: function.name, labels: function.labels.dropLast() + [nil], label: nil)
            }
        }
    }

    package mutating func merge(_ other: Summaries) {
        for (key, frequency) in other.known { add(frequency, name: key.name, labels: key.labels, label: key.label) }
    }

    func frequency(of name: String, labels: [String?], label: String?) -> Frequency? {
        known[Key(name: name, labels: labels, label: label)]
    }
}
