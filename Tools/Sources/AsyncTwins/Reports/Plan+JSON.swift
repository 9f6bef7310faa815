// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
package import CheckReports
import ExactlyOnce

extension Plan {
    /// The plan for other programs: each function once, and totals that add up.
    ///
    /// The version changes when a member changes its meaning.
    package var json: JSONValue {
        var totals: [String: Int] = [:]
        for function in functions { totals[function.state, default: 0] += 1 }
        var members: [(String, JSONValue)] = [
            ("version", .number(1)),
            ("tool", .string(ToolVersion.current)),
            ("total", .number(functions.count)),
            ("totals", .object(totals.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) })),
            ("functions", .array(functions.map(\.json))),
            ("delegates", .array(delegates.map(\.json))),
        ]
        if !callers.isEmpty { members.append(("callers", .array(callers.map(\.json)))) }
        if !completions.isEmpty { members.append(("completions", .array(completions.map(\.json)))) }
        return .object(members)
    }
}

extension CompletionSite {
    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("path", .string(path)),
            ("line", .number(location.line)),
            ("function", .string(title)),
            ("state", .string(reason?.word ?? "dropped")),
        ]
        if case .compiler(let messages)? = reason { members.append(("reason", .string(messages.first ?? ""))) }
        return .object(members)
    }
}

extension CallerSite {
    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("path", .string(path)),
            ("line", .number(location.line)),
            ("function", .string(title)),
            ("state", .string(reason?.word ?? "rewritten")),
        ]
        if case .compiler(let messages)? = reason { members.append(("reason", .string(messages.first ?? ""))) }
        return .object(members)
    }
}

extension PlannedFunction {
    /// What became of it.
    fileprivate var state: String { rung.errors == nil ? decision.word : "commented-out" }

    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("path", .string(path)),
            ("line", .number(location.line)),
            ("module", .string(module)),
            ("type", .string(type)),
            ("name", .string(name)),
            ("labels", .array(labels.map(JSONValue.string))),
            ("access", .string(access.word)),
            ("shape", .string(shape?.rawValue ?? "unknown")),
            ("state", .string(state)),
            ("verdict", .string(verdict.word)),
            ("marks", .array(marks.map(JSONValue.string))),
        ]
        if let twin { members.append(("twin", .string(twin.signature))) }
        switch decision {
        case .twin:
            if let error = rung.errors?.first { members.append(("reason", .string(error))) }
        case .existing(let title, _): members.append(("twin", .string(title)))
        case .inherited(let title): members.append(("requirement", .string(title)))
        case .hidden: break
        case .severalShots(let shots):
            members.append(("reason", .string(shots.words)))
            members.append(("proposal", .string(proposedSequence)))
        case .refused(let reason, let message):
            members += [("reason", .string(reason)), ("message", .string(message))]
        }
        let findings = verdict.findings.map { finding in
            JSONValue.object([
                ("rule", .string(finding.rule)),
                ("line", .number(finding.location.line)),
                ("message", .string(finding.message)),
            ])
        }
        if !findings.isEmpty { members.append(("findings", .array(findings))) }
        return .object(members)
    }
}

extension DelegateProposal {
    fileprivate var json: JSONValue {
        .object([
            ("path", .string(path)),
            ("line", .number(location.line)),
            ("name", .string(name)),
            ("proposal", .string(source)),
        ])
    }
}
