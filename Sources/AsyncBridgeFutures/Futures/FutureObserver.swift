// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Something in a future's list that happens when the future has its result.
///
/// Safe: the link belongs to the list, which is handed from thread to thread by the future's word.
@usableFromInline
package class FutureObserver: @unchecked Sendable {
    /// The observer that came before; see ``ObserverList``.
    final var next: UInt = 0

    @usableFromInline
    init() {}

    /// Whether it is to learn of the result.
    var isWaiting: Bool { true }

    /// The future has its result.
    @usableFromInline
    func fire(from source: AnyCoFuture) { preconditionFailure("BUG: abstract method not overridden") }

    /// The future has its result.
    ///
    /// - Parameters:
    ///   - source: The future.
    ///   - firing: Takes what must be done afterwards, in a loop.
    func fire(from source: AnyCoFuture, _ firing: inout FutureFiring) { self.fire(from: source) }
}

/// Calls a closure with the value.
///
/// Safe: as `FutureObserver`; the closure is constant and Sendable.
@usableFromInline
final class ValueObserver<Value: Sendable>: FutureObserver, @unchecked Sendable {
    private let callback: @Sendable (Value) -> Void

    @usableFromInline
    init(_ callback: @escaping @Sendable (Value) -> Void) { self.callback = callback }

    // Not specialised: nothing here may need the metadata of another generic type, which costs more than all the rest.
    override func fire(from source: AnyCoFuture) {
        if source.hasValue { self.callback(source.value(as: Value.self)) }
    }
}

/// Calls a closure with the future.
///
/// Safe: as `FutureObserver`; the closure is constant and Sendable.
@usableFromInline
package final class ActionObserver: FutureObserver, @unchecked Sendable {
    private let action: @Sendable (AnyCoFuture) -> Void

    @usableFromInline
    package init(_ action: @escaping @Sendable (AnyCoFuture) -> Void) { self.action = action }

    override func fire(from source: AnyCoFuture) { self.action(source) }
}

/// Completes a promise with the result of the future.
///
/// Safe: as `FutureObserver`; the promise is constant and Sendable.
final class PromiseObserver<Value: Sendable>: FutureObserver, @unchecked Sendable {
    private let promise: CoPromise<Value>

    init(completing promise: CoPromise<Value>) { self.promise = promise }

    override var isWaiting: Bool { !self.promise.isSettled }

    override func fire(from source: AnyCoFuture, _ firing: inout FutureFiring) {
        firing.fire(self.promise.settleAs(source), of: self.promise)
    }
}
