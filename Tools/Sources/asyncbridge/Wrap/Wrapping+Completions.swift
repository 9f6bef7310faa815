// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import CheckReports
import ExactlyOnce

extension Wrapping {
    /// Puts twins in the places of functions that nothing calls any more, builds, and takes those back that do not.
    func dropCompletions(
        _ command: String,
        _ plan: inout Plan,
        _ read: PackageReader.Package,
        _ outputs: [Output],
        _ changes: inout [Change],
        _ notes: inout [String],
        _ isBreaking: Bool
    ) throws {
        let facts = read.files.map { file in
            guard !isTwinFile(file.file.path), let text = changes.first(where: { $0.path == file.file.path })?.new
            else {
                return file
            }
            return FileFacts(parsed(file.file.path, text), module: file.module)
        }
        let known = Set(facts.map(\.file.path))
        let others = Inputs.files(in: package.root, withTests: true)
            .filter { !known.contains($0.path) && !isTwinFile($0.path) }
            .compactMap { input in input.read().map { parsed(input.path, $0) } }
        let edited = Set(
            outputs.flatMap { output in
                let file = OverlayFile(output.writer.existing ?? "")
                return output.functions.filter { file.isEdited(plan.functions[$0]) }.map { plan.functions[$0].title }
            }
        )
        let dropper = CompletionDropper(plan, facts, others: others, allowsPublic: isBreaking) { function in
            edited.contains(function.title)
        }
        let found = facts.map {
            CompletionVerification.File(path: absolute($0.file.path), source: $0.file, sites: dropper.sites(in: $0))
        }
        var verification = CompletionVerification(found.filter { !$0.sites.isEmpty })
        let planned = plan
        try verification.run { files in
            for file in files { try journal.write(file.text, to: file.path) }
            for (path, text) in Self.texts(of: outputs, planned, files) { try journal.write(text, to: path) }
            StandardError.write("building without completion handlers…\n")
            return try build(command)
        }
        plan.completions = verification.files.flatMap(\.sites)
        for (path, text) in Self.texts(of: outputs, plan, verification.files) {
            if let index = changes.firstIndex(where: { $0.path == path }) { changes[index].new = text }
        }
        // Files in which all were taken back have been written, too.
        for file in verification.files where verification.builds > 0 {
            let path = file.source.path
            if let index = changes.firstIndex(where: { $0.path == path }) {
                changes[index].new = file.text
            } else if let old = read.files.first(where: { $0.file.path == path }) {
                changes.append(Change(path: path, old: String(decoding: old.file.text, as: UTF8.self), new: file.text))
            }
        }
        changes.sort { $0.path < $1.path }
        if verification.hasEdits {
            notes.append(
                "“\(command)” succeeds without these completion handlers, after \(verification.builds) builds."
            )
        }
    }

    /// The files with twins, without those that stand in the source files now.
    private static func texts(
        of outputs: [Output],
        _ plan: Plan,
        _ files: [CompletionVerification.File]
    ) -> [(path: String, text: String?)] {
        outputs.map { output in
            let own = output.functions.first.map { plan.functions[$0].path }
            let sites = files.filter { $0.source.path == own }.flatMap(\.sites).filter { $0.edit != nil }
            return (output.path, output.text(plan, without: Set(sites.map(\.title))))
        }
    }
}
