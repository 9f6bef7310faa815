// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce

/// Builds a package with rewritten calls, and takes back those that do not compile until it builds.
///
/// It writes and runs nothing itself: it is given what does.
package struct CallerVerification: Sendable {
    /// A source file, as the compiler names it.
    package struct File: Sendable {
        package var path: String
        package var source: SourceFile
        package var sites: [CallerSite]

        package init(path: String, source: SourceFile, sites: [CallerSite]) {
            self.path = path
            self.source = source
            self.sites = sites
        }

        /// The file as it is now.
        package var text: String { CallerRewriter.text(of: source, sites).text }
    }

    package private(set) var files: [File]
    /// How many builds it took.
    package private(set) var builds = 0

    package init(_ files: [File]) { self.files = files }

    /// Whether a call is rewritten now.
    package var hasEdits: Bool { files.contains { $0.sites.contains { $0.edit != nil } } }

    /// Leaves the calls that were taken back in an earlier round, when they stood elsewhere in their files.
    package mutating func leave(_ known: [CallerSite]) {
        var reasons: [String: CallerSite.Outcome] = [:]
        for site in known where site.isTakenBack { reasons[site.identity] = site.outcome }
        for file in files.indices {
            for (place, site) in files[file].sites.enumerated() where site.edit != nil {
                if let outcome = reasons[site.identity] { files[file].sites[place].outcome = outcome }
            }
        }
    }

    /// Builds until the package builds, or no call is left that is rewritten.
    ///
    /// - Parameter build: Builds the package with these files.
    /// - Throws: ``Verification/Failure``, and what `build` throws. What it has written is not undone.
    package mutating func run(
        building build: ([(path: String, text: String)]) throws -> Verification.Build
    ) throws {
        while hasEdits {
            let built = try build(files.map { ($0.path, $0.text) })
            builds += 1
            let diagnostics = BuildDiagnostic.all(in: built.output)
            let errors = diagnostics.filter { $0.severity == .error }
            // A call that need not be awaited is one of something else than the twin.
            let idle = diagnostics.filter { $0.severity == .warning && $0.saysNothingIsAwaited }
            let hasFound = takeBack(idle, elsewhere: false)
            if built.succeeded {
                if hasFound { continue }
                return
            }
            guard takeBack(errors, elsewhere: true) || hasFound else {
                let words = errors.map { "\($0.place.path):\($0.place.line): \($0.message)" }
                let end = built.output.split(whereSeparator: \.isNewline).suffix(5).map(String.init)
                throw Verification.Failure.unexplained(words.isEmpty ? end : words)
            }
        }
    }

    /// Takes back the calls that diagnostics speak of.
    ///
    /// - Parameters:
    ///   - diagnostics: What the compiler says.
    ///   - elsewhere: Whether one beside a call speaks of the nearest one in its file.
    /// - Returns: Whether there was one.
    private mutating func takeBack(_ diagnostics: [BuildDiagnostic], elsewhere: Bool) -> Bool {
        var found: [[Int: [String]]] = files.map { _ in [:] }
        for (index, file) in files.enumerated() {
            let lines = CallerRewriter.text(of: file.source, file.sites).lines
            guard !lines.isEmpty else { continue }
            for diagnostic in diagnostics {
                let places = ([diagnostic.place, diagnostic.origin] + diagnostic.notes).filter { $0.path == file.path }
                guard let place = places.first else { continue }
                let exact = lines.first { range in places.contains { range.lines.contains($0.line) } }
                let nearest = lines.min { $0.lines.distance(to: place.line) < $1.lines.distance(to: place.line) }
                guard let site = exact?.site ?? (elsewhere ? nearest?.site : nil) else { continue }
                found[index][site, default: []].append(diagnostic.message)
            }
        }
        for (index, sites) in found.enumerated() {
            for (site, messages) in sites { files[index].sites[site].outcome = .left(.compiler(messages)) }
        }
        return found.contains { !$0.isEmpty }
    }
}

extension BuildDiagnostic {
    fileprivate var saysNothingIsAwaited: Bool {
        message.contains("no 'async' operations occur within 'await'")
            || message.contains("no calls to throwing functions occur within 'try'")
    }
}

extension ClosedRange<Int> {
    /// How many lines a line is away.
    fileprivate func distance(to line: Int) -> Int {
        contains(line) ? 0 : Swift.min(abs(lowerBound - line), abs(upperBound - line))
    }
}

extension CallerSite {
    /// What tells calls apart, wherever they stand in their file.
    fileprivate var identity: String { "\(path) \(title) \(text)" }

    fileprivate var isTakenBack: Bool {
        if case .compiler? = reason { true } else { false }
    }
}
