// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CCoroutines
import Synchronization

/// A future that is made from another one, which it reaches to cancel it, but does not keep alive.
///
/// An unowned reference, which costs one atomic operation where a weak one costs an object: the memory stays until it is given
/// up. Who takes the address out of the word gives it up.
@usableFromInline
class ObservingFuture<Value: Sendable>: CoFuture<Value>, @unchecked Sendable {
    private let source: Atomic<UInt>

    @usableFromInline
    init(of source: AnyCoFuture) {
        let address = unsafe Unmanaged.passUnretained(source).toOpaque()
        // Safe: balanced by `takeSource`, whose caller releases it.
        unsafe swift_unownedRetain(address)
        self.source = Atomic(UInt(bitPattern: address))
        super.init()
    }

    deinit { self.forgetSource() }

    private final func takeSource() -> UnsafeMutableRawPointer? {
        unsafe UnsafeMutableRawPointer(bitPattern: self.source.exchange(0, ordering: .acquiringAndReleasing))
    }

    /// Gives the reference up.
    final func forgetSource() { if let address = unsafe self.takeSource() { unsafe swift_unownedRelease(address) } }

    /// Ends this future first, so that no transform turns the cancellation into something else; then those before it.
    @usableFromInline
    override func cancel() {
        let address = unsafe self.takeSource()
        self.abandon()
        guard let address = unsafe address else { return }
        // Safe: the unowned reference keeps the memory; the object is retained only if it is not going away.
        if let retained = unsafe swift_tryRetain(address) {
            unsafe Unmanaged<AnyCoFuture>.fromOpaque(retained).takeRetainedValue().cancel()
        }
        unsafe swift_unownedRelease(address)
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
    override func follow(_ source: AnyCoFuture) -> ObserverList {
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

    override func follow(_ source: AnyCoFuture) -> ObserverList {
        self.forgetSource()
        if self.isSettled { return .empty }
        do { return self.settleFollowing(try self.transform(source)) } catch {
            return self.settleFollowing(failure: error)
        }
    }
}

/// What `flatMap` makes: first it observes the source, then the future that the source's result leads to.
@usableFromInline
final class FlatFuture<Output: Sendable>: ObservingFuture<Output>, @unchecked Sendable {
    private let transform: @Sendable (AnyCoFuture) -> CoFuture<Output>?
    // What it observes after the source; kept alive by whoever completes it.
    private let inner = Mutex<WeakFuture?>(nil)

    private struct WeakFuture: Sendable {
        weak var future: AnyCoFuture?
    }

    /// - Parameters:
    ///   - source: What it observes first.
    ///   - transform: Makes the next future; nothing if the source's error is to be this one's.
    @usableFromInline
    init(of source: AnyCoFuture, _ transform: @escaping @Sendable (AnyCoFuture) -> CoFuture<Output>?) {
        self.transform = transform
        super.init(of: source)
    }

    override func follow(_ source: AnyCoFuture) -> ObserverList {
        self.forgetSource()
        if self.isSettled { return .empty }
        guard let inner = self.transform(source) else {
            return self.settleFollowing(failure: source.error ?? CancellationError())
        }
        self.inner.withLock { $0 = WeakFuture(future: inner) }
        // Race: whoever cancelled this one meanwhile has not seen the next one.
        if self.isSettled {
            inner.cancel()
            return .empty
        }
        inner.whenComplete { [self] in self.settle($0) }
        return .empty
    }

    @usableFromInline
    override func cancel() {
        super.cancel()
        self.inner.withLock { $0?.future }?.cancel()
    }
}
