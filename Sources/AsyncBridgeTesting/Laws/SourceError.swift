// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The error with which the sources of the law suites fail.
///
/// Each is unique: an error that was recreated, wrapped or replaced on its way is not equal to the original.
public struct SourceError: Error, Sendable {
    let token: LifetimeTracker.Token
}

extension SourceError: Equatable {
    /// Whether both are the same error.
    ///
    /// - Parameters:
    ///   - left: An error.
    ///   - right: An error.
    /// - Returns: Whether one is a copy of the other.
    public static func == (left: SourceError, right: SourceError) -> Bool { left.token === right.token }
}

extension SourceError: CustomStringConvertible {
    /// The error's name.
    public var description: String { "the source's error" }
}
