// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import AsyncTwins
import CheckReports
import ExactlyOnce
import Foundation

/// The command `wrap`.
struct Wrap: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes async functions for those of a package that have a completion handler.",
        discussion: """
            Without --write nothing is changed: it prints a table, the difference, and how many functions get a twin. \
            With --write each source file with such functions gets a file of its own in the folder AsyncBridge of its \
            target; no existing line is changed. A block in it without the comment line above is yours.
            """
    )

    @Argument(help: "The package: its folder or its Package.swift, or a folder with the sources of one module.")
    var path = "."

    /// Where twins are written.
    enum Level: String, ExpressibleByArgument, CaseIterable {
        /// Into files of their own.
        case overlay
        /// At the end of the source files.
        case inPlace = "in-place"
    }

    /// What is written.
    enum Form {
        case overlay
        case inPlace
        case macros
    }

    @Flag(help: "Writes the files.")
    var write = false

    @Flag(help: "Writes nothing; the default.")
    var dryRun = false

    @Option(
        help: "overlay: files of their own. in-place: at the end of the source files, where private functions are, too."
    )
    var level: Level = .overlay

    @Flag(help: "Writes @Bridged at the functions instead of twins.")
    var macros = false

    @Option(help: "Only this target; may be repeated.")
    var module: [String] = []

    @Option(
        defaultAsFlag: "swift build",
        help: "Builds the package with this command, and takes what does not compile down until it builds."
    )
    var verify: String?

    @Flag(
        help: """
            Where async code, or the work of a task, calls a function with a twin and waits for nothing else, calls the \
            twin instead. Needs --verify: only the compiler can tell that a call means that function.
            """
    )
    var rewriteCallers = false

    @Flag(
        help: """
            Puts the async function in the place of each one with a completion handler that nothing in the package calls \
            any more. Needs --verify. Public ones stay without --breaking.
            """
    )
    var dropCompletions = false

    @Flag(help: "Drops completion handlers of public functions, too: other packages may call them.")
    var breaking = false

    @Option(help: "A table of your own APIs: which call closures many times, which lend; see “asyncbridge apis”.")
    var apis: [String] = []

    @Option(help: "Writes what becomes of each function into this file, as JSON.")
    var report: String?

    @Flag(help: "Takes internal functions, too, as for a program.")
    var includeInternal = false

    @Flag(help: "Writes into a tree that has changes which are not committed, or is in no git repository.")
    var allowDirty = false

    @Flag(help: "Leaves the difference out.")
    var noDiff = false

    @Flag(help: "Prints neither the table nor the difference, only how many functions get a twin.")
    var summary = false

    @Option(help: "How many files are looked at at a time. Defaults to the number of cores.")
    var jobs: Int?

    func validate() throws {
        if write, dryRun { throw ValidationError("--write and --dry-run exclude each other.") }
        if macros, level == .inPlace { throw ValidationError("--macros and --level in-place exclude each other.") }
        if rewriteCallers, verify == nil { throw ValidationError("--rewrite-callers needs --verify.") }
        if dropCompletions, verify == nil { throw ValidationError("--drop-completions needs --verify.") }
        if dropCompletions, macros || level == .inPlace {
            throw ValidationError("--drop-completions needs --level overlay.")
        }
        if breaking, !dropCompletions { throw ValidationError("--breaking needs --drop-completions.") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    }

    func run() throws {
        let interruption = Interruption()
        let wrapping = try Wrapping(
            package: PackageModules(at: path),
            wanted: module,
            reader: PackageReader(
                jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
                progress: Progress(isShown: StandardError.isTerminal),
                apis: try APITable(addingFiles: apis),
                takesInternal: includeInternal,
                form: macros ? .macros : level == .inPlace ? .inPlace : .overlay
            ),
            interruption: interruption
        )
        do {
            let answer = try wrapping.run(
                Wrapping.Options(
                    writes: write,
                    buildCommand: verify,
                    rewritesCallers: rewriteCallers,
                    dropsCompletions: dropCompletions,
                    isBreaking: breaking,
                    allowsDirty: allowDirty,
                    report: report
                )
            )
            try print(answer)
        } catch is Interruption.Interrupted {
            StandardError.write("Stopped. Everything is as it was.\n")
            throw ExitCode(130)
        }
    }

    private func print(_ answer: Wrapping.Answer) throws {
        if let report { try Self.write(answer.plan.json.written() + "\n", to: report) }
        var text = summary ? "" : answer.plan.table
        if !noDiff, !write, !summary { text += answer.difference.isEmpty ? "" : "\n" + answer.difference }
        if !text.isEmpty { text += "\n" }
        text += answer.plan.summary
        if !answer.notes.isEmpty { text += "\n" + answer.notes.joined(separator: "\n") + "\n" }
        try StandardOutput.write(text)
        for failure in answer.failures {
            let place = failure.location.map { ":\($0.line):\($0.scalarColumn)" } ?? ""
            StandardError.write("\(failure.path)\(place): error: \(failure.message)\n")
        }
        if !answer.failures.isEmpty { throw ExitCode(2) }
    }

    private static func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            throw Failure("“\(path)” cannot be written: \(error.localizedDescription)")
        }
    }
}
