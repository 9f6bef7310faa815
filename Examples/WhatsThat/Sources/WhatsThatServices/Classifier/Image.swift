// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A picture that somebody has picked, as its file has it.
public struct Image: Hashable, Sendable {
    /// The file's bytes.
    public let bytes: [UInt8]

    /// Makes an image of a file's bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }
}
