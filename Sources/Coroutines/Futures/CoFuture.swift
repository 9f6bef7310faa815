// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// A result that will be there later, for as many as want it.
///
/// ```swift
/// let first = DispatchQueue.global().coroutineFuture { try load("first") }
/// let second = DispatchQueue.global().coroutineFuture { try load("second") }
///
/// DispatchQueue.main.startCoroutine {
///     let both = try first.await() + second.await()
///     print(both)
/// }
/// ```
///
/// A ``CoPromise`` is a future that is completed by hand; the rest are made from work or from other futures. A future is
/// awaited in a coroutine with ``await(onCancel:fileID:line:)``, in async code with ``value``, and observed with `whenComplete` and its
/// like, whose closures run first come, first served.
///
/// ## Cancellation
/// Three things are kept apart. ``AnyCoFuture/cancel()`` ends the work, for all. ``AnyCoFuture/abandon()`` ends this one
/// future. And one who waits and is cancelled stops waiting, no more: ``WaitPolicy`` says otherwise.
///
/// ## Isolation
/// May be used on any thread. Transforms and observers run where the future is completed, in that call, or, if there is a
/// result, in the call that adds them; nothing of the user's runs under a lock.
///
/// Safe: as `AnyCoFuture`.
@preconcurrency
public class CoFuture<Value: Sendable>: AnyCoFuture, @unchecked Sendable {
    @usableFromInline
    override init() { super.init() }

    deinit { if self.ownsValue { _ = self.payload.take(as: Value.self) } }

    /// Makes a future that has its result.
    ///
    /// - Parameter result: The result.
    /// - Complexity: O(1).
    @inlinable
    public convenience init(result: Result<Value, any Error>) {
        self.init()
        self.settle(result)
    }

    /// Makes a future of what comes to a callback.
    ///
    /// ```swift
    /// let quote = CoFuture(promise: { client.fetchQuote(completion: $0) })
    /// ```
    ///
    /// The callback may be called on any thread, now or later, and counts once. If the API lets go of it without a call, the
    /// future fails with ``CoFutureError/promiseDropped(_:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for errors.
    ///   - line: The caller's line, for errors.
    ///   - promise: Starts the work with the callback, in this call.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        promise: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) {
        self.init()
        let token = DropToken(self, made: CallSite(fileID: fileID, line: line))
        promise { token.future.settle($0) }
    }

    /// Starts a coroutine at once, on this thread, and makes a future of its result.
    ///
    /// After a wait the code goes on where that which it waited for ended: see ``ImmediateScheduler``. To run it somewhere,
    /// write `scheduler.coroutineFuture { … }`.
    ///
    /// ## Cancellation
    /// Cancelling the future cancels the coroutine.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for errors and lists.
    ///   - line: The caller's line, for errors and lists.
    ///   - task: The code.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        task: @escaping @Sendable () throws -> Value
    ) {
        self.init()
        self.run(task, on: ImmediateScheduler(), fileID, line)
    }

    /// The result, if there is one.
    ///
    /// - Complexity: O(1).
    @inlinable
    public final var result: Result<Value, any Error>? {
        guard self.isSettled else { return nil }
        if self.hasValue { return .success(self.value(as: Value.self)) }
        return .failure(self.payload.copy(as: (any Error).self))
    }

    /// Settles it.
    ///
    /// - Returns: False if it had a result before.
    @discardableResult
    @inlinable
    final func settle(_ result: Result<Value, any Error>) -> Bool {
        switch result {
        case .success(let value): self.settle(value)
        case .failure(let error): self.settle(failure: error)
        }
    }

    @discardableResult
    @inlinable
    final func settle(_ value: Value) -> Bool {
        guard self.claim() else { return false }
        self.write(value)
        self.publish()
        return true
    }

    /// What the result is, once there is one.
    @usableFromInline final var settledResult: Result<Value, any Error> {
        guard let result = self.result else { preconditionFailure("BUG: a future has fired without a result") }
        return result
    }
}

/// Fails a future when the last reference to its callback goes away.
private final class DropToken<Value: Sendable>: Sendable {
    let future: CoFuture<Value>
    private let made: CallSite

    init(_ future: CoFuture<Value>, made: CallSite) {
        self.future = future
        self.made = made
    }

    deinit { self.future.settle(failure: CoFutureError.promiseDropped(self.made)) }
}

/// A future that is completed by hand.
///
/// ```swift
/// func quote(_ client: QuoteClient) -> CoFuture<String> {
///     let promise = CoPromise<String>()
///     client.fetchQuote { promise.complete(with: $0) }
///     return promise.future
/// }
/// ```
///
/// The first completion counts; each later one answers `false` and does nothing.
///
/// ## A promise that is dropped
/// When its last reference goes away without a result, everybody who observes it, and every future made from it, gets
/// ``CoFutureError/promiseDropped(_:)`` with the place where it was made. Who holds the promise itself to wait for it keeps it
/// alive: give others ``future``, which does not.
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

    @usableFromInline
    init(made: CallSite) {
        self.made = made
        super.init()
    }

    deinit { if !self.isSettled { self.settle(failure: CoFutureError.promiseDropped(self.made)) } }

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
    public func complete(with future: CoFuture<Value>) { future.whenComplete { self.settle($0) } }
}
