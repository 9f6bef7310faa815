// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

/// Where the example's scripts put what they install: `.build` in the example's folder.
public enum InstalledFolder {
    /// The folder of the program that runs.
    public static var ofProgram: URL? { Bundle.main.executableURL?.deletingLastPathComponent() }

    /// Finds a folder, for a program in a build folder of the package.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - folder: Where the search begins: it and the folders around it.
    /// - Returns: The folder; nil if it is not there, or empty.
    public static func url(of name: String, near folder: URL? = Self.ofProgram) -> URL? {
        guard var folder = folder?.resolvingSymlinksInPath() else { return nil }
        while folder.path != "/" {
            // Built in the folder of the examples, or in that of the whole package.
            for place in ["WhatsThat", "Examples/WhatsThat"] {
                let place = folder.appending(path: place).appending(path: ".build").appending(path: name)
                let files = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
                if !files.isEmpty { return place }
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
