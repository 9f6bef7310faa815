// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce

/// Findings that a project has accepted for now.
///
/// An entry has no line number, so edits elsewhere in the file do not make it stale: it is the rule, the path, the
/// enclosing declaration, the token, and which of several equal ones it is. The path begins at the baseline's own
/// folder, wherever the command is run.
package struct Baseline: Sendable {
    package struct Entry: Hashable, Sendable, Comparable {
        package var rule: String
        package var path: String
        package var declaration: String
        package var token: String
        package var ordinal: Int

        package init(rule: String, path: String, declaration: String, token: String, ordinal: Int) {
            self.rule = rule
            self.path = path
            self.declaration = declaration
            self.token = token
            self.ordinal = ordinal
        }

        package static func < (left: Entry, right: Entry) -> Bool {
            (left.path, left.declaration, left.rule, left.token, left.ordinal)
                < (right.path, right.declaration, right.rule, right.token, right.ordinal)
        }

        fileprivate func at(_ place: (String) -> String) -> Entry {
            var entry = self
            entry.path = place(path)
            return entry
        }

        var json: JSONValue {
            .object([
                ("rule", .string(rule)),
                ("path", .string(path)),
                ("declaration", .string(declaration)),
                ("token", .string(token)),
                ("ordinal", .number(ordinal)),
            ])
        }
    }

    package private(set) var entries: Set<Entry>

    package init(_ entries: some Sequence<Entry> = []) { self.entries = Set(entries) }

    /// A baseline that accepts these findings.
    ///
    /// `place` makes a path of a report one that begins at the baseline's folder.
    package init(accepting findings: [Finding], at place: (String) -> String = { $0 }) {
        var ordinals = Ordinals()
        entries = Set(findings.map { ordinals.entry(of: $0).at(place) })
    }

    /// The findings that it does not have, and the entries that none of them matches.
    package func apply(
        to findings: [Finding],
        at place: (String) -> String = { $0 }
    ) -> (new: [Finding], stale: [Entry]) {
        var ordinals = Ordinals()
        var unused = entries
        var new: [Finding] = []
        for finding in findings {
            let entry = ordinals.entry(of: finding).at(place)
            unused.remove(entry)
            if !entries.contains(entry) { new.append(finding) }
        }
        return (new, unused.sorted())
    }

    /// The file's text.
    package var written: String {
        let list = JSONValue.array(entries.sorted().map(\.json))
        return JSONValue.object([("version", .number(1)), ("findings", list)]).written() + "\n"
    }
}

/// Numbers findings that have everything but their lines in common, in the order of the file.
struct Ordinals {
    private var counts: [Baseline.Entry: Int] = [:]

    mutating func entry(of finding: Finding) -> Baseline.Entry {
        var entry = Baseline.Entry(
            rule: finding.rule,
            path: finding.path,
            declaration: finding.declaration,
            token: finding.token,
            ordinal: 0
        )
        let ordinal = counts[entry, default: 0]
        counts[entry] = ordinal + 1
        entry.ordinal = ordinal
        return entry
    }

    mutating func fingerprint(of finding: Finding) -> String {
        let entry = entry(of: finding)
        return "\(entry.rule)/\(entry.path)/\(entry.declaration)/\(entry.token)/\(entry.ordinal)"
    }
}
