// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// A future that is completed by hand.
///
/// ```swift
/// func quote(_ client: QuoteClient) -> CoFuture<String> {
///     let promise = CoPromise<String>()
///     client.fetchQuote(completion: promise.handler { try $0.get() })
///     return promise.future
/// }
/// ```
///
/// `handler(_:)` makes a completion handler for an API of any shape. Here it gets a `Result`, whose error may be of
/// any type. Other code calls ``success(_:)``, ``fail(_:)`` or ``complete(with:)-(Result<Value,Error>)``.
///
/// The first completion counts. Each later one returns `false` and does nothing; it is not reported, because a race of
/// completions is normal here.
///
/// ## A dropped promise
/// When the last reference to it is released without a result, its observers, and all futures made from it, get
/// ``CoFutureError/promiseDropped(_:)`` with the place where it was made. A waiter that holds the promise itself keeps
/// it alive: give others ``future``, which does not.
@preconcurrency
// Safe: as `CoFuture`; what it adds is constant and Sendable.
public final class CoPromise<Value: Sendable>: CoFuture<Value>, @unchecked Sendable {
    private let made: CallSite

    /// Makes a promise without a result.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Complexity: O(1).
    @inlinable
    public convenience init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(made: CallSite(fileID: fileID, line: line))
    }

    /// Makes a promise without a result.
    ///
    /// For `let make = CoPromise<Int>.init`. Its errors do not name the caller's place; see ``init(fileID:line:)``.
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

    /// A future with the same result that does not keep the promise alive; each call makes a new one.
    ///
    /// Cancelling it cancels the promise.
    ///
    /// - Complexity: O(1).
    @inlinable public var future: CoFuture<Value> {
        let future = FollowingFuture<Value>(of: self)
        self.add(future)
        return future
    }

    /// Completes the future with a value.
    ///
    /// For what an async function returns, do not write `Task { promise.success(try await … ) }`: the task would keep
    /// the function's error for itself, and the future would fail with ``CoFutureError/promiseDropped(_:)``. The
    /// compiler does not warn. `CoFuture { try await … }` has both.
    ///
    /// Isolation: observers run in this call, unless little of the stack is left: see ``CoFuture``.
    ///
    /// - Parameter value: The value.
    /// - Returns: `false` if there already was a result: then nothing happens.
    /// - Complexity: O(*n*) in the number of observers.
    @discardableResult
    @inlinable
    public func success(_ value: Value) -> Bool { self.settle(value) }

    /// Completes the future with an error.
    ///
    /// Isolation: observers run in this call, unless little of the stack is left: see ``CoFuture``.
    ///
    /// - Parameter error: The error. A `CancellationError` cancels the future, as ``AnyCoFuture/cancel()`` does.
    /// - Returns: `false` if there already was a result: then nothing happens.
    /// - Complexity: O(*n*) in the number of observers.
    @discardableResult
    @inlinable
    public func fail(_ error: any Error) -> Bool { self.settle(failure: error) }

    /// Completes the future with a result.
    ///
    /// Isolation: observers run in this call, unless little of the stack is left: see ``CoFuture``.
    ///
    /// - Parameter result: The result.
    /// - Returns: `false` if there already was a result: then nothing happens.
    /// - Complexity: O(*n*) in the number of observers.
    @discardableResult
    @inlinable
    public func complete(with result: Result<Value, any Error>) -> Bool { self.settle(result) }

    /// Completes the future with the result of another one, as soon as that has one.
    ///
    /// Cancelling the promise does not cancel the other one.
    ///
    /// - Parameter future: The other future. Not this one, nor one that was made from it: the promise would wait for
    ///   itself, forever.
    /// - Complexity: O(1).
    public func complete(with future: CoFuture<Value>) { future.add(PromiseObserver(completing: self)) }
}
