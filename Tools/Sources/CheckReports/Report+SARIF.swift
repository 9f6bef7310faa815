// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce

extension Report {
    /// The findings in SARIF 2.1.0, which code hosts show beside the lines.
    var sarif: JSONValue {
        let driver = JSONValue.object([
            ("name", .string("asyncbridge")),
            ("semanticVersion", .string(ToolVersion.current)),
            ("rules", .array(Rules.allPages.map { Self.sarif($0) })),
        ])
        let notifications = failures.map { failure in
            JSONValue.object([
                ("level", .string("error")),
                ("message", .object([("text", .string("\(failure.path): \(failure.message)"))])),
            ])
        }
        let invocation = JSONValue.object([
            ("executionSuccessful", .bool(failures.isEmpty)),
            ("toolExecutionNotifications", .array(notifications)),
        ])
        var ordinals = Ordinals()
        let results = findings.map { Self.sarif($0, fingerprint: ordinals.fingerprint(of: $0)) }
        let run = JSONValue.object([
            ("tool", .object([("driver", driver)])),
            ("columnKind", .string("unicodeCodePoints")),
            ("invocations", .array([invocation])),
            ("results", .array(results)),
        ])
        return .object([
            ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
            ("version", .string("2.1.0")),
            ("runs", .array([run])),
        ])
    }

    private static func sarif(_ page: RulePage) -> JSONValue {
        .object([
            ("id", .string(page.id)),
            ("shortDescription", .object([("text", .string(page.summary))])),
            ("help", .object([("text", .string(page.why)), ("markdown", .string(page.text))])),
        ])
    }

    private static func sarif(_ finding: Finding, fingerprint: String) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("ruleId", .string(finding.rule)),
            ("level", .string(finding.level.rawValue)),
            ("message", .object([("text", .string(finding.message))])),
            ("locations", .array([place(finding.path, finding.location)])),
        ]
        if !finding.related.isEmpty {
            let related = finding.related.enumerated().map { index, related in
                place(finding.path, related.location, id: index, message: related.message)
            }
            members.append(("relatedLocations", .array(related)))
        }
        members.append(("partialFingerprints", .object([("asyncbridge/v1", .string(fingerprint))])))
        return .object(members)
    }

    private static func place(
        _ path: String,
        _ location: Location,
        id: Int? = nil,
        message: String? = nil
    ) -> JSONValue {
        var members: [(String, JSONValue)] = []
        if let id { members.append(("id", .number(id))) }
        let region = JSONValue.object([
            ("startLine", .number(location.line)), ("startColumn", .number(location.scalarColumn)),
        ])
        let artifact = JSONValue.object([("uri", .string(uri(path)))])
        members.append(("physicalLocation", .object([("artifactLocation", artifact), ("region", region)])))
        if let message { members.append(("message", .object([("text", .string(message))]))) }
        return .object(members)
    }

    /// A path as a reference of a URI: all but unreserved characters and slashes are escaped.
    private static func uri(_ path: String) -> String {
        path.utf8.reduce(into: "") { result, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~/".contains(character) {
                result.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }
}
