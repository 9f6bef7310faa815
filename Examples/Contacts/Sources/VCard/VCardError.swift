// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Why a text is no list of cards, and where.
public struct VCardError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    ///
    /// A folded line counts as its first one.
    public var line: Int

    /// What is wrong, and what to do.
    ///
    /// May quote the file; look out for control characters before you print it.
    public var reason: String

    /// Makes an error.
    public init(line: Int, reason: String) {
        self.line = line
        // What it quotes may be as long as a file.
        let scalars = reason.unicodeScalars
        self.reason =
            scalars.count <= 300 ? reason : "\(String(scalars.prefix(150))) … \(String(scalars.suffix(100)))"
    }

    /// The line and the reason.
    public var description: String { "line \(self.line): \(self.reason)" }
}
