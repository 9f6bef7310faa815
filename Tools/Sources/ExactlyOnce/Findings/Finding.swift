// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How sure a finding is, and how bad.
package enum Level: String, Sendable, CaseIterable, Comparable {
    /// Worth knowing; shown only on demand.
    case note
    /// A written path breaks the contract, if names mean what they usually mean.
    case warning
    /// Every way on breaks the contract.
    case error

    package static func < (left: Level, right: Level) -> Bool { left.order < right.order }

    private var order: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// One place where "exactly once" is broken.
package struct Finding: Hashable, Sendable {
    /// Another place that explains it.
    package struct Related: Hashable, Sendable {
        package var location: Location
        package var message: String
    }

    package var rule: String
    package var level: Level
    package var message: String
    package var path: String
    package var location: Location
    package var related: [Related] = []
    /// The continuation or handler that it is about.
    package var token: String
    /// The function or property in which it is.
    package var declaration: String
    package var fix: Fix?
}

/// A change of the source that cures a finding.
package struct Fix: Hashable, Sendable {
    package var message: String
    /// Whether `--fix` applies it.
    ///
    /// Others need something that only people know, such as a new dependency.
    package var isApplied = true
    /// Where, in bytes of the file, and what to insert or to put in the place of `length` bytes.
    package var edits: [Edit]

    /// One replacement.
    package struct Edit: Hashable, Sendable {
        package var offset: Int
        package var length: Int
        package var text: String

        package init(offset: Int, length: Int, text: String) {
            self.offset = offset
            self.length = length
            self.text = text
        }
    }

    package init(message: String, isApplied: Bool = true, edits: [Edit]) {
        self.message = message
        self.isApplied = isApplied
        self.edits = edits
    }
}
