// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce

/// What one run of `asyncbridge check` found, ready to be written in any format.
package struct Report: Sendable {
    /// All findings that are shown, in the order of paths and lines.
    package var findings: [Finding]
    package var files: Int
    package var lines: Int
    /// Files that could not be read or parsed, with what is wrong.
    package var failures: [Failure]
    /// Entries of the baseline that match nothing any more.
    package var stale: [Baseline.Entry]
    /// How many findings the baseline hides.
    package var hidden: Int

    package init(
        findings: [Finding],
        files: Int,
        lines: Int,
        failures: [Failure] = [],
        stale: [Baseline.Entry] = [],
        hidden: Int = 0
    ) {
        self.findings = findings.sorted { ($0.path, $0.location, $0.rule) < ($1.path, $1.location, $1.rule) }
        self.files = files
        self.lines = lines
        self.failures = failures
        self.stale = stale
        self.hidden = hidden
    }

    /// A file of which nothing can be said, or not everything.
    package struct Failure: Hashable, Sendable {
        package var path: String
        package var location: Location?
        package var message: String

        package init(path: String, location: Location? = nil, message: String) {
            self.path = path
            self.location = location
            self.message = message
        }
    }

    /// How a report is written.
    package enum Format: String, Sendable, CaseIterable {
        case text
        case json
        case sarif
    }

    /// The report in one of the formats, with a line end.
    package func written(as format: Format) -> String {
        switch format {
        case .text: text
        case .json: json.written() + "\n"
        case .sarif: sarif.written() + "\n"
        }
    }

    func count(_ level: Level) -> Int { findings.count { $0.level == level } }
}
