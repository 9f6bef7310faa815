// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Builds a package with its twins, and takes those that do not compile down the ladder until it builds.
///
/// It writes and runs nothing itself: it is given what does.
package struct Verification: Sendable {
    /// How a build ended.
    package struct Build: Sendable {
        package var succeeded: Bool
        package var output: String

        package init(succeeded: Bool, output: String) {
            self.succeeded = succeeded
            self.output = output
        }

        /// The errors in what it prints, each once.
        var errors: [BuildDiagnostic] { BuildDiagnostic.all(in: output).filter { $0.severity == .error } }
    }

    /// Why there is no answer.
    package enum Failure: Error, Sendable, Hashable {
        /// The package is not even compiled without twins: the last lines of what the build prints.
        case notCompiled([String])
        /// The files with twins cannot be compiled, whatever is in them: what the compiler says.
        case files(String)
        /// The package does not build with them, and nothing tells which of them is the cause.
        case unexplained([String])
    }

    /// What was learned.
    package struct Result: Sendable {
        /// How many builds it took, with the first one, of the package alone.
        package var builds = 0
        /// What the compiler says of the package without twins.
        package var baseline: [BuildDiagnostic] = []
        /// Whether the package builds at the end.
        package var succeeded = false
        /// The modules that files with twins import for others, whom nothing there needs, by the path of the file.
        package var unneededImports: [String: Set<String>] = [:]
    }

    /// A file with twins, as the compiler names it.
    package struct File: Sendable {
        /// The absolute path of the file.
        package var path: String
        /// The indices of the functions whose twins it has.
        package var functions: [Int]
        package var writer: any TwinWriter

        package init(path: String, functions: [Int], writer: any TwinWriter) {
            self.path = path
            self.functions = functions
            self.writer = writer
        }
    }

    private let files: [File]
    /// The functions whose twins may be changed.
    package private(set) var functions: [PlannedFunction]
    private var result = Result()

    package init(_ functions: [PlannedFunction], in files: [File]) {
        self.functions = functions
        self.files = files
    }

    /// The text of each file with twins, as far down as the twins are now; `nil` for one that is not there.
    package var texts: [(path: String, text: String?)] {
        files.map { file in
            (file.path, file.writer.text(of: file.functions.map { functions[$0] }.filter(\.isTwin)))
        }
    }

    /// Builds until the package builds, or nothing new can be done.
    ///
    /// - Parameters:
    ///   - build: Builds the package as it is, or with these files.
    ///   - isSource: Whether a path is that of a source file of the package, and not of its manifest or of another one.
    ///   - line: The text of a line of a source file.
    ///   - note: Is told how far down the twins are, before each build with them.
    /// - Returns: What was learned.
    /// - Throws: ``Failure``, and what `build` throws. What it has written is not undone.
    package mutating func run(
        building build: ([(path: String, text: String?)]?) throws -> Build,
        sources isSource: (String) -> Bool = { _ in true },
        readingLine line: (BuildDiagnostic.Place) -> String,
        noting note: ([PlannedFunction]) -> Void = { _ in }
    ) throws -> Result {
        let first = try build(nil)
        result.builds = 1
        let found = first.errors
        // Without an error in its sources it may be the manifest, or a dependency: nothing has tried the sources.
        guard first.succeeded || found.contains(where: { isSource($0.origin.path) }) else {
            throw Failure.notCompiled(Self.end(of: first.output))
        }
        // What is wrong with the blocks of an earlier run is not the package's own.
        result.baseline = found.filter { !isInBlock($0.origin) }
        // Nor is what is wrong because of them: that is gone without them.
        if !result.baseline.isEmpty, files.contains(where: { $0.writer.existing != nil }) {
            let bare = try build(files.map { ($0.path, $0.writer.text(of: [])) })
            result.builds += 1
            let without = Set(bare.errors.map { Fact($0) })
            result.baseline.removeAll { !without.contains(Fact($0)) }
        }
        let known = Set(result.baseline.map { Fact($0) })
        while true {
            let texts = texts
            note(functions)
            let built = try build(texts)
            result.builds += 1
            noteUnneededImports(in: built.output)
            let uncancelled = uncancelled(in: built.output, texts)
            for index in uncancelled { functions[index].rung.isUncancelled = true }
            if built.succeeded {
                guard uncancelled.isEmpty else { continue }
                result.succeeded = true
                return result
            }
            let errors = built.errors
            let new = errors.filter { !known.contains(Fact($0)) }
            if new.isEmpty {
                // The package's own errors are those that it has without twins.
                if errors.contains(where: { isSource($0.origin.path) }) { return result }
                throw Failure.unexplained(Self.end(of: built.output))
            }
            guard try takeDown(new, texts, readingLine: line) else {
                throw Failure.unexplained(new.map { "\($0.place.path):\($0.place.line): \($0.message)" })
            }
            for file in files {
                var own = file.functions.map { functions[$0] }
                file.writer.settle(&own)
                for (index, function) in zip(file.functions, own) { functions[index] = function }
            }
        }
    }

    /// A file that did not change is not compiled again, so what one build says of it holds for the next.
    private mutating func noteUnneededImports(in output: String) {
        let own = Set(files.map(\.path))
        for warning in BuildDiagnostic.all(in: output) where own.contains(warning.place.path) {
            guard let module = warning.unneededImport else { continue }
            result.unneededImports[warning.place.path, default: []].insert(module)
        }
    }

    /// The functions whose twins cancel what cannot be cancelled, as the compiler warns.
    private func uncancelled(in output: String, _ texts: [(path: String, text: String?)]) -> Set<Int> {
        let warnings = BuildDiagnostic.all(in: output).filter(\.isUncancelled)
        guard !warnings.isEmpty else { return [] }
        let places = Places(files, texts, functions)
        return Set(warnings.flatMap { places.functions(of: $0) }).filter { !functions[$0].rung.isUncancelled }
    }

    private func isInBlock(_ place: BuildDiagnostic.Place) -> Bool {
        files.contains { file in
            file.path == place.path
                && file.writer.existing.map { file.writer.isInBlock(line: place.line, of: $0) } == true
        }
    }

    private static func end(of output: String) -> [String] {
        output.split(whereSeparator: \.isNewline).suffix(5).map(String.init)
    }

    /// An error, wherever it has moved to.
    private struct Fact: Hashable {
        var path: String
        var message: String

        init(_ diagnostic: BuildDiagnostic) {
            path = diagnostic.origin.path
            message = diagnostic.message
        }
    }

    /// Takes the twins that errors speak of one rung down.
    ///
    /// - Returns: Whether there was one.
    private mutating func takeDown(
        _ errors: [BuildDiagnostic],
        _ texts: [(path: String, text: String?)],
        readingLine line: (BuildDiagnostic.Place) -> String
    ) throws(Failure) -> Bool {
        let places = Places(files, texts, functions)
        var found: [Int: [BuildDiagnostic]] = [:]
        var outside: [BuildDiagnostic] = []
        for error in errors {
            let indices = places.functions(of: error)
            if !indices.isEmpty {
                for index in indices { found[index, default: []].append(error) }
            } else if places.isHead(error.place) {
                throw .files(error.message)
            } else {
                outside.append(error)
            }
        }
        for (index, errors) in found { functions[index].takeDown(errors) }
        // Code that has errors because of a twin that is gone has none next time.
        guard found.isEmpty else { return true }
        return takeDownOutside(outside, places, readingLine: line)
    }

    /// Errors of existing code: a note leads to the twin, or the line calls a function of its name.
    private mutating func takeDownOutside(
        _ errors: [BuildDiagnostic],
        _ places: Places,
        readingLine line: (BuildDiagnostic.Place) -> String
    ) -> Bool {
        var found: [Int: [BuildDiagnostic]] = [:]
        for error in errors {
            var indices = error.notes.compactMap(places.function)
            if indices.isEmpty {
                let words = Set(line(error.place).split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
                indices = places.written.filter { functions[$0].twinName.map(words.contains) == true }
            }
            for index in indices where functions[index].rung.errors == nil {
                found[index, default: []].append(error)
            }
        }
        for (index, errors) in found { functions[index].takeDown(errors, isOutside: true) }
        return !found.isEmpty
    }
}

/// Where the twins are in the files that were written.
private struct Places {
    private struct Written {
        var writer: any TwinWriter
        var text: String
        var places: [(lines: ClosedRange<Int>, function: Int)]
        /// The functions whose twins are compiled.
        var functions: [Int]
        var planned: [PlannedFunction]
    }

    private var files: [String: Written] = [:]
    /// The functions whose twins are compiled.
    private(set) var written: [Int] = []

    init(_ files: [Verification.File], _ texts: [(path: String, text: String?)], _ functions: [PlannedFunction]) {
        for (file, written) in zip(files, texts) {
            guard let text = written.text else { continue }
            let places = file.writer.places(of: file.functions.map { functions[$0] }, in: text)
            let compiled = file.functions.filter { functions[$0].isTwin && functions[$0].rung.errors == nil }
            self.files[file.path] = Written(
                writer: file.writer,
                text: text,
                places: places.map { ($0.lines, file.functions[$0.function]) },
                functions: compiled,
                planned: compiled.map { functions[$0] }
            )
            self.written += compiled
        }
    }

    func function(at place: BuildDiagnostic.Place) -> Int? {
        files[place.path]?.places.first { $0.lines.contains(place.line) }?.function
    }

    /// The functions whose twins an error is in: several if it is in what a macro has written for all of them.
    func functions(of error: BuildDiagnostic) -> [Int] {
        if let index = function(at: error.origin) { return [index] }
        guard let line = error.lineOfExpansion, let file = files[error.origin.path] else { return [] }
        return file.writer.functions(file.planned, ofExpansionAt: error.origin.line, line: line, in: file.text)
            .map { file.functions[$0] }
    }

    /// Whether a place is what all twins of a file need.
    func isHead(_ place: BuildDiagnostic.Place) -> Bool {
        files[place.path].map { $0.writer.isHead(line: place.line, of: $0.text) } ?? false
    }
}

extension PlannedFunction {
    /// Takes the twin one rung down: unchecked if that helps, then another name, then commented out.
    fileprivate mutating func takeDown(_ errors: [BuildDiagnostic], isOutside: Bool = false) {
        let kinds = errors.map(\.kind)
        if !isOutside, kinds.contains(.sendability), !rung.isUnchecked {
            rung.isUnchecked = true
        } else if isOutside || kinds.contains(.name), !rung.isRenamed, !isRenamedByDefault {
            rung.isRenamed = true
        } else {
            var seen: Set<String> = []
            rung.errors = errors.map(\.message).filter { seen.insert($0).inserted }
        }
    }
}
