// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Files that Foundation has made, and that become the caller's.
enum DownloadedFile {
    #if canImport(Darwin)
    /// Moves a file to where it may stay.
    static func keep(
        _ answer: (file: URL, response: URLResponse),
        at destination: URL?
    ) -> Result<(file: URL, response: URLResponse), any Error> {
        Self.keep(answer.file, at: destination).map { ($0, answer.response) }
    }

    /// Moves a file to where it may stay.
    static func keep(_ file: URL, at destination: URL?) -> Result<URL, any Error> {
        Result {
            let target = destination ?? Self.newName()
            try FileManager.default.moveItem(at: file, to: target)
            return target
        }
    }
    #else
    /// Closes a file of ours and moves it to where it may stay.
    static func keep(
        _ answer: FileDelegate.Answer,
        at destination: URL?
    ) -> Result<(file: URL, response: URLResponse), any Error> {
        answer.flatMap { (file, response) in file.keep(at: destination).map { (file: $0, response: response) } }
    }
    #endif

    /// Removes a file that is no longer needed.
    static func remove(_ file: URL) {
        // It may be gone: the temporary folder may have been emptied.
        try? FileManager.default.removeItem(at: file)
    }

    static func newName() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("download-\(UUID().uuidString)")
    }
}
