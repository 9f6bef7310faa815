// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CheckReports
import ExactlyOnce
import Foundation

/// A baseline and the file that it is in.
struct BaselineFile {
    var path: String
    /// The folder in which its entries' paths begin.
    private let folder: [String]

    init(_ path: String) {
        self.path = path
        folder = Self.parts(path).dropLast()
    }

    // MARK: Paths

    /// A path of a report as one that begins at the baseline's folder.
    func place(_ path: String) -> String {
        guard path != "<stdin>" else { return path }
        let parts = Self.parts(path)
        let common = zip(parts, folder).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folder.count - common)
        return (up + parts[common...]).joined(separator: "/")
    }

    /// The file that an entry is about.
    func file(of entry: Baseline.Entry) -> String {
        let base = "/" + folder.joined(separator: "/") + "/" + entry.path
        return URL(filePath: base).standardizedFileURL.path(percentEncoded: false)
    }

    private static func parts(_ path: String) -> [String] {
        let url = URL(filePath: path).standardizedFileURL
        // A link to a file stands for itself, as in the report.
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
        let whole = folder.appending(path: url.lastPathComponent).path(percentEncoded: false)
        return whole.split(separator: "/").map(String.init)
    }

    // MARK: Reading and writing

    /// Reads a baseline that `--update-baseline` wrote.
    func read() throws -> Baseline {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure("There is no baseline “\(path)”. Make one with --update-baseline.")
        }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: data), contents.version == 1 else {
            throw Failure(
                "“\(path)” is not a baseline of this version. Delete it, and make one with --update-baseline."
            )
        }
        return Baseline(
            contents.findings.map {
                Baseline.Entry(
                    rule: $0.rule,
                    path: $0.path,
                    declaration: $0.declaration,
                    token: $0.token,
                    ordinal: $0.ordinal
                )
            }
        )
    }

    /// Writes a baseline, in the place of an older one if there is one.
    func write(_ baseline: Baseline) throws {
        let text = Array(baseline.written.utf8)
        if FileManager.default.fileExists(atPath: path) {
            _ = try read()
            return try TextFile.change(path, to: text)
        }
        guard FileManager.default.createFile(atPath: path, contents: Data(text)) else {
            throw Failure("The baseline “\(path)” cannot be written.")
        }
    }

    private struct Contents: Decodable {
        struct Item: Decodable {
            var rule: String
            var path: String
            var declaration: String
            var token: String
            var ordinal: Int
        }

        var version: Int
        var findings: [Item]
    }
}
