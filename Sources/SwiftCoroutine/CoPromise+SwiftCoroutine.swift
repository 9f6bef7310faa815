// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures

// For code written for SwiftCoroutine: methods that are passed as closures, `api.fetch(completion: promise.complete)`.
// A function that returns `Bool` does not convert to one that returns nothing.

extension CoPromise {
    /// Completes the future with a value.
    ///
    /// The form for `future.whenSuccess(promise.success)`.
    ///
    /// - Parameter value: The value.
    /// - Complexity: O(*n*) in the number of observers.
    @_disfavoredOverload
    @inlinable
    public func success(_ value: Value) { self.settle(value) }

    /// Completes the future with an error.
    ///
    /// The form for `future.whenFailure(promise.fail)`.
    ///
    /// - Parameter error: The error.
    /// - Complexity: O(*n*) in the number of observers.
    @_disfavoredOverload
    @inlinable
    public func fail(_ error: any Error) { self.settle(failure: error) }

    /// Completes the future with a result.
    ///
    /// The form for `api.fetch(completion: promise.complete)`.
    ///
    /// - Parameter result: The result.
    /// - Complexity: O(*n*) in the number of observers.
    @_disfavoredOverload
    @inlinable
    public func complete(with result: Result<Value, any Error>) { self.settle(result) }

    /// Completes the future with a result whose error is of a known type.
    ///
    /// - Parameter result: The result.
    /// - Returns: `false` if there already was a result.
    /// - Complexity: O(*n*) in the number of observers.
    @discardableResult
    @inlinable
    public func complete<Failure: Error>(with result: Result<Value, Failure>) -> Bool {
        self.settle(result.mapError { $0 })
    }

    /// Completes the future with a result whose error is of a known type.
    ///
    /// The form for `api.fetch(completion: promise.complete)`.
    ///
    /// - Parameter result: The result.
    /// - Complexity: O(*n*) in the number of observers.
    @_disfavoredOverload
    @inlinable
    public func complete<Failure: Error>(with result: Result<Value, Failure>) { self.settle(result.mapError { $0 }) }
}
