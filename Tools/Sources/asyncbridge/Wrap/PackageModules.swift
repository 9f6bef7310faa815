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
        /// Where a new folder is compiled with the module; `nil` if the manifest names nothing but files.
        var openFolder: String?

        /// The folder of the files with twins.
        var overlayFolder: String { Inputs.join(openFolder ?? folder, "AsyncBridge") }

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
        manifest = TextFile.read(Inputs.join(root, "Package.swift"))
        modules = []
        guard let manifest else {
            addFolder()
            return
        }
        var known: Set<String> = []
        for target in PackageManifest.targets(in: manifest) {
            let folders = target.folders.map { Inputs.join(root, Inputs.tidy($0)) }
            guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0) }) else { continue }
            known.insert(folder)
            guard target.isLibraryOrProgram else { continue }
            add(target, at: folder)
        }
        let sources = Inputs.join(root, "Sources")
        // The sources of an only target may be there without a folder of its own.
        if modules.isEmpty, let only = PackageManifest.onlyTarget(in: manifest), !known.contains(sources),
            Self.hasSwiftFiles(sources), !only.folders.contains(where: { known.contains(Inputs.join(root, $0)) })
        {
            add(only, at: sources)
            return
        }
        // A manifest may make its targets in a loop.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: sources))?.sorted() ?? [] {
            let folder = sources + "/" + name
            let isOfTarget = known.contains { $0 == root || folder == $0 || folder.hasPrefix($0 + "/") }
            guard !isOfTarget, Inputs.isDirectory(folder) else { continue }
            addModule(name, at: folder, Inputs.files(in: folder, withTests: false), open: folder)
        }
    }

    private static func hasSwiftFiles(_ folder: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.contains { $0.hasSuffix(".swift") } == true
    }

    /// Takes a folder without a manifest: the targets of the package around that are in it, or the one in which it is.
    private mutating func addFolder() {
        let path = Self.absolute(root)
        let around = Self.package(around: path)
        let targets = around.map { PackageManifest.targets(in: $0.manifest).filter(\.isLibraryOrProgram) } ?? []
        // The target in which the folder is, and the folder's path in that.
        var owner: (target: PackageManifest.Target, inside: String)?
        for target in targets {
            for folder in target.folders {
                let names = folder.split(separator: "/").map(String.init).filter { $0 != "." }
                let start = (around?.path ?? []) + names
                if path.starts(with: start) {
                    let inside = path.dropFirst(start.count).joined(separator: "/")
                    owner = owner ?? (target, inside.isEmpty ? "." : inside)
                } else if start.starts(with: path) {
                    let inner = Inputs.join(root, start.dropFirst(path.count).joined(separator: "/"))
                    if Inputs.isDirectory(inner) { add(target, at: inner) }
                }
            }
        }
        if !modules.isEmpty || owner != nil { manifest = around?.manifest }
        guard modules.isEmpty else { return }
        func isCompiled(_ path: String) -> Bool {
            owner.map { $0.target.owns(Inputs.join($0.inside, path), in: ".") } ?? true
        }
        let files = Inputs.files(in: root, withTests: false).filter { file in
            isCompiled(root == "." ? file.path : String(file.path.dropFirst(root.count + 1)))
        }
        let open = isCompiled("AsyncBridge/x.swift") ? root : nil
        modules = [Module(name: owner?.target.name ?? path.last ?? root, folder: root, files: files, openFolder: open)]
    }

    /// The nearest package around a folder: its path, and the text of its manifest.
    private static func package(around path: [String]) -> (path: [String], manifest: String)? {
        for count in stride(from: path.count - 1, through: 1, by: -1) {
            let folder = Array(path.prefix(count))
            let text = TextFile.read("/" + folder.joined(separator: "/") + "/Package.swift")
            if let text { return (folder, text) }
        }
        return nil
    }

    private static func absolute(_ path: String) -> [String] {
        let url = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath()
        return url.path(percentEncoded: false).split(separator: "/").map(String.init)
    }

    private mutating func add(_ target: PackageManifest.Target, at folder: String) {
        let files = Inputs.files(in: folder, withTests: false).filter { target.owns($0.path, in: folder) }
        // Files with twins go where their folder is compiled, too.
        let places = [folder] + target.sources.map { Inputs.join(folder, Inputs.tidy($0)) }.filter(Inputs.isDirectory)
        let open = places.first { target.owns(Inputs.join($0, "AsyncBridge/x.swift"), in: folder) }
        addModule(target.name, at: folder, files, open: open)
    }

    private mutating func addModule(_ name: String, at folder: String, _ files: [Inputs.Input], open: String?) {
        guard !files.isEmpty else { return }
        modules.append(Module(name: name, folder: folder, files: files, openFolder: open))
    }
}
