// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import ExactlyOnce

extension Plan {
    /// One line for each function: where it is, what it is called, what becomes of it.
    package var table: String {
        guard !functions.isEmpty else { return "" }
        let functions = functions.map { ["\($0.path):\($0.location.line)", $0.title, $0.words] }
        let rows = [["Place", "Function", "Twin"]] + functions
        // A few long names must not push everything else to the right.
        let widths = (0..<2).map { column in min(rows.map { $0[column].count }.max() ?? 0, Self.widestColumn) }
        return rows.map { row in
            let cells = (0..<2).map { row[$0] + String(repeating: " ", count: max(0, widths[$0] - row[$0].count)) }
            return (cells + [row[2]]).joined(separator: "  ") + "\n"
        }
        .joined()
    }

    private static var widestColumn: Int { 60 }

    /// How many, of what kind, what has none and why.
    package var summary: String {
        guard !functions.isEmpty else { return "No function has a completion handler.\n" + delegateSummary }
        let twins = functions.filter(\.isTwin)
        let written = twins.filter { $0.rung.errors == nil }
        var lines = ["\(Self.count(functions.count, "function")) with a completion handler:"]
        lines.append("  \(written.count) with a twin that this tool writes" + Self.shapes(written))
        lines += Self.details(written)
        if twins.count > written.count {
            lines.append("  \(twins.count - written.count) with one that does not compile: it is commented out")
        }
        let groups: [(String, (Decision) -> Bool)] = [
            ("with an async function already", { $0.word == "existing" }),
            ("with one that differs only in details, such as a queue", { $0.word == "near-twin" }),
            ("with that of a protocol's requirement, which calls them", { $0.word == "inherited" }),
            ("private: a twin would have to be in the same file", { $0.word == "private" }),
            ("internal: --include-internal takes these, too", { $0.word == "internal" }),
            ("that may call back more than once: write a CallbackSequence", { $0.word == "several-shot" }),
        ]
        for (words, isIn) in groups {
            let count = functions.count { isIn($0.decision) }
            if count > 0 { lines.append("  \(count) \(words)") }
        }
        lines += refusals
        return lines.joined(separator: "\n") + "\n" + callerSummary + completionSummary + problems + delegateSummary
    }

    private var callerSummary: String {
        let left = callers.compactMap { site in
            site.reason.map { Staying("\(site.path):\(site.location.line): \(site.title)", $0.words, $0.groupWords) }
        }
        return Self.summary("\(Self.count(callers.count, "call")) of them", callers.count, "rewritten", "left", left)
    }

    private var completionSummary: String {
        let kept = completions.compactMap { site in
            site.reason.map { Staying("\(site.path):\(site.location.line): \(site.title)", $0.words, $0.groupWords) }
        }
        let title = Self.count(completions.count, "completion handler")
        return Self.summary(title, completions.count, "dropped", "kept", kept)
    }

    /// How many were changed; those that stay, by reason, with the places of which the compiler says more.
    private static func summary(
        _ title: String,
        _ count: Int,
        _ changed: String,
        _ stays: String,
        _ staying: [Staying]
    ) -> String {
        guard count > 0 else { return "" }
        var lines = ["\n\(title): \(count - staying.count) \(changed)"]
        let groups = Dictionary(grouping: staying, by: \.groupWords)
        for (words, sites) in groups.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
            lines.append("  \(sites.count) \(stays): \(words)")
        }
        for site in staying where site.words != site.groupWords {
            lines.append("    \(site.place): \(site.words)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func shapes(_ functions: [PlannedFunction]) -> String {
        let counts = Generator.Completion.Shape.allCases.compactMap { shape -> (String, Int)? in
            let count = functions.count { $0.shape == shape }
            return count == 0 ? nil : (shape.words, count)
        }
        guard !counts.isEmpty else { return "" }
        return ": " + counts.sorted { $0.1 > $1.1 }.map { "\($0.1) with \($0.0)" }.joined(separator: ", ")
    }

    private static func details(_ functions: [PlannedFunction]) -> [String] {
        let marks = functions.map(\.marks)
        let details: [(String, String)] = [
            ("proven", "whose handler is called once on every path that the checker follows"),
            ("unchecked", "whose value is not Sendable: the function must release it when it calls back"),
        ]
        let counts = details.map { mark, words in (marks.count { $0.contains(mark) }, words) }
        let renamed = functions.filter { $0.marks.contains("renamed") }
        let names = [
            (
                renamed.count { $0.isBesideSynchronous },
                "called …Async, because calls of a synchronous function would mean the twin"
            ),
            (
                renamed.count { !$0.isBesideSynchronous && $0.hasDefaultCompletion },
                "called …Async, because callers may leave the handler out, and such calls would mean the twin"
            ),
            (
                renamed.count { !$0.isBesideSynchronous && !$0.hasDefaultCompletion },
                "called …Async, because existing code would call the twin unasked"
            ),
        ]
        return (counts + names).compactMap { count, words in count == 0 ? nil : "    \(count) \(words)" }
    }

    /// The functions without a twin, by reason.
    private var refusals: [String] {
        var counts: [String: Int] = [:]
        for function in functions {
            if case .refused(let reason, _) = function.decision { counts[reason, default: 0] += 1 }
        }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.map { "  \($0.value) refused: \(Self.words(ofReason: $0.key))" }
    }

    private static func words(ofReason reason: String) -> String {
        switch reason {
        case "initialiser": "initializers; write a static function that returns the object"
        case "overriding": "overrides; the twin of the superclass calls them"
        case "aliasedCompletion": "types that are aliases of other modules"
        case "returnsOther": "they return something else than a handle that can be cancelled"
        case "differsInResult": "their twins would differ from others only in what they return"
        case "handlerReturns": "the handler returns something"
        case "delegateMethod": "methods of delegates; only the object whose delegate it is calls them"
        case "nameSaysMore": "the handler's label is a part of the name, and the twin would need another one"
        case "handlerNests": "the handler gets a closure to answer with"
        case "neverCalled": "the body never mentions the handler"
        case "notStarted": "they return work that their callers have to start"
        case "unavailable": "nothing may use them"
        case "lentValue": "what the handler gets is only lent to it; --apis says what else lends, or does not"
        case "hiddenModule": "a type around them has the name of a module"
        case "privateInType": "their types are private in others, and no extension can name them; fileprivate would do"
        case "severalCompletions": "more than one parameter may be the handler"
        default: reason.words
        }
    }

    /// What the checker has found in functions that get a twin.
    private var problems: String {
        let found = functions.filter { !$0.verdict.findings.isEmpty && $0.isTwin }
        guard !found.isEmpty else { return "" }
        let lines = found.flatMap { function in
            function.verdict.findings.map { "  \($0.path):\($0.location.line): \($0.message) [\($0.rule)]" }
        }
        return "\nMistakes in functions that get a twin, found by the checker:\n" + lines.joined(separator: "\n") + "\n"
    }

    private var delegateSummary: String {
        guard !delegates.isEmpty else { return "" }
        let texts = delegates.map { "\($0.path):\($0.location.line): \($0.name)\n\($0.source.indented)\n" }
        return "\nDelegates whose events can become a sequence, with what to write:\n" + texts.joined()
    }
}

extension CompletionSite.Reason {
    /// The words for all functions with this reason.
    fileprivate var groupWords: String {
        if case .compiler = self { "the package does not build without them" } else { words }
    }
}

extension CallerSite.Reason {
    /// The words for all calls with this reason.
    fileprivate var groupWords: String {
        if case .compiler = self { "rewritten they do not compile" } else { words }
    }
}

extension PlannedFunction {
    /// What becomes of it, in a line.
    fileprivate var words: String {
        switch decision {
        case .twin:
            let twin = twin?.signature ?? ""
            let error = rung.errors?.first.map { "  does not compile: \($0)" } ?? ""
            return "\(twin)  [\(marks.joined(separator: ", "))]\(error)"
        case .existing(let title, isNear: false):
            // A requirement and its implementation have one name.
            return "has \(title == self.title ? "the twin of " : "")\(title)"
        case .existing(let title, isNear: true): return "nearly has \(title)"
        case .inherited(let title): return "has the twin of \(title)"
        case .hidden(let access): return access.word
        case .severalShots(let reason): return "several-shot? It \(reason.words)"
        case .refused(_, let message): return "refused: \(message)"
        }
    }
}

extension Generator.Completion.Shape {
    fileprivate var words: String {
        switch self {
        case .result: "a Result"
        case .valueAndError: "a value and an error"
        case .error: "an error"
        case .valuesAndError: "values and an error"
        case .value: "a value"
        case .values: "values"
        case .nothing: "nothing"
        case .pair: "a pair of handlers"
        }
    }
}

extension String {
    /// `handlerReturns` as "handler returns".
    fileprivate var words: String {
        reduce(into: "") { text, character in
            text += character.isUppercase ? " " + character.lowercased() : String(character)
        }
    }
}

/// What stays as it is, for a report.
private struct Staying {
    let place: String
    let words: String
    /// The words for all that stay for the same reason.
    let groupWords: String

    init(_ place: String, _ words: String, _ groupWords: String) {
        (self.place, self.words, self.groupWords) = (place, words, groupWords)
    }
}
