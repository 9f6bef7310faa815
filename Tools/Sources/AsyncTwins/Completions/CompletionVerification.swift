// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce

/// Builds a package without some functions that have completion handlers, and takes those back that it needs.
///
/// It writes and runs nothing itself: it is given what does.
package struct CompletionVerification: Sendable {
    /// A source file, as the compiler names it.
    package struct File: Sendable {
        package var path: String
        package var source: SourceFile
        package var sites: [CompletionSite]

        package init(path: String, source: SourceFile, sites: [CompletionSite]) {
            self.path = path
            self.source = source
            self.sites = sites
        }

        /// The file as it is now.
        package var text: String { written.text }

        /// The file as it is now, and the lines of each async function, by its index among the sites.
        fileprivate var written: (text: String, lines: [(lines: ClosedRange<Int>, site: Int)]) {
            let edits = sites.map(\.edit)
            guard edits.contains(where: { $0 != nil }) else { return (source.edited([]).text, []) }
            var all: [(edit: SourceEdit, site: Int?)] = []
            if let added = source.importing("AsyncBridge") { all.append((added, nil)) }
            for (site, edit) in edits.enumerated() { if let edit { all.append((edit, site)) } }
            all.sort { $0.edit.range.lowerBound < $1.edit.range.lowerBound }
            let (text, lines) = source.edited(all.map(\.edit))
            return (text, lines.compactMap { lines, edit in all[edit].site.map { (lines, $0) } })
        }
    }

    package private(set) var files: [File]
    /// How many builds it took.
    package private(set) var builds = 0

    package init(_ files: [File]) { self.files = files }

    /// Whether a function goes.
    package var hasEdits: Bool { files.contains { $0.sites.contains { $0.edit != nil } } }

    /// Builds until the package builds, or nothing goes.
    ///
    /// - Parameter build: Builds the package with these files.
    /// - Throws: What `build` throws. What it has written is not undone.
    package mutating func run(
        building build: ([CompletionVerification.File]) throws -> Verification.Build
    ) throws {
        while hasEdits {
            let built = try build(files)
            builds += 1
            if built.succeeded { return }
            let errors = built.errors
            let end = built.output.split(whereSeparator: \.isNewline).suffix(5).map(String.init)
            if !takeBack(errors) { takeBackAll(errors.isEmpty ? end : errors.map(\.message)) }
        }
    }

    /// Takes back those that errors stand in, and those whose names they say.
    ///
    /// - Returns: Whether there was one.
    private mutating func takeBack(_ errors: [BuildDiagnostic]) -> Bool {
        var hasFound = false
        for index in files.indices {
            let lines = files[index].written.lines
            for (range, site) in lines {
                let name = files[index].sites[site].name
                let own = errors.filter { error in
                    let places = [error.place, error.origin] + error.notes
                    return places.contains { $0.path == files[index].path && range.contains($0.line) }
                        || error.message.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == name }
                }
                guard !own.isEmpty else { continue }
                files[index].sites[site].outcome = .kept(.compiler(own.map(\.message)))
                hasFound = true
            }
        }
        return hasFound
    }

    private mutating func takeBackAll(_ messages: [String]) {
        for index in files.indices {
            for site in files[index].sites.indices where files[index].sites[site].edit != nil {
                files[index].sites[site].outcome = .kept(.compiler(messages))
            }
        }
    }
}

extension CompletionSite {
    /// The name of the function.
    fileprivate var name: Substring { title.prefix { $0 != "(" }.split(separator: ".").last ?? "" }
}
