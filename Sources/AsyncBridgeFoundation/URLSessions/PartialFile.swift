// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if !canImport(Darwin)
import Foundation

/// A file in the temporary folder that is being written, and goes with its last reference unless it is kept.
final class PartialFile {
    private let url: URL
    private let handle: FileHandle
    private var isKept = false

    init() throws {
        let url = DownloadedFile.newName()
        try Data().write(to: url, options: .withoutOverwriting)
        do { self.handle = try FileHandle(forWritingTo: url) } catch {
            DownloadedFile.remove(url)
            throw error
        }
        self.url = url
    }

    deinit {
        try? self.handle.close()
        if !self.isKept { DownloadedFile.remove(self.url) }
    }

    func append(_ data: Data) throws { try self.handle.write(contentsOf: data) }

    /// Closes the file and gives it away.
    ///
    /// - Parameter destination: Where it goes; it stays where it is if this is `nil`.
    /// - Returns: Where it is.
    func keep(at destination: URL?) -> Result<URL, any Error> {
        Result {
            try self.handle.close()
            if let destination { try FileManager.default.moveItem(at: self.url, to: destination) }
            self.isKept = true
            return destination ?? self.url
        }
    }
}
#endif
