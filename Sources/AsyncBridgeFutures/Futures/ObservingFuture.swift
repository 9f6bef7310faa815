// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import CAsyncBridge
import Synchronization

/// A future that is made from another one, which it reaches to cancel it, but does not keep alive.
///
/// An unowned reference, which costs one atomic operation where a weak one costs an object: the memory stays until it
/// is given up. Who takes the address out of the word gives it up.
///
/// Safe: as `CoFuture`; what it adds is an atomic word.
@usableFromInline
class ObservingFuture<Value: Sendable>: CoFuture<Value>, @unchecked Sendable {
    // A `FutureSource`.
    private let source: Atomic<UInt>

    @usableFromInline
    init(of source: AnyCoFuture) {
        let address = unsafe Unmanaged.passUnretained(source).toOpaque()
        // Safe: released by the code that takes the address out of the word.
        unsafe swift_unownedRetain(address)
        self.source = Atomic(UInt(bitPattern: address))
        super.init()
    }

    deinit { self.forgetSource() }

    /// Applies an event to what it observes.
    ///
    /// - Parameter event: The next state; nothing to refuse.
    /// - Returns: The state before, or nothing.
    @inline(__always)
    private final func apply(_ event: (FutureSource) -> FutureSource?) -> FutureSource? {
        self.source.update { seen in
            let before = FutureSource(rawValue: seen)
            let next = event(before)
            return (next?.rawValue, next == nil ? nil : before)
        }
    }

    /// Gives the reference up.
    final func forgetSource() {
        guard let before = self.apply({ $0.forgetting() }) else { return }
        unsafe swift_unownedRelease(UnsafeMutableRawPointer(bitPattern: before.address))
    }

    override final func exchangeSource(_ source: AnyCoFuture, for next: AnyCoFuture) -> Bool {
        let (old, new) = unsafe (Unmanaged.passUnretained(source).toOpaque(), Unmanaged.passUnretained(next).toOpaque())
        unsafe swift_unownedRetain(new)
        let exchanged = self.apply { $0.exchanging(UInt(bitPattern: old), for: UInt(bitPattern: new)) } != nil
        unsafe swift_unownedRelease(exchanged ? old : new)
        return exchanged
    }

    override final var hasCancelledItsSource: Bool {
        FutureSource(rawValue: self.source.load(ordering: .acquiring)) == .cancelled
    }

    override final func beginFollowing(_ next: AnyCoFuture) -> Bool {
        let address = unsafe Unmanaged.passUnretained(next).toOpaque()
        unsafe swift_unownedRetain(address)
        let follows = self.apply { $0.following(UInt(bitPattern: address)) } != nil
        if !follows { unsafe swift_unownedRelease(address) }
        return follows
    }

    override final func cancelWork(_ observers: ObserverList, _ firing: inout FutureFiring) -> ObserverList {
        if let before = self.apply({ $0.cancelling() }),
            let address = unsafe UnsafeMutableRawPointer(bitPattern: before.address)
        {
            // Safe: the unowned reference keeps the memory; the object is retained only if it is not going away.
            if let retained = unsafe swift_tryRetain(address) {
                unsafe firing.cancel(taking: Unmanaged.fromOpaque(retained))
            }
            unsafe swift_unownedRelease(address)
        }
        return observers
    }
}

/// What `map` makes.
///
/// Safe: as `ObservingFuture`; the closure is constant and Sendable.
@usableFromInline
final class MappedFuture<Input: Sendable, Output: Sendable>: ObservingFuture<Output>, @unchecked Sendable {
    private let transform: @Sendable (Input) throws -> Output

    @usableFromInline
    init(of source: AnyCoFuture, _ transform: @escaping @Sendable (Input) throws -> Output) {
        self.transform = transform
        super.init(of: source)
    }

    // Not specialised: nothing here may need the metadata of another generic type, which costs more than all the rest.
    override func follow(_ source: AnyCoFuture, _: inout FutureFiring) -> ObserverList {
        self.forgetSource()
        if self.isSettled { return .empty }
        if let error = source.error { return self.settleFollowing(failure: error) }
        do { return self.settleFollowing(try self.transform(source.value(as: Input.self))) } catch {
            return self.settleFollowing(failure: error)
        }
    }
}

/// What `mapResult` makes.
///
/// Safe: as `ObservingFuture`; the closure is constant and Sendable.
@usableFromInline
final class ResultFuture<Output: Sendable>: ObservingFuture<Output>, @unchecked Sendable {
    private let transform: @Sendable (AnyCoFuture) throws -> Output

    @usableFromInline
    init(of source: AnyCoFuture, _ transform: @escaping @Sendable (AnyCoFuture) throws -> Output) {
        self.transform = transform
        super.init(of: source)
    }

    override func follow(_ source: AnyCoFuture, _: inout FutureFiring) -> ObserverList {
        self.forgetSource()
        if self.isSettled { return .empty }
        do { return self.settleFollowing(try self.transform(source)) } catch {
            return self.settleFollowing(failure: error)
        }
    }
}

/// What `future` of a promise makes: it has the same result.
///
/// Safe: as `ObservingFuture`, to which it adds nothing.
@usableFromInline
final class FollowingFuture<Output: Sendable>: ObservingFuture<Output>, @unchecked Sendable {
    @usableFromInline
    override init(of source: AnyCoFuture) { super.init(of: source) }

    override func follow(_ source: AnyCoFuture, _: inout FutureFiring) -> ObserverList {
        self.forgetSource()
        return self.settleAs(source)
    }
}
