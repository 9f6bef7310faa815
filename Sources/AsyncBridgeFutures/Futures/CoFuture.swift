// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Synchronization

/// A result that arrives later, for any number of waiters.
///
/// ```swift
/// let quote = CoFuture { try await client.quote() }
///
/// quote.whenSuccess { print($0) }
/// print(try await quote.value)
/// ```
///
/// Async code awaits a future with ``value``; other code adds an observer, with ``whenComplete(_:)`` and the like. In a
/// coroutine, with `import Coroutines`, use `await(cancellation:fileID:line:)`:
///
/// ```swift
/// DispatchQueue.main.startCoroutine { print(try quote.await()) }
/// ```
///
/// A ``CoPromise`` is a future that is completed by hand. All others are made from work or from other futures.
///
/// ## Cancellation
/// Cancelling can mean three things. ``AnyCoFuture/cancel()`` ends the work, for all waiters. ``AnyCoFuture/abandon()``
/// ends this one future. A cancelled waiter by default only stops waiting; its ``WaitPolicy`` can change that.
///
/// ## Isolation
/// May be used on any thread. Observers and transforms run inside the call that completes the future, in the order in
/// which they were added. If there already is a result, they run inside the call that adds them. No user code runs
/// under a lock.
///
/// Such calls can nest, for example if an observer completes another future. When little of the stack is left, the next
/// closure runs on Dispatch's global queue, or on the scheduler of the calling coroutine, and the call returns before
/// it has run.
///
/// A closure does not run on the actor that added it, and Swift 6 mode only warns if it uses that actor's state: see
/// ``whenSuccess(_:)``.
@preconcurrency
// Safe: as `AnyCoFuture`.
public class CoFuture<Value: Sendable>: AnyCoFuture, @unchecked Sendable {
    /// An observer that is stored in the future itself.
    enum First: Sendable {
        case none
        case value(@Sendable (Value) -> Void)
        case result(@Sendable (Result<Value, any Error>) -> Void)
    }

    // Safe: written by the code that has reserved it, then used by the code that fires the observers.
    @safe @exclusivity(unchecked) private final var first = First.none

    @usableFromInline
    package override init() { super.init() }

    deinit {
        // Its maker dropped it: its observers must hear of that.
        if !self.isSettled { self.endUnsettled(with: CancellationError()) }
        if self.ownsValue { _ = self.payload.take(as: Value.self) }
    }

    /// Makes a future that already has its result.
    ///
    /// - Parameter result: The result.
    /// - Complexity: O(1).
    @inlinable
    public convenience init(result: Result<Value, any Error>) {
        self.init()
        switch result {
        case .success(let value): self.begin(with: value)
        case .failure(let error): self.settle(failure: error)
        }
    }

    /// Gives a value to a future that no other code has yet.
    @inlinable
    final func begin(with value: Value) {
        self.write(value)
        self.publishUnobserved()
    }

    /// Makes a future from what a callback receives.
    ///
    /// ```swift
    /// let quote = CoFuture(promise: { client.fetchQuote(completion: $0) })
    /// ```
    ///
    /// The callback may be called on any thread, now or later. The first call counts; later calls do nothing and are
    /// not reported. If the API drops the callback without a call, the future fails with
    /// ``CoFutureError/promiseDropped(_:)``. For an API that does not call back with a `Result<Value, any Error>`, use
    /// `CoPromise.handler(_:)`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
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
    package final func settle(_ result: Result<Value, any Error>) -> Bool {
        switch result {
        case .success(let value): self.settle(value)
        case .failure(let error): self.settle(failure: error)
        }
    }

    @discardableResult
    @inlinable
    package final func settle(_ value: Value) -> Bool {
        guard self.claim() else { return false }
        self.write(value)
        self.publish()
        return true
    }

    /// Settles it with the result of a future of the same type, or the error of any future.
    ///
    /// - Returns: Its observers.
    final func settleAs(_ source: AnyCoFuture) -> ObserverList {
        self.claim() ? self.settleClaimed(as: source) : .empty
    }

    /// Settles it so, for code that has claimed it.
    ///
    /// - Returns: Its observers.
    final func settleClaimed(as source: AnyCoFuture) -> ObserverList {
        if let error = source.error { return self.settleClaimed(failure: error) }
        return self.settleClaimed(source.value(as: Value.self))
    }

    /// Settles it, because it is released without a result.
    final func endUnsettled(with error: any Error) {
        guard OtherStack.isNeeded else {
            self.settle(failure: error)
            return
        }
        // An observer may have the last reference to another such future, and so on. This one cannot be kept for
        // another stack, so its observers are moved to one that can.
        let heir = CoFuture<Value>()
        heir.first = self.first
        self.first = .none
        heir.word.store(self.word.exchange(FutureState.settled.rawValue, ordering: .relaxed), ordering: .relaxed)
        OtherStack.run { heir.settle(failure: error) }
    }

    /// Adds an observer, in the future itself if it is the first one.
    ///
    /// - Returns: False if it must be added as an object.
    final func add(first: First) -> Bool {
        guard self.reserveFirst() else { return false }
        self.first = first
        // Race: a result that came meanwhile was published without it.
        if !self.publishFirst() { self.callFirst() }
        return true
    }

    // Not specialised: nothing here may need the metadata of another generic type, which costs more than all the rest.
    override final func callFirst() {
        let first = self.first
        self.first = .none
        switch first {
        case .value(let callback): if self.hasValue { callback(self.value(as: Value.self)) }
        case .result(let callback): self.call(callback)
        case .none: preconditionFailure("BUG: a future without a first observer")
        }
    }

    // On its own: it asks the runtime for a type, which costs as much as all the rest, and would be done for other
    // observers too.
    @inline(never)
    private final func call(_ callback: @Sendable (Result<Value, any Error>) -> Void) { callback(self.settledResult) }

    /// What the result is, once there is one.
    @usableFromInline final var settledResult: Result<Value, any Error> {
        guard let result = self.result else { preconditionFailure("BUG: a future has fired without a result") }
        return result
    }
}

/// Fails a future when the last reference to its callback is released.
private final class DropToken<Value: Sendable>: Sendable {
    let future: CoFuture<Value>
    private let made: CallSite

    init(_ future: CoFuture<Value>, made: CallSite) {
        self.future = future
        self.made = made
    }

    deinit { self.future.settle(failure: CoFutureError.promiseDropped(self.made)) }
}
