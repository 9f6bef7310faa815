// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CheckReports
import ExactlyOnce
import Foundation
import Synchronization

/// Reads files and checks them, several at a time.
///
/// Each file is read twice: first for what the whole project should know of it, then for its findings. Only some syntax
/// trees are kept in between, so that memory does not grow with the project.
struct Checker: Sendable {
    /// What was found, before it is compared with a baseline.
    struct Result: Sendable {
        var findings: [Finding] = []
        var failures: [Report.Failure] = []
        var files = 0
        var lines = 0
        /// What the files tell together.
        var knowledge = Knowledge()
    }

    var profile: Analysis.Profile
    /// Whether files of tests are checked, too.
    var withTests: Bool
    var apis: APITable
    var jobs: Int
    var progress: Progress

    /// Checks files, and knows what the files of `context` tell together.
    func check(_ inputs: [Inputs.Input], knowing context: [Inputs.Input]) -> Result {
        let steps = inputs.count + context.count
        let trees = ParsedFiles(bytes: Self.keptBytes)
        let knowledge = knowledge(of: context, keeping: Set(inputs), in: trees, steps: steps)
        defer { progress.end() }
        return check(inputs, with: knowledge, in: trees, steps: steps)
    }

    /// Checks files, and knows what others tell.
    func check(_ inputs: [Inputs.Input], with knowledge: Knowledge) -> Result {
        defer { progress.end() }
        return check(inputs, with: knowledge, in: ParsedFiles(bytes: 0), steps: inputs.count)
    }

    private func check(
        _ inputs: [Inputs.Input],
        with knowledge: Knowledge,
        in trees: ParsedFiles,
        steps: Int
    ) -> Result {
        let analysis = Analysis(profile: profile, knowledge: knowledge)
        let parts = Parallel.map(inputs, jobs: jobs) { input in
            defer { self.progress.advance(of: steps) }
            return check(input, analysis, trees)
        }
        var result = Result(knowledge: knowledge)
        for part in parts {
            result.findings += part.findings
            result.failures += part.failures
            result.files += part.files
            result.lines += part.lines
        }
        return result
    }

    /// The files that are better with the fixes of these findings: their new texts, and how many fixes each has.
    func repair(
        _ findings: [Finding],
        knowing knowledge: Knowledge
    ) -> [(path: String, text: [UInt8], applied: Int)] {
        let analysis = Analysis(profile: profile, knowledge: knowledge)
        let fixable = findings.filter { $0.fix?.isApplied == true }
        let files = Dictionary(grouping: fixable, by: \.path).sorted { $0.key < $1.key }
        return Parallel.map(files, jobs: jobs) { path, findings in
            guard let text = TextFile.read(path) else { return (path, [], 0) }
            let file = SourceFile(path: path, source: text, nesting: Parallel.nesting)
            let repair = Repair(findings, of: file, nesting: Parallel.nesting) { Self.findings(in: $0, analysis) }
            return (path, repair.text, repair.applied)
        }
        .filter { $0.applied > 0 }
    }

    /// How much source is kept as trees, which need some thirty times as much.
    private static let keptBytes = 3 << 20

    private func check(_ input: Inputs.Input, _ analysis: Analysis, _ trees: ParsedFiles) -> Result {
        if let file = trees.take(input.path) { return Self.check(file, analysis) }
        var result = Result(files: 1)
        guard let text = input.read() else {
            result.files = input.isClosed ? 0 : 1
            result.failures = [Report.Failure(path: input.path, message: input.message)]
            return result
        }
        guard Analysis.isWorthParsing(text, profile: analysis.profile), isWanted(text, of: input) else {
            result.lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
            return result
        }
        if let place = SourceFile.tooDeepBracket(in: text) {
            let message = "brackets are nested more than \(BracketNesting.limit) deep here: the file is not checked"
            result.failures = [Report.Failure(path: input.path, location: place, message: message)]
            return result
        }
        return Self.check(SourceFile(path: input.path, source: text, nesting: Parallel.nesting), analysis)
    }

    private func isWanted(_ text: String, of input: Inputs.Input) -> Bool {
        withTests || input.isNamed || !Analysis.isTest(text)
    }

    private static func check(_ file: SourceFile, _ analysis: Analysis) -> Result {
        var result = Result(files: 1, lines: file.lineCount)
        if let offset = file.firstSyntaxError {
            let message = "the file cannot be parsed; its findings may be incomplete"
            result.failures = [Report.Failure(path: file.path, location: file.location(of: offset), message: message)]
        }
        result.findings = findings(in: file, analysis)
        return result
    }

    private static func findings(in file: SourceFile, _ analysis: Analysis) -> [Finding] {
        Suppressions(file).apply(to: analysis.findings(in: file), in: file) {
            var strict = analysis
            strict.profile = .strict
            return analysis.profile == .strict ? [] : strict.findings(in: file)
        }
    }

    private func knowledge(
        of inputs: [Inputs.Input],
        keeping kept: Set<Inputs.Input>,
        in trees: ParsedFiles,
        steps: Int
    ) -> Knowledge {
        let parts = Parallel.map(inputs, jobs: jobs) { input -> Knowledge? in
            defer { self.progress.advance(of: steps) }
            guard let text = input.read(), Knowledge.isWorthParsing(text), BracketNesting.excess(in: text.utf8) == nil
            else { return nil }
            let file = SourceFile(path: input.path, source: text, nesting: Parallel.nesting)
            let isChecked = Analysis.isWorthParsing(text, profile: self.profile) && isWanted(text, of: input)
            if kept.contains(input), isChecked { trees.put(file) }
            return Knowledge(of: [file], apis: self.apis)
        }
        var knowledge = Knowledge()
        knowledge.apis = apis
        for part in parts { if let part { knowledge.merge(part) } }
        return knowledge
    }
}
