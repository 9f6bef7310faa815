// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a compiler says of a place.
package struct BuildDiagnostic: Sendable, Hashable {
    package struct Place: Sendable, Hashable {
        package var path: String
        package var line: Int

        package init(path: String, line: Int) {
            self.path = path
            self.line = line
        }
    }

    package enum Severity: String, Sendable {
        case error
        case warning
        case note
    }

    package var severity: Severity
    package var place: Place
    package var message: String
    /// The places of the notes that belong to it.
    package var notes: [Place] = []
    /// Where the macro is in whose expansion it is; elsewhere the place itself.
    package private(set) var origin: Place

    /// The line of a macro's expansion, from 1, if it is in one.
    var lineOfExpansion: Int? { origin == place ? nil : place.line }

    /// The diagnostics in what a build prints, each once.
    package static func all(in output: String) -> [BuildDiagnostic] {
        var all: [BuildDiagnostic] = []
        for line in output.split(whereSeparator: \.isNewline) {
            guard let diagnostic = BuildDiagnostic(line) else { continue }
            if diagnostic.severity == .note, !all.isEmpty {
                if diagnostic.message == "expanded code originates here" {
                    all[all.count - 1].origin = diagnostic.place
                }
                all[all.count - 1].notes.append(diagnostic.place)
            } else if diagnostic.severity != .note {
                all.append(diagnostic)
            }
        }
        var seen: Set<BuildDiagnostic> = []
        return all.filter { seen.insert($0).inserted }
    }

    /// Reads `path:line:column: error: message`, also if it belongs to the line above.
    private init?(_ line: Substring) {
        let line = line.hasPrefix("`- /") ? line.dropFirst(3) : line
        let parts = line.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let number = Int(parts[1]), Int(parts[2]) != nil,
            let severity = Severity(rawValue: parts[3].drop { $0 == " " }.description)
        else { return nil }
        self.severity = severity
        place = Place(path: String(parts[0]), line: number)
        origin = place
        message = String(parts[4].drop { $0 == " " })
    }

    /// The module that a file imports for others, if the compiler says that nothing there needs that.
    var unneededImport: String? {
        guard severity == .warning,
            let match = message.firstMatch(of: /^(?:public|package) import of '([^']+)' was not used/)
        else { return nil }
        return String(match.1)
    }

    /// Whether it says that a twin cancels what has no `cancel()`.
    var isUncancelled: Bool { severity == .warning && message.hasPrefix("'_cancel' is deprecated") }

    /// What a cure would have to change.
    enum Kind {
        /// What crosses from one actor to another.
        case sendability
        /// A name that existing code uses, or that is taken.
        case name
        case other
    }

    var kind: Kind {
        let words = message.lowercased()
        let names = [
            "not marked with 'await'", "invalid redeclaration", "ambiguous use", "overrid",
            "does not support concurrency",
        ]
        if names.contains(where: words.contains) { return .name }
        let sending = ["sendable", "sending ", "data race", "task-isolated", "actor-isolated", "risks causing"]
        return sending.contains(where: words.contains) ? .sendability : .other
    }
}
