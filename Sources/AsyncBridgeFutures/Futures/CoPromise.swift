// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// A future that is completed by hand.
///
/// ```swift
/// func quote(_ client: QuoteClient) -> CoFuture<String> {
///     let promise = CoPromise<String>()
///     client.fetchQuote(completion: promise.complete)
///     return promise.future
/// }
/// ```
///
/// The first completion counts; each later one answers `false` and does nothing.
///
/// ## A promise that is dropped
/// When its last reference goes away without a result, everybody who observes it, and every future made from it, gets
/// ``CoFutureError/promiseDropped(_:)`` with the place where it was made. Who holds the promise itself to wait for it
/// keeps it alive: give others ``future``, which does not.
@preconcurrency
public final class CoPromise<Value: Sendable>: CoFuture<Value>, @unchecked Sendable {
    private let made: CallSite

    /// Makes a promise without a result.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for errors.
    ///   - line: The caller's line, for errors.
    /// - Complexity: O(1).
    @inlinable
    public convenience init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(made: CallSite(fileID: fileID, line: line))
    }

    /// Makes a promise without a result.
    ///
    /// The form for `let make = CoPromise<Int>.init`, which does not know the place; see ``init(fileID:line:)``.
    ///
    /// - Complexity: O(1).
    @_disfavoredOverload
    override public convenience init() { self.init(made: CallSite(fileID: #fileID, line: #line)) }

    @usableFromInline
    init(made: CallSite) {
        self.made = made
        super.init()
    }

    deinit { if !self.isSettled { self.endUnsettled(with: CoFutureError.promiseDropped(self.made)) } }

    /// A future of the same result that does not keep the promise alive; each call makes a new one.
    ///
    /// Cancelling it cancels the promise.
    ///
    /// - Complexity: O(1).
    public var future: CoFuture<Value> { self.mapResult { $0 } }

    /// Completes the future with a value.
    ///
    /// Isolation: observers run in this call.
    ///
    /// - Parameter value: The value.
    /// - Returns: False if there was a result.
    /// - Complexity: O(*n*) in the number of observers.
    @discardableResult
    @inlinable
    public func success(_ value: Value) -> Bool { self.settle(value) }

    /// Completes the future with an error.
    ///
    /// Isolation: observers run in this call.
    ///
    /// - Parameter error: The error; `CoFutureError.canceled` is the same as ``AnyCoFuture/cancel()``.
    /// - Returns: False if there was a result.
    /// - Complexity: O(*n*) in the number of observers.
    @discardableResult
    @inlinable
    public func fail(_ error: any Error) -> Bool { self.settle(failure: error) }

    /// Completes the future with a result.
    ///
    /// Isolation: observers run in this call.
    ///
    /// - Parameter result: The result.
    /// - Returns: False if there was a result.
    /// - Complexity: O(*n*) in the number of observers.
    @discardableResult
    @inlinable
    public func complete(with result: Result<Value, any Error>) -> Bool { self.settle(result) }

    /// Completes the future with the result of another one, when that has its own.
    ///
    /// Cancelling the promise does not cancel the other one.
    ///
    /// - Parameter future: The other future.
    /// - Complexity: O(1).
    public func complete(with future: CoFuture<Value>) { future.add(PromiseObserver(completing: self)) }
}
