// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge
import Synchronization

/// A future that is made from another one, which it reaches to cancel it, but does not keep alive.
///
/// An unowned reference, which costs one atomic operation where a weak one costs an object: the memory stays until it
/// is given up. Who takes the address out of the word gives it up.
@usableFromInline
class ObservingFuture<Value: Sendable>: CoFuture<Value>, @unchecked Sendable {
    // The address; 0 if it observes nothing; 1 if it was cancelled, and observes nothing any more.
    private let source: Atomic<UInt>
    private static var cancelledMark: UInt { 1 }

    @usableFromInline
    init(of source: AnyCoFuture) {
        let address = unsafe Unmanaged.passUnretained(source).toOpaque()
        // Safe: given up by who takes the address out of the word.
        unsafe swift_unownedRetain(address)
        self.source = Atomic(UInt(bitPattern: address))
        super.init()
    }

    deinit { self.forgetSource() }

    /// Takes the address out.
    ///
    /// - Parameter replacement: 0, or the mark.
    /// - Returns: The address, if there was one.
    private final func takeSource(_ replacement: UInt) -> UnsafeMutableRawPointer? {
        let word = self.source.exchange(replacement, ordering: .acquiringAndReleasing)
        return unsafe UnsafeMutableRawPointer(bitPattern: word & ~Self.cancelledMark)
    }

    /// Gives the reference up.
    final func forgetSource() {
        var seen = self.source.load(ordering: .relaxed)
        while let address = unsafe UnsafeMutableRawPointer(bitPattern: seen & ~Self.cancelledMark) {
            let (exchanged, original) = self.source.compareExchange(expected: seen, desired: 0, ordering: .acquiring)
            if exchanged { return unsafe swift_unownedRelease(address) }
            seen = original
        }
    }

    override final func exchangeSource(_ source: AnyCoFuture, for next: AnyCoFuture) -> Bool {
        let (old, new) = unsafe (Unmanaged.passUnretained(source).toOpaque(), Unmanaged.passUnretained(next).toOpaque())
        unsafe swift_unownedRetain(new)
        let exchanged = self.source.compareExchange(
            expected: UInt(bitPattern: old),
            desired: UInt(bitPattern: new),
            ordering: .acquiringAndReleasing
        ).exchanged
        unsafe swift_unownedRelease(exchanged ? old : new)
        return exchanged
    }

    override final func beginFollowing(_ next: AnyCoFuture) -> Bool {
        let address = unsafe Unmanaged.passUnretained(next).toOpaque()
        unsafe swift_unownedRetain(address)
        let exchanged = self.source.compareExchange(
            expected: 0,
            desired: UInt(bitPattern: address),
            ordering: .acquiringAndReleasing
        ).exchanged
        if !exchanged { unsafe swift_unownedRelease(address) }
        return exchanged
    }

    /// Ends this future first, so that no transform turns the cancellation into something else; then those before it.
    override final func cancelled(_ firing: inout FutureFiring) -> ObserverList {
        guard self.claim() else { return .empty }
        let observers = self.settleClaimed(failure: CancellationError())
        if let address = unsafe self.takeSource(Self.cancelledMark) {
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
