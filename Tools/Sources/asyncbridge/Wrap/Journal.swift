// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// Writes files, and can put everything back as it was.
final class Journal {
    /// What was there before; `nil` is no file.
    private var old: [(path: String, data: Data?)] = []
    private var folders: [String] = []

    /// Writes a file, or removes it if there is no text.
    func write(_ text: String?, to path: String) throws {
        let now = FileManager.default.contents(atPath: path)
        guard text.map({ Data($0.utf8) }) != now else { return }
        if !old.contains(where: { $0.path == path }) { old.append((path, now)) }
        guard let text else {
            try remove(path)
            return
        }
        if now != nil {
            try TextFile.change(path, to: Array(text.utf8))
            return
        }
        try makeFolder(URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false))
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw Failure("“\(path)” cannot be written.")
        }
    }

    private func makeFolder(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        } catch {
            throw Failure("“\(path)” cannot be made: \(error.localizedDescription)")
        }
        folders.append(path)
    }

    private func remove(_ path: String) throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw Failure("“\(path)” cannot be removed: \(error.localizedDescription)")
        }
    }

    /// Puts everything back, as far as that is possible.
    ///
    /// - Returns: The files that could not be put back.
    func undo() -> [String] {
        var failed: [String] = []
        for (path, data) in old.reversed() {
            do {
                if let data {
                    try data.write(to: URL(filePath: path))
                } else if FileManager.default.fileExists(atPath: path) {
                    try FileManager.default.removeItem(atPath: path)
                }
            } catch {
                failed.append(path)
            }
        }
        for folder in folders.reversed() { Self.removeIfEmpty(folder) }
        (old, folders) = ([], [])
        return failed
    }

    /// Removes the folders that are empty now, and forgets what was.
    func keep() {
        for (path, _) in old {
            Self.removeIfEmpty(URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false))
        }
        (old, folders) = ([], [])
    }

    private static func removeIfEmpty(_ folder: String) {
        guard (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == true else { return }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
