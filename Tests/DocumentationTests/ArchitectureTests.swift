// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// Who changes something finds the files from ARCHITECTURE.md: its names are those of files.
@Suite("The names in ARCHITECTURE.md", .timeLimit(.minutes(10)))
struct ArchitectureTests {
    @Test(arguments: ["Three files", "Where do I look?", "What proves what"])
    func `are those of files`(_ heading: String) throws {
        let names = FileNames.all(in: try PackageFiles.file("ARCHITECTURE.md").text, under: heading)
        #expect(names.count > 10)
        let paths = try Self.paths()
        for name in names where !FileNames.matches(name, paths) {
            Issue.record("ARCHITECTURE.md, \"\(heading)\": there is no \(name)")
        }
    }

    /// All files and folders that a contributor may look at, from the package's root.
    private static func paths() throws -> [String] {
        let folders = [
            ".ci", ".github", "Benchmarks", "Documentation", "Examples", "Scripts", "Snippets", "Sources", "Tests",
            "Tools",
        ]
        return try folders.flatMap { folder in
            try FileManager.default
                .subpathsOfDirectory(atPath: PackageFiles.root.appending(path: folder).path(percentEncoded: false))
                .map { "\(folder)/\($0)" }
        }
    }
}

/// The names of files and folders in a text.
enum FileNames {
    /// The pieces of code in a section that name a file or a folder.
    ///
    /// Those with a slash, and those that end as a file does. In them `*` and `…` stand for anything within a name.
    static func all(in text: String, under heading: String) -> [String] {
        let sections = text.split(separator: "\n## ")
        guard let section = sections.first(where: { $0.prefix { $0 != "\n" } == heading }) else { return [] }
        let code = section.matches(of: /`([^`\n]+)`/).map { String($0.1) }
        let endings = [".swift", ".c", ".S", ".h", ".md"]
        return code.filter { name in
            !name.contains(" ") && (name.contains("/") || endings.contains { name.hasSuffix($0) })
        }
    }

    /// Whether a path ends as the name says, perhaps without the suffix of a source.
    static func matches(_ name: String, _ paths: [String]) -> Bool {
        let pattern = name.replacing("…", with: "*")
        return paths.contains { path in
            ["", ".swift", ".c", ".S"].contains { suffix in
                fnmatch("\(pattern)\(suffix)", path, FNM_PATHNAME) == 0
                    || fnmatch("*/\(pattern)\(suffix)", path, 0) == 0
            }
        }
    }
}

@Suite("Names of files are found", .timeLimit(.minutes(10)))
struct FileNameTests {
    @Test func `in one section`() {
        let text = "# T\n\n## A\n\n`x/y` `no` `Z.swift`, `a b/c`\n\n## B\n\n`other/one`\n"
        #expect(FileNames.all(in: text, under: "A") == ["x/y", "Z.swift"])
        #expect(FileNames.all(in: text, under: "C").isEmpty)
    }

    @Test func `by their ends`() {
        let paths = ["Sources/M/Waits/One+Two.swift", "Sources/M/Waits"]
        for name in ["Waits/One+Two.swift", "One+Two", "One+….swift", "Waits/*", "M/Waits", "Sources/M/Waits"] {
            #expect(FileNames.matches(name, paths), "\(name)")
        }
        for name in ["Two.swift", "One.swift", "Wait", "…/Other.swift"] {
            #expect(!FileNames.matches(name, paths), "\(name)")
        }
    }
}
