// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce

extension Report {
    /// The findings for other programs.
    ///
    /// The version changes when a member changes its meaning.
    var json: JSONValue {
        .object([
            ("version", .number(1)),
            ("files", .number(files)),
            ("lines", .number(lines)),
            ("findings", .array(findings.map(Self.json))),
            (
                "notChecked",
                .array(failures.map { .object([("path", .string($0.path)), ("message", .string($0.message))]) })
            ),
            ("hiddenByBaseline", .number(hidden)),
            ("staleInBaseline", .array(stale.map(\.json))),
        ])
    }

    private static func json(_ finding: Finding) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("rule", .string(finding.rule)),
            ("level", .string(finding.level.rawValue)),
            ("message", .string(finding.message)),
            ("path", .string(finding.path)),
            ("line", .number(finding.location.line)),
            ("column", .number(finding.location.column)),
            ("token", .string(finding.token)),
            ("declaration", .string(finding.declaration)),
        ]
        if !finding.related.isEmpty {
            let related = finding.related.map { place in
                JSONValue.object([
                    ("line", .number(place.location.line)),
                    ("column", .number(place.location.column)),
                    ("message", .string(place.message)),
                ])
            }
            members.append(("related", .array(related)))
        }
        if let fix = finding.fix { members.append(("fix", .string(fix.message))) }
        return .object(members)
    }
}
