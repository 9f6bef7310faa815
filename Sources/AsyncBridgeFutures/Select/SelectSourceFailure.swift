// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A selection throws the error of what a branch waits for: a channel that has ended, or a future that has failed.
///
/// So it throws before a branch has happened. An error of a branch's closure is thrown as it is.
@usableFromInline
struct SelectSourceFailure: Error {
    /// What `select` throws.
    @usableFromInline let error: any Error

    @inlinable
    init(_ error: any Error) { self.error = error }

    /// The value of a result.
    ///
    /// - Throws: This, with the error of a failed one.
    @inlinable
    static func value<Value>(of result: Result<Value, any Error>) throws -> Value {
        switch result {
        case .success(let value): return value
        case .failure(let error): throw Self(error)
        }
    }
}
