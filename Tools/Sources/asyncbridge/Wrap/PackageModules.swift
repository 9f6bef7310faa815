// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// The modules of a package, or of a folder without a manifest.
struct PackageModules {
    struct Module {
        var name: String
        /// The folder of its sources.
        var folder: String
        var files: [Inputs.Input]

        /// The folder of the files with twins.
        var overlayFolder: String { folder == "." ? "AsyncBridge" : folder + "/AsyncBridge" }

        /// The file with the twins of a source file: no other file of the module may have its name.
        func overlay(of path: String) -> String {
            let source = path.split(separator: "/").last.map(String.init) ?? path
            let base = source.hasSuffix(".swift") ? String(source.dropLast(6)) : source
            let name = base + "+Async.swift"
            let isTaken = files.contains { $0.path.hasSuffix("/" + name) && !isOverlay($0.path) }
            return overlayFolder + "/" + (isTaken ? base + "+AsyncBridge.swift" : name)
        }

        /// Whether a file is where files with twins are.
        func isOverlay(_ path: String) -> Bool { path.hasPrefix(overlayFolder + "/") }
    }

    /// The folder in which the package is built.
    var root: String
    var modules: [Module]
    /// The text of the manifest, if there is one.
    var manifest: String?

    init(at path: String) throws {
        root = Inputs.tidy(Inputs.root(ofManifest: path) ?? path)
        guard Inputs.isDirectory(URL(filePath: root).resolvingSymlinksInPath().path(percentEncoded: false)) else {
            throw Failure("“\(path)” is no folder and no Package.swift: name the package.")
        }
        manifest = TextFile.read(Self.join(root, "Package.swift"))
        guard let manifest else {
            let name = URL(filePath: root).standardizedFileURL.lastPathComponent
            modules = [Module(name: name, folder: root, files: Inputs.files(in: root, withTests: false))]
            return
        }
        modules = []
        var known: Set<String> = []
        for target in PackageManifest.targets(in: manifest) {
            let folders = target.folders.map { Self.join(root, Inputs.tidy($0)) }
            guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0) }) else { continue }
            known.insert(folder)
            guard target.isLibraryOrProgram else { continue }
            add(target.name, at: folder, excluding: target.excluded)
        }
        // A manifest may make its targets in a loop.
        let sources = Self.join(root, "Sources")
        for name in (try? FileManager.default.contentsOfDirectory(atPath: sources))?.sorted() ?? [] {
            let folder = sources + "/" + name
            guard known.insert(folder).inserted, Inputs.isDirectory(folder), !known.contains(sources) else { continue }
            add(name, at: folder, excluding: [])
        }
    }

    private mutating func add(_ name: String, at folder: String, excluding excluded: [String]) {
        let excluded = excluded.map { Self.join(folder, Inputs.tidy($0)) }
        let files = Inputs.files(in: folder, withTests: false).filter { file in
            !excluded.contains { file.path == $0 || file.path.hasPrefix($0 + "/") }
        }
        guard !files.isEmpty else { return }
        modules.append(Module(name: name, folder: folder, files: files))
    }

    private static func join(_ folder: String, _ path: String) -> String {
        path == "." ? folder : folder == "." ? path : folder + "/" + path
    }
}
