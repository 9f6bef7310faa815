// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A failure that an API reported with a value that is no `Error`, as an error.
///
/// Some libraries call a structure or an enumeration `…Error`, hand it to completion handlers, and never throw it. A
/// bridge throws it in this wrapper:
///
/// ```swift
/// do {
///     let text = try await withCallback(of: String.self) { callback in
///         client.fetchText(completion: callback.handler(failure: ServerError.self))
///     }
///     show(text)
/// } catch let failure as ReportedFailure<ServerError> {
///     show(failure.value.code)
/// }
/// ```
public struct ReportedFailure<Value>: Error, @unchecked Sendable, CustomStringConvertible {
    // Safe: the value is `Sendable`, or who wrapped it has promised that nobody else uses it.

    /// What the API reported.
    public let value: Value

    /// Wraps what an API reported.
    ///
    /// - Parameter value: The value.
    public init(_ value: Value) where Value: Sendable { self.value = value }

    /// Wraps what an API reported and releases.
    ///
    /// - Parameter value: The value, which nothing else uses.
    @unsafe
    public init(unchecked value: Value) { self.value = value }

    /// The value in words.
    public var description: String { "the API reported: \(self.value)" }

    /// The value as what is thrown: itself, if it is an error.
    static func error(_ value: Value) -> any Error where Value: Sendable {
        (value as? any Error) ?? ReportedFailure(value)
    }
}
