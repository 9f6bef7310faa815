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
            apis: try table(),
            jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
            progress: Progress(isShown: StandardError.isTerminal && format == .text)
        )
        var result = checker.check(inputs, knowing: context)
        let shown = result.findings.filter { notes || failOn == .note || $0.level > .note }
        if fix {
            let applied = try Fixer.apply(shown, to: inputs)
            StandardError.write("applied \(applied) fix\(applied == 1 ? "" : "es")\n")
            result = checker.check(inputs, knowing: context)
        }
        try write(result, showing: result.findings.filter { notes || failOn == .note || $0.level > .note })
    }

    private func write(_ result: Checker.Result, showing shown: [Finding]) throws {
        var new = shown
        var stale: [Baseline.Entry] = []
        if let baseline {
            if updateBaseline {
                let text = Baseline(accepting: shown).written
                try text.write(toFile: baseline, atomically: true, encoding: .utf8)
            }
            (new, stale) = try Baseline(file: baseline).apply(to: shown)
        }
        let report = Report(
            findings: new,
            files: result.files,
            lines: result.lines,
            failures: result.failures,
            stale: stale,
            hidden: shown.count - new.count
        )
        FileHandle.standardOutput.write(Data(report.written(as: format).utf8))
        if !result.failures.isEmpty { throw ExitCode(2) }
        if new.contains(where: { $0.level >= failOn }) { throw ExitCode(1) }
    }

    private func table() throws -> APITable {
        var table = APITable.standard
        for path in apis {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw ValidationError("\(path) cannot be read.")
            }
            do {
                try table.add(text)
            } catch {
                throw ValidationError("\(path): \(error)")
            }
        }
        return table
    }
}

extension Analysis.Profile: ExpressibleByArgument {}
extension Report.Format: ExpressibleByArgument {}
extension Level: ExpressibleByArgument {}
