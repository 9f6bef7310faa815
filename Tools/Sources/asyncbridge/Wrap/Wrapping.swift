// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import CheckReports
import ExactlyOnce
import Foundation

/// One run of `asyncbridge wrap`: reads, plans, writes, builds, and puts everything back if it cannot end.
struct Wrapping {
    /// What there is to say at the end.
    struct Answer {
        var plan: Plan
        /// The difference between the files with twins as they were and as they are, or would be.
        var difference: String
        var notes: [String]
        var failures: [Report.Failure]
    }

    /// A file that is written, or would be.
    struct Change {
        var path: String
        var old: String?
        var new: String?
    }

    /// A file with twins.
    struct Output {
        var path: String
        var functions: [Int]
        var writer: any TwinWriter
        /// The modules that it imports for others, who do not need that.
        var unneededImports: Set<String> = []

        /// The file, without the functions with these titles.
        func text(_ plan: Plan, without titles: Set<String> = []) -> String? {
            let text = writer.text(of: functions.map { plan.functions[$0] }.filter { !titles.contains($0.title) })
            return text.map { OverlayFile.lowering(importsOf: unneededImports, in: $0) }
        }
    }

    let package: PackageModules
    private let modules: [PackageModules.Module]
    private let reader: PackageReader
    private let interruption: Interruption
    let journal = Journal()

    init(package: PackageModules, wanted: [String], reader: PackageReader, interruption: Interruption) throws {
        self.package = package
        self.reader = reader
        self.interruption = interruption
        for name in wanted where !package.modules.contains(where: { $0.name == name }) {
            let names = package.modules.map(\.name).joined(separator: ", ")
            throw Failure("There is no target “\(name)” with sources. There is: \(names).")
        }
        modules = wanted.isEmpty ? package.modules : package.modules.filter { wanted.contains($0.name) }
    }

    /// What is to be done.
    struct Options {
        var writes: Bool
        /// What builds the package, if it is to be built.
        var buildCommand: String?
        var rewritesCallers: Bool
        /// Whether functions that nobody calls any more go; public ones only if other packages may break.
        var dropsCompletions: Bool
        var isBreaking: Bool
        var allowsDirty: Bool
        /// Where the report of an earlier run may lie.
        var report: String?
    }

    func run(_ options: Options) throws -> Answer {
        if options.writes || options.buildCommand != nil, !options.allowsDirty { try checkTree(options) }
        // All modules are read: aliases and async functions of one may be used in another.
        let read = reader.read(package.modules)
        var plan = reader.plan(read)
        plan.functions.removeAll { function in !modules.contains { $0.name == function.module } }
        var outputs = outputs(of: plan, read)
        try checkPlaces(of: outputs)
        for output in outputs { output.writer.adopt(&plan.functions, output.functions) }
        var notes = missingDependency(plan)
        try interruption.check()
        do {
            let isBuilt = try options.buildCommand.map { try verify($0, &plan, &outputs, &notes) } ?? false
            var changes = outputs.map { Change(path: $0.path, old: $0.writer.existing, new: $0.text(plan)) }
            if options.rewritesCallers, let command = options.buildCommand {
                if isBuilt {
                    try rewriteCallers(command, &plan, read, &changes, &notes)
                } else {
                    notes.append("No call was rewritten: nothing tells whether what is written compiles.")
                }
            }
            if options.dropsCompletions, let command = options.buildCommand {
                if isBuilt, read.failures.isEmpty {
                    try dropCompletions(command, &plan, read, outputs, &changes, &notes, options.isBreaking)
                } else {
                    notes.append("No completion handler was dropped: nothing tells whether all callers are known.")
                }
            }
            ResumeFile(in: package.root).remove()
            notes += changes.flatMap(lostEdits)
            let difference = changes.map { UnifiedDiff.text(of: $0.path, from: $0.old, to: $0.new) }
            if options.writes {
                for change in changes { try journal.write(change.new, to: change.path) }
                journal.keep()
            } else {
                try putBack()
            }
            return Answer(plan: plan, difference: difference.joined(), notes: notes, failures: read.failures)
        } catch {
            try putBack()
            throw error
        }
    }

    /// What users have written into blocks whose functions have changed or gone since: git may not have it.
    private func lostEdits(_ change: Change) -> [String] {
        guard let old = change.old else { return [] }
        return OverlayFile(old).editsLost(in: change.new).map { "\(change.path): \($0.words)" }
    }

    private func putBack() throws {
        let failed = journal.undo()
        guard failed.isEmpty else { throw Failure("These files could not be put back: \(failed)") }
    }

    private func checkTree(_ options: Options) throws {
        let folders = package.modules.map(\.overlayFolder)
        let root = package.root == "." ? "" : package.root + "/"
        let report = options.report.map { URL(filePath: $0).resolvingSymlinksInPath() }
        let obstacle = try GitTree.obstacle(in: package.root, interruption) { path in
            folders.contains { (root + path).hasPrefix($0 + "/") }
                || path.hasSuffix(".json") && report == URL(filePath: root + path).resolvingSymlinksInPath()
        }
        if let obstacle { throw Failure("The tree is not clean: \(obstacle). --allow-dirty goes on all the same.") }
    }

    private func outputs(of plan: Plan, _ read: PackageReader.Package) -> [Output] {
        var outputs: [Output] = []
        var left = read.overlays
        for module in modules {
            for file in read.files where file.module == module.name && !module.isOverlay(file.file.path) {
                let path = reader.form == .overlay ? module.overlay(of: file.file.path) : file.file.path
                let existing = left.removeValue(forKey: path)
                let functions = plan.twins(of: file.file.path)
                guard existing != nil || !functions.isEmpty else { continue }
                let writer = writer(of: file, existing, plan, path)
                outputs.append(Output(path: path, functions: functions, writer: writer))
            }
        }
        // The source file is gone.
        for (path, text) in left
        where reader.form == .overlay && modules.contains(where: { $0.isOverlay(path) }) {
            let writer = OverlayWriter(source: "", imports: [], existing: text)
            outputs.append(Output(path: path, functions: [], writer: writer))
        }
        return outputs.sorted { $0.path < $1.path }
    }

    /// Fails if a file with twins would be written where nothing compiles it: the build would prove nothing.
    private func checkPlaces(of outputs: [Output]) throws {
        guard reader.form == .overlay else { return }
        for module in modules where module.openFolder == nil && outputs.contains(where: { module.isOverlay($0.path) }) {
            throw Failure(
                "The target “\(module.name)” names its files in `sources:`, so a new one would not be compiled. Add "
                    + "\"AsyncBridge\" there, or write the twins into the files, with --level in-place."
            )
        }
    }

    private func writer(of file: FileFacts, _ existing: String?, _ plan: Plan, _ path: String) -> any TwinWriter {
        switch reader.form {
        case .overlay:
            return OverlayWriter(
                source: Self.name(of: file.file.path),
                imports: file.imports,
                license: file.license(in: Self.name(of: path)),
                existing: existing
            )
        case .inPlace:
            return OverlayWriter(inPlaceOf: existing ?? String(decoding: file.file.text, as: UTF8.self))
        case .macros:
            let others = plan.functions.filter { $0.path == file.file.path && !$0.isTwin }
            return MacroWriter(file.file, others: others)
        }
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// What to add to the manifest, if it does not know the library.
    private func missingDependency(_ plan: Plan) -> [String] {
        let twins = plan.functions.filter(\.isTwin)
        let product = reader.form == .macros ? "AsyncBridgeMacros" : "AsyncBridge"
        guard let manifest = package.manifest, !manifest.contains(product), !twins.isEmpty else { return [] }
        let names = Set(twins.map(\.module)).sorted().joined(separator: ", ")
        let trait =
            reader.form == .macros ? " with traits: [\"Macros\"], for which its tools version must be 6.1 or later" : ""
        let traits = reader.form == .macros ? ", traits: [\"Macros\"]" : ""
        let version = PackageManifest.toolsVersion(in: manifest)
        let isOld = version.map { $0 < (5, 5) } ?? false
        let old = isOld ? ["Its tools version is below 5.5, which a package with async functions needs."] : []
        return [
            "Package.swift does not name \(product): add the package swift-async-bridge to its dependencies\(trait), and "
                + "the product \(product) to those of: \(names).",
            "  .package(name: \"swift-async-bridge\", path: \"…\"\(traits)),  // where its clone is, whatever its name",
            "  .product(name: \"\(product)\", package: \"swift-async-bridge\"),",
        ] + old
    }

    // MARK: Building

    /// - Returns: Whether the package builds with what is there now.
    private func verify(
        _ command: String,
        _ plan: inout Plan,
        _ outputs: inout [Output],
        _ notes: inout [String]
    ) throws -> Bool {
        guard plan.functions.contains(where: \.isTwin) else { return true }
        let files = outputs.map { output in
            Verification.File(path: absolute(output.path), functions: output.functions, writer: output.writer)
        }
        let resume = ResumeFile(in: package.root)
        ResumePoint.apply(resume.read(), to: &plan.functions)
        var verification = Verification(plan.functions, in: files)
        var round = 0
        do {
            let result = try verification.run { texts in
                for (path, text) in texts ?? [] { try journal.write(text, to: path) }
                let isBare = texts?.allSatisfy { $0.text == nil } ?? true
                StandardError.write(isBare ? "building without twins…\n" : "building with twins, \(round)…\n")
                round += 1
                return try build(command)
            } sources: {
                isSource($0)
            } readingLine: { place in
                let text = TextFile.read(place.path)
                let lines = text?.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                guard let lines, lines.indices.contains(place.line - 1) else { return "" }
                return String(lines[place.line - 1])
            } noting: { functions in
                resume.write(ResumePoint.all(of: functions))
            }
            plan.functions = verification.functions
            for index in outputs.indices where reader.form == .overlay {
                outputs[index].unneededImports = result.unneededImports[files[index].path] ?? []
            }
            notes += Self.notes(on: result, command)
            return result.succeeded
        } catch Verification.Failure.notCompiled(let lines) {
            let words = lines.isEmpty ? "it prints nothing" : lines.joined(separator: "\n  ")
            throw Failure(
                """
                “\(command)” fails without twins, before the compiler comes to the package's sources, so it could prove \
                nothing. Nothing was written. The last lines that it prints:
                  \(words)
                """
            )
        } catch Verification.Failure.files(let message) {
            throw Failure("The files with twins cannot be compiled: \(message)")
        } catch Verification.Failure.unexplained(let messages) {
            let words = messages.prefix(10).joined(separator: "\n  ")
            throw Failure(
                "“\(command)” fails with the twins, and nothing tells which of them is the cause:\n  \(words)"
            )
        }
    }

    /// Whether a compiler's path is that of a source file of the package.
    private func isSource(_ path: String) -> Bool {
        let root = URL(filePath: package.root, directoryHint: .isDirectory).resolvingSymlinksInPath()
        let start = root.path(percentEncoded: false).split(separator: "/")
        let whole = URL(filePath: path, relativeTo: root).resolvingSymlinksInPath().path(percentEncoded: false)
        let names = whole.split(separator: "/")
        guard names.starts(with: start) else { return false }
        let rest = names.dropFirst(start.count)
        guard let first = rest.first, !first.hasPrefix(".") else { return false }
        return rest.count > 1 || package.manifest == nil || !first.hasPrefix("Package")
    }

    /// Whether a file is one that holds nothing but twins.
    func isTwinFile(_ path: String) -> Bool { package.modules.contains { $0.isOverlay(path) } }

    func build(_ command: String) throws -> Verification.Build {
        let start = ContinuousClock.now
        let built = try ShellCommand(line: command, folder: package.root).run(interruption)
        StandardError.write("  took \((ContinuousClock.now - start).components.seconds) s\n")
        // A pipe may hide that the compiler has failed.
        let isWrong = BuildDiagnostic.all(in: built.output).contains { diagnostic in
            diagnostic.severity == .error && isSource(diagnostic.origin.path)
        }
        return Verification.Build(succeeded: built.succeeded && !isWrong, output: built.output)
    }

    /// The path as a compiler prints it, of a file whose folder may not be there yet.
    func absolute(_ path: String) -> String {
        let url = URL(filePath: path).standardizedFileURL
        if FileManager.default.fileExists(atPath: path) {
            return url.resolvingSymlinksInPath().path(percentEncoded: false)
        }
        let folder = url.deletingLastPathComponent()
        let module = folder.deletingLastPathComponent().resolvingSymlinksInPath()
        return module.appending(path: folder.lastPathComponent).appending(path: url.lastPathComponent)
            .path(percentEncoded: false)
    }

    private static func notes(on result: Verification.Result, _ command: String) -> [String] {
        var notes: [String] = []
        if result.succeeded {
            notes.append("“\(command)” succeeds with the twins, after \(result.builds) builds.")
        } else {
            notes.append("“\(command)” fails without twins, and has no other errors with them:")
            notes += result.baseline.prefix(10).map { "  \($0.place.path):\($0.place.line): \($0.message)" }
            notes.append("What needs a module with errors was not compiled: run this again when they are gone.")
        }
        return notes
    }
}
