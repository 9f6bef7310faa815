// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CheckReports
import ExactlyOnce
import Foundation

/// Checks files.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reports continuations and handlers that some path delivers never or twice."
    )

    @Argument(help: "Files, directories, packages; “-” is standard input. Defaults to the current directory.")
    var paths: [String] = ["."]

    @Option(help: "continuations: only these, for a gate. strict: also handlers that only their type announces.")
    var profile: Analysis.Profile = .default

    @Option(help: "text, json or sarif.")
    var format: Report.Format = .text

    @Option(help: "A file with findings that are accepted for now.")
    var baseline: String?

    @Flag(help: "Writes all findings into the baseline.")
    var updateBaseline = false

    @Option(help: "The lowest level that makes the exit code 1: error, warning or note.")
    var failOn: Level = .warning

    @Flag(help: "Shows notes, too: what is worth knowing, but often meant.")
    var notes = false

    @Option(help: "A table of your own APIs; see “asyncbridge apis”.")
    var apis: [String] = []

    @Option(help: "The project to know, if only a part of it is checked: files, directories, packages.")
    var context: [String] = []

    @Flag(help: "Checks files of tests, too.")
    var tests = false

    @Flag(help: "Applies the fixes that the findings offer.")
    var fix = false

    @Option(help: "How many files are checked at a time. Defaults to the number of cores.")
    var jobs: Int?

    func validate() throws {
        if updateBaseline, baseline == nil { throw ValidationError("--update-baseline needs --baseline FILE.") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
        if fix, paths.contains("-") { throw ValidationError("--fix cannot change standard input.") }
    }

    func run() throws {
        let inputs = try Inputs.all(at: paths, withTests: tests)
        let context = context.isEmpty ? inputs : try Inputs.all(at: context, withTests: tests)
        let checker = Checker(
            profile: profile,
            withTests: tests,
            apis: try APITable(addingFiles: apis),
            jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
            progress: Progress(isShown: StandardError.isTerminal && format == .text)
        )
        let file = baseline.map { BaselineFile($0) }
        var result = checker.check(inputs, knowing: context)
        if fix {
            // What is accepted is left as it is.
            let accepted = updateBaseline ? nil : try file?.read()
            let fixer = Fixer(checker: checker, inputs: inputs, context: context)
            let fixed = try fixer.fix(result) { result in
                let shown = shown(result)
                guard let accepted, let file else { return shown }
                return accepted.apply(to: shown, at: file.place).new
            }
            StandardError.write("applied \(fixed.applied) fix\(fixed.applied == 1 ? "" : "es")\n")
            result = fixed.result
        }
        var report = Report(
            findings: shown(result),
            files: result.files,
            lines: result.lines,
            failures: result.failures
        )
        if let file { try hideAccepted(of: file, result, checker, inputs, in: &report) }
        try write(report)
    }

    /// The findings that are asked for.
    private func shown(_ result: Checker.Result) -> [Finding] {
        result.findings.filter { notes || failOn == .note || $0.level > .note }
    }

    private func hideAccepted(
        of file: BaselineFile,
        _ result: Checker.Result,
        _ checker: Checker,
        _ inputs: [Inputs.Input],
        in report: inout Report
    ) throws {
        let all = report.findings
        if updateBaseline { try file.write(Baseline(accepting: all, at: file.place)) }
        let accepted = try file.read()
        let unchecked = StaleEntries(file: file, roots: paths, inputs: inputs)
        report.findings = accepted.apply(to: all, at: file.place).new
        report.hidden = all.count - report.findings.count
        report.stale = unchecked.stale(in: accepted, result, checker)
    }

    private func write(_ report: Report) throws {
        try StandardOutput.write(report.written(as: format))
        if !report.failures.isEmpty { throw ExitCode(2) }
        if report.findings.contains(where: { $0.level >= failOn }) { throw ExitCode(1) }
    }
}

extension Analysis.Profile: ExpressibleByArgument {}
extension Report.Format: ExpressibleByArgument {}
extension Level: ExpressibleByArgument {}
