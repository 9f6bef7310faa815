// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import ExactlyOnce
import Foundation

/// The files that a command is to read.
enum Inputs {
    /// One of them: its name in reports, and where its text is.
    struct Input: Hashable, Sendable {
        var path: String
        /// The text, if it came from standard input.
        var text: String?
        /// Whether it was named, and not found in a directory: then it is checked even if it is a test's.
        var isNamed = false

        /// Whether it is a directory that cannot be listed.
        var isClosed = false

        func read() -> String? { text ?? TextFile.read(path) }

        /// What to say if it cannot be read.
        var message: String { isClosed ? "the directory cannot be read" : "the file cannot be read as UTF-8" }
    }

    static func all(at paths: [String], withTests: Bool) throws -> [Input] {
        var inputs: [Input] = []
        for path in paths {
            if path == "-" {
                guard let text = TextFile.text(of: try StandardInput.read()) else {
                    throw Failure("The standard input is not UTF-8.")
                }
                inputs.append(Input(path: "<stdin>", text: text, isNamed: true))
                continue
            }
            guard FileManager.default.fileExists(atPath: path) else {
                throw ValidationError("There is no file or directory “\(path)”.")
            }
            guard isDirectory(URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)) else {
                if let root = root(ofManifest: path) {
                    inputs += try targets(of: root, withTests: withTests)
                } else {
                    inputs.append(Input(path: tidy(path), isNamed: true))
                }
                continue
            }
            inputs += files(in: path, withTests: withTests)
        }
        var seen: Set<String> = []
        return inputs.filter { seen.insert($0.path).inserted }.sorted { $0.path < $1.path }
    }

    /// The folder of a package, if the path is that of its manifest.
    static func root(ofManifest path: String) -> String? {
        guard path.split(separator: "/").last == "Package.swift" else { return nil }
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        return path.hasPrefix("/") ? "/" + folder : folder.isEmpty ? "." : folder
    }

    /// The files of a package's targets, as its manifest names them.
    private static func targets(of root: String, withTests: Bool) throws -> [Input] {
        guard let text = TextFile.read(root + "/Package.swift") else {
            throw Failure("“\(root)/Package.swift” cannot be read as UTF-8.")
        }
        return PackageManifest.targets(in: text).flatMap { target -> [Input] in
            guard withTests || !target.isTest else { return [] }
            let folders = target.folders.map { root + "/" + $0 }
            guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0) }) else { return [] }
            return files(in: folder, withTests: true).filter { target.owns($0.path, in: tidy(folder)) }
        }
    }

    /// The Swift files in a directory and those below.
    static func files(in directory: String, withTests: Bool) -> [Input] {
        var inputs: [Input] = []
        var waiting = [tidy(directory)]
        while let folder = waiting.popLast() {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
                inputs.append(Input(path: folder, isClosed: true))
                continue
            }
            for name in names {
                let path = folder == "." ? name : folder + "/" + name
                if name.hasSuffix(".swift") {
                    let isTest = name.hasSuffix("Tests.swift") || name.hasSuffix("Test.swift")
                    if name != "Package.swift", withTests || !isTest { inputs.append(Input(path: path)) }
                    continue
                }
                guard !skipped.contains(name), !name.hasPrefix("."), withTests || !isTests(name) else { continue }
                switch kind(of: path) {
                case .typeDirectory?: waiting.append(path)
                case nil: inputs.append(Input(path: path, isClosed: true))
                default: break
                }
            }
        }
        return inputs
    }

    static func join(_ folder: String, _ path: String) -> String {
        path == "." ? folder : folder == "." ? path : folder + "/" + path
    }

    /// Whether it is a directory, and not a link to one.
    static func isDirectory(_ path: String) -> Bool { kind(of: path) == .typeDirectory }

    /// What is at a path, unless nobody can say.
    private static func kind(of path: String) -> FileAttributeType? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType
    }

    /// What tools make, and what others wrote.
    private static let skipped: Set<String> = ["Pods", "Carthage", "DerivedData", "node_modules", "build", "checkouts"]

    private static func isTests(_ name: String) -> Bool {
        name == "Tests" || name.hasSuffix("Tests") || name.hasSuffix("Mocks") || name == "TestHelpers"
    }

    /// A path without `./` before it and `/` behind it.
    static func tidy(_ path: String) -> String {
        var path = path
        while path.hasPrefix("./"), path.count > 2 { path.removeFirst(2) }
        while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
        return path
    }
}
