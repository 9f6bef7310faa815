// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// Something that went wrong and is no wrong usage, as one sentence.
struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// A file with text, or what came instead of one.
enum TextFile {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text of these bytes, if they are UTF-8, without a byte order mark.
    static func text(of data: Data) -> String? {
        String(validating: hasMark(data) ? data.dropFirst(byteOrderMark.count) : data, as: UTF8.self)
    }

    static func read(_ path: String) -> String? { FileManager.default.contents(atPath: path).flatMap { text(of: $0) } }

    /// Writes a text into a file that is there, and leaves all else of it as it is: its byte order mark, its owner and
    /// mode, the link that leads to it.
    static func change(_ path: String, to text: [UInt8]) throws {
        guard let old = FileManager.default.contents(atPath: path), let file = FileHandle(forUpdatingAtPath: path)
        else {
            throw Failure("“\(path)” cannot be written.")
        }
        do {
            let new = (hasMark(old) ? byteOrderMark : []) + text
            try file.write(contentsOf: Data(new))
            try file.truncate(atOffset: UInt64(new.count))
            try file.close()
        } catch {
            throw Failure("“\(path)” cannot be written: \(error.localizedDescription)")
        }
    }

    private static func hasMark(_ data: Data) -> Bool { data.starts(with: byteOrderMark) }
}

/// Where answers go.
enum StandardOutput {
    static func write(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw Failure("The answer cannot be written: \(error.localizedDescription)")
        }
    }
}

/// Where messages go that are no answer.
enum StandardError {
    static func write(_ text: String) {
        // Where nobody listens, nothing can be said.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    static var isTerminal: Bool { isatty(FileHandle.standardError.fileDescriptor) == 1 }
}

/// Where text comes from that is in no file.
enum StandardInput {
    static func read() throws -> Data {
        do {
            return try FileHandle.standardInput.readToEnd() ?? Data()
        } catch {
            throw Failure("The standard input cannot be read: \(error.localizedDescription)")
        }
    }
}
