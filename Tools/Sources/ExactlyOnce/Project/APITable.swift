// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How often well-known functions call the closures that they get, and which of them lend what they call them with:
/// data, which users extend.
///
/// One entry a line: a word, then names. `name` is the function's, `name(label:)` only its argument with that label,
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

    /// Whether a closure may keep what it gets.
    ///
    /// It stands beside the ``Use``: `withUnsafeBytes` calls its closure once, and lends it the bytes.
    private enum Loan: String, CaseIterable {
        /// Its first argument is there only until it returns.
        case lends
        /// It may keep it; for a name that another table has as `lends`.
        case gives
    }

    /// A line of a table that cannot be read.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package var line: Int
        package var text: String

        package var description: String {
            let words = (Use.allCases.map(\.rawValue) + Loan.allCases.map(\.rawValue)).joined(separator: ", ")
            return "line \(line): “\(text)” is not one of \(words) and a name"
        }
    }

    private var uses: [String: Use] = [:]
    private var loans: [String: Loan] = [:]

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
            let names = words.dropFirst().map(String.init)
            if let use = Use(rawValue: String(first)), !names.isEmpty {
                for name in names { uses[name] = use }
            } else if let loan = Loan(rawValue: String(first)), !names.isEmpty {
                for name in names { loans[name] = loan }
            } else {
                throw Mistake(line: index + 1, text: String(line))
            }
        }
    }

    /// How often a function of this name calls the closure that it gets under a label; `nil` for other functions.
    package func use(of name: String, on receiver: String?, label: String?) -> Use? {
        Self.entry(in: uses, name, on: receiver, label)
    }

    /// Whether the first thing that a function of this name passes to the closure under a label is there only until
    /// the closure returns.
    package func lends(_ name: String, on receiver: String?, label: String?) -> Bool {
        Self.entry(in: loans, name, on: receiver, label) == .lends
    }

    private static func entry<Entry>(
        in entries: [String: Entry],
        _ name: String,
        on receiver: String?,
        _ label: String?
    ) -> Entry? {
        if let label, let entry = entries["\(name)(\(label):)"] { return entry }
        if let receiver, let entry = entries["\(receiver).\(name)"] { return entry }
        return entries[name]
    }
}
