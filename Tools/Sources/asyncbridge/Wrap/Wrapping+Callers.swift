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
            return text.map { parsed(file.file.path, $0) } ?? file.file
        }
        /// The calls of the last round; of rounds before that only those that were rewritten.
        var sites: [CallerSite] = []
        /// The files that were written, by their paths: also those in which all calls were taken back.
        var rewritten: [String: String] = [:]
        var builds = 0
        // Each round may bring only what the one before it has uncovered.
        for _ in 0..<Self.deepestNesting {
            let found = files.map {
                CallerVerification.File(path: absolute($0.path), source: $0, sites: rewriter.sites(in: $0))
            }
            var round = CallerVerification(found.filter { !$0.sites.isEmpty })
            round.leave(sites)
            let isLast = !round.hasEdits
            if !isLast { try verify(&round, command) }
            builds += round.builds
            sites = sites.filter { $0.edit != nil } + round.files.flatMap(\.sites)
            if isLast { break }
            let texts = Dictionary(uniqueKeysWithValues: round.files.map { ($0.source.path, $0.text) })
            rewritten.merge(texts) { _, new in new }
            files = files.map { file in texts[file.path].map { parsed(file.path, $0) } ?? file }
        }
        for index in changes.indices {
            if let text = rewritten.removeValue(forKey: changes[index].path) { changes[index].new = text }
        }
        for file in read.files {
            guard let text = rewritten[file.file.path] else { continue }
            changes.append(
                Change(path: file.file.path, old: String(decoding: file.file.text, as: UTF8.self), new: text)
            )
        }
        changes.sort { $0.path < $1.path }
        plan.callers = sites.sorted { ($0.path, $0.location) < ($1.path, $1.location) }
        if builds > 0 {
            notes.append("“\(command)” succeeds with the rewritten calls, after \(builds) builds.")
        }
    }

    func parsed(_ path: String, _ text: String) -> SourceFile {
        SourceFile(path: path, source: text, nesting: Parallel.nesting)
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
