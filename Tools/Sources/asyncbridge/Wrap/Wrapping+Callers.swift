// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import CheckReports
import ExactlyOnce

extension Wrapping {
    /// Rewrites calls of functions that have twins, builds, and takes those back that do not compile.
    ///
    /// A call in the closure of another one comes into async code when that one is rewritten: so it is done until
    /// nothing is left to do.
    func rewriteCallers(
        _ command: String,
        _ plan: inout Plan,
        _ read: PackageReader.Package,
        _ changes: inout [Change],
        _ notes: inout [String]
    ) throws {
        let rewriter = CallerRewriter(TwinCalls(plan))
        var files = read.files.filter { !isTwinFile($0.file.path) }.map { file in
            let text = changes.first { $0.path == file.file.path }?.new
            return text.map { SourceFile(path: file.file.path, source: $0, nesting: Parallel.nesting) } ?? file.file
        }
        /// The calls of the last round; of rounds before that only those that were rewritten.
        var sites: [CallerSite] = []
        var builds = 0
        // Each round may bring only what the one before it has uncovered.
        for _ in 0..<Self.deepestNesting {
            let found = files.map {
                CallerVerification.File(path: absolute($0.path), source: $0, sites: rewriter.sites(in: $0))
            }
            var known = CallerVerification(found.filter { !$0.sites.isEmpty })
            known.leave(sites)
            let isUseful = known.files.contains { $0.sites.contains { $0.edit != nil } }
            if isUseful { try verify(&known, command) }
            builds += known.builds
            sites = sites.filter { $0.edit != nil } + known.files.flatMap(\.sites)
            guard isUseful else { break }
            let texts = Dictionary(known.files.map { ($0.source.path, $0.text) }) { first, _ in first }
            files = files.map { file in
                texts[file.path].map { SourceFile(path: file.path, source: $0, nesting: Parallel.nesting) } ?? file
            }
        }
        for file in files {
            let text = String(decoding: file.text, as: UTF8.self)
            if let index = changes.firstIndex(where: { $0.path == file.path }) {
                changes[index].new = text
            } else if let old = read.files.first(where: { $0.file.path == file.path })?.file {
                changes.append(Change(path: file.path, old: String(decoding: old.text, as: UTF8.self), new: text))
            }
        }
        changes.sort { $0.path < $1.path }
        plan.callers = sites.sorted { ($0.path, $0.location) < ($1.path, $1.location) }
        if builds > 0 { notes.append("“\(command)” succeeds with the rewritten calls, after \(builds) builds.") }
    }

    /// Closures in closures in closures: more of them are no code that somebody reads.
    private static var deepestNesting: Int { 16 }

    private func verify(_ verification: inout CallerVerification, _ command: String) throws {
        do {
            try verification.run { texts in
                for (path, text) in texts { try journal.write(text, to: path) }
                StandardError.write("building with rewritten calls…\n")
                return try build(command)
            }
        } catch Verification.Failure.unexplained(let messages) {
            let words = messages.prefix(10).joined(separator: "\n  ")
            throw Failure("“\(command)” fails with rewritten calls, and nothing tells which is the cause:\n  \(words)")
        }
    }
}
