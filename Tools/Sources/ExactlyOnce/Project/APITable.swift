// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How often well-known functions call the closures that they get: data, which users extend.
///
/// One entry a line: how, then names. `name` is the function's, `name(label:)` only its argument with that label,
/// `Receiver.name` only on such a receiver. `#` begins a comment.
package struct APITable: Sendable {
    /// When and how often a closure is called.
    package enum Use: String, Sendable, CaseIterable {
        /// Once, before the call returns.
        case now
        /// The same, while a lock is held.
        case locked
        /// Any number of times, before the call returns.
        case loop
        /// Once, later.
        case later
        /// Once, later, and an error that it throws is lost.
        case task
        /// Once, later, by custom.
        case likely
        /// Any number of times, later.
        case many
        /// Never.
        case never
        /// Once, many times, or never.
        case unknown
    }

    /// A line of a table that cannot be read.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package var line: Int
        package var text: String

        package var description: String {
            let uses = Use.allCases.map(\.rawValue).joined(separator: ", ")
            return "line \(line): “\(text)” is not one of \(uses) and a name"
        }
    }

    private var uses: [String: Use] = [:]

    package static let standard: APITable = {
        var table = APITable()
        try? table.add(standardText)
        return table
    }()

    package init() {}

    /// Adds the entries of a text; later ones win.
    package mutating func add(_ text: String) throws(Mistake) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "\r" }
            guard let first = words.first else { continue }
            guard let use = Use(rawValue: String(first)), words.count > 1 else {
                throw Mistake(line: index + 1, text: String(line))
            }
            for name in words.dropFirst() { uses[String(name)] = use }
        }
    }

    /// How often a function of this name calls the closure that it gets under a label; `nil` for other functions.
    package func use(of name: String, on receiver: String?, label: String?) -> Use? {
        if let label, let use = uses["\(name)(\(label):)"] { return use }
        if let receiver, let use = uses["\(receiver).\(name)"] { return use }
        return uses[name]
    }
}
