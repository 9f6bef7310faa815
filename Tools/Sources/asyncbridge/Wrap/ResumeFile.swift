// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import Foundation

/// Keeps beside the products of builds what they have told, until a run has ended.
struct ResumeFile {
    private let path: String

    /// The file for the package in a folder.
    init(in root: String) { path = root + "/.build/asyncbridge-wrap.json" }

    func read() -> [ResumePoint] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        // What an other version has written tells nothing.
        return (try? JSONDecoder().decode([ResumePoint].self, from: data)) ?? []
    }

    /// Writes it, if there is a folder for such files: without it the next run only takes longer.
    func write(_ points: [ResumePoint]) {
        guard !points.isEmpty, let data = try? JSONEncoder().encode(points) else { return }
        try? data.write(to: URL(filePath: path))
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
