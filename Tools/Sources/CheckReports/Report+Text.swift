// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce

extension Report {
    /// The form that Xcode, SwiftPM and editors read: `path:line:column: level: text [rule]`.
    var text: String {
        var lines: [String] = []
        for failure in failures {
            let place = failure.location.map { "\(failure.path):\($0.line):\($0.column)" } ?? failure.path
            lines.append("\(place): error: \(failure.message) [not-checked]")
        }
        for finding in findings {
            let (line, column) = (finding.location.line, finding.location.column)
            let head = "\(finding.path):\(line):\(column): \(finding.level.rawValue):"
            lines.append("\(head) \(finding.message) [\(finding.rule)]")
            for related in finding.related {
                lines.append(
                    "\(finding.path):\(related.location.line):\(related.location.column): note: \(related.message)"
                )
            }
            if let fix = finding.fix { lines.append("    fix: \(fix.message)") }
        }
        for entry in stale {
            lines.append("\(entry.path): note: the baseline has a [\(entry.rule)] in \(entry.declaration) that is gone")
        }
        lines.append(summary)
        return lines.joined(separator: "\n") + "\n"
    }

    private var summary: String {
        func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        var text = "\(counted(files, "file")), \(counted(lines, "line")): "
        text += "\(counted(count(.error), "error")), \(counted(count(.warning), "warning"))"
        if count(.note) > 0 { text += ", \(counted(count(.note), "note"))" }
        if hidden > 0 { text += "; \(hidden) in the baseline" }
        if !stale.isEmpty { text += "; \(stale.count) stale in the baseline" }
        return text
    }
}
