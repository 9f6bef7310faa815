// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A reason why a wait ended without an answer from the API.
///
/// No case will be added, so a `switch` may name both: new faults are new codes of ``BridgeFault``.
public enum BridgeInterruption: Error, Sendable {
    /// The waiting task was cancelled.
    case cancelled

    /// The bridge failed: the callback was dropped, or the wait timed out.
    case fault(BridgeFault)

    /// The interruption as the untyped forms throw it: `CancellationError` or the fault.
    public var error: any Error {
        switch self {
        case .cancelled: CancellationError()
        case .fault(let fault): fault
        }
    }
}

/// An error of a known type, or an interruption of the wait for it.
///
/// Typed throws cannot express `CancellationError`, so the typed bridges throw this wrapper. No case will be added.
public enum BridgeError<Failure: Error>: Error {
    /// The API's own error.
    case failure(Failure)

    /// The wait ended without an answer.
    case interruption(BridgeInterruption)

    /// The error for a function that throws the API's errors and no others.
    ///
    /// ```swift
    /// do {
    ///     return try await withCallback(throwing: LoaderError.self) { callback in
    ///         loader.load(completion: callback.handler())
    ///     }
    /// } catch {
    ///     throw error.failure { _ in .gaveUp }
    /// }
    /// ```
    ///
    /// - Parameter interrupted: Makes an error of an interruption.
    /// - Returns: The API's own error, or that of `interrupted`.
    public func failure(_ interrupted: (BridgeInterruption) -> Failure) -> Failure {
        switch self {
        case .failure(let error): error
        case .interruption(let interruption): interrupted(interruption)
        }
    }
}

extension BridgeInterruption: CustomStringConvertible {
    /// The interruption in a sentence.
    public var description: String {
        switch self {
        case .cancelled: "the waiting task was cancelled"
        case .fault(let fault): fault.description
        }
    }
}

extension BridgeError: CustomStringConvertible {
    /// The API's own error, or the interruption in a sentence.
    public var description: String {
        switch self {
        case .failure(let error): "\(error)"
        case .interruption(let interruption): interruption.description
        }
    }
}
