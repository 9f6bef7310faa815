// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import Foundation

/// Takes lines out of bytes that come in pieces.
///
/// A line ends with LF or CR LF, or with the body. Invalid UTF-8 is repaired.
package struct LineSplitter {
    private var bytes = Data()
    /// The position up to which there is no LF.
    private var searched = 0

    package init() {}

    package mutating func append(_ chunk: Data) { self.bytes.append(chunk) }

    /// The next complete line.
    package mutating func line() -> String? {
        guard let end = self.bytes[(self.bytes.startIndex + self.searched)...].firstIndex(of: 10) else {
            self.searched = self.bytes.count
            return nil
        }
        var line = self.bytes[..<end]
        if line.last == 13 { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        self.bytes.removeSubrange(...end)
        self.searched = 0
        return text
    }

    /// What stands after the last end of a line: the last line of a body that has come to its end.
    package mutating func rest() -> String? {
        guard !self.bytes.isEmpty else { return nil }
        defer { self = LineSplitter() }
        return String(decoding: self.bytes, as: UTF8.self)
    }
}
