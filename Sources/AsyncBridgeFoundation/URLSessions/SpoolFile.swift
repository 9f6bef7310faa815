// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// Bytes on disk, first in, first out, in a file without a name that goes with its last user.
struct SpoolFile {
    private let handle: FileHandle
    private var readOffset: UInt64 = 0
    private var writeOffset: UInt64 = 0

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("spool-\(UUID().uuidString)")
        try Data().write(to: url, options: .withoutOverwriting)
        defer { try? FileManager.default.removeItem(at: url) }
        self.handle = try FileHandle(forUpdating: url)
    }

    var isEmpty: Bool { self.readOffset == self.writeOffset }

    mutating func write(_ data: Data) throws {
        try self.handle.seek(toOffset: self.writeOffset)
        try self.handle.write(contentsOf: data)
        self.writeOffset += UInt64(data.count)
    }

    /// The next bytes, or `nil` if there are none.
    mutating func read(_ size: Int) throws -> Data? {
        guard !self.isEmpty else { return nil }
        try self.handle.seek(toOffset: self.readOffset)
        guard let data = try self.handle.read(upToCount: size), !data.isEmpty else {
            throw CocoaError(.fileReadCorruptFile)
        }
        self.readOffset += UInt64(data.count)
        if self.isEmpty { try self.clear() }
        return data
    }

    /// Gives the disk's room back.
    private mutating func clear() throws {
        try self.handle.truncate(atOffset: 0)
        self.readOffset = 0
        self.writeOffset = 0
    }
}
