// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// A text file of the package.
struct PackageFile {
    /// Its path, from the package's root.
    let path: String

    /// What stands in it.
    let text: String
}

/// The files of the package whose test this is.
enum PackageFiles {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The first page of the documentation's site.
    static let startPage = "Documentation/Start.docc/Start.md"

    /// The modules that have a catalogue of documentation.
    static let documentedModules = [
        "AsyncBridge", "AsyncBridgeCombine", "AsyncBridgeCombineTesting", "AsyncBridgeFoundation", "AsyncBridgeFutures",
        "AsyncBridgeMacros", "AsyncBridgeNIO", "AsyncBridgeTesting", "Coroutines",
    ]

    /// The catalogue of a module.
    static func catalogue(of module: String) -> String { "Sources/\(module)/\(module).docc" }

    /// Reads one file.
    static func file(_ path: String) throws -> PackageFile {
        PackageFile(path: path, text: try String(contentsOf: Self.root.appending(path: path), encoding: .utf8))
    }

    /// Reads all files of a folder and its folders whose names end as given, in the order of their paths.
    static func files(under folder: String, ending suffix: String) throws -> [PackageFile] {
        let path = Self.root.appending(path: folder).path(percentEncoded: false)
        return try FileManager.default.subpathsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(suffix) }
            .sorted()
            .map { try Self.file("\(folder)/\($0)") }
    }
}
