// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A future that observes another one first, and then the future that the result of the first leads to.
@usableFromInline
class ChainedFuture<Output: Sendable>: ObservingFuture<Output>, @unchecked Sendable {
    // Safe: of the one who tells it of a result, the first time and the second.
    @safe @exclusivity(unchecked) private final var isFollowingInner = false

    override final func follow(_ source: AnyCoFuture, _ firing: inout FutureFiring) -> ObserverList {
        self.forgetSource()
        if self.isFollowingInner { return self.settleAs(source) }
        self.isFollowingInner = true
        if self.isSettled {
            self.forgetTransform()
            return .empty
        }
        guard let inner = self.inner(of: source) else { return self.settleAs(source) }
        if inner.isSettled { return self.settleAs(inner) }
        firing.follow(inner)
        return .empty
    }

    /// Calls the transform, once, and drops it: it may hold the future of an earlier round of a loop.
    ///
    /// - Returns: The next future; nothing if the source's result, which fits then, is this one's.
    func inner(of _: AnyCoFuture) -> CoFuture<Output>? { preconditionFailure("abstract method not overridden") }

    /// Drops the transform.
    func forgetTransform() {}
}

/// What `flatMap` makes.
@usableFromInline
final class FlatFuture<Input: Sendable, Output: Sendable>: ChainedFuture<Output>, @unchecked Sendable {
    // Safe: as in the class above.
    @safe @exclusivity(unchecked) private var transform: (@Sendable (Input) -> CoFuture<Output>)?

    @usableFromInline
    init(of source: AnyCoFuture, _ transform: @escaping @Sendable (Input) -> CoFuture<Output>) {
        self.transform = transform
        super.init(of: source)
    }

    override func inner(of source: AnyCoFuture) -> CoFuture<Output>? {
        guard let transform = self.transform.take(), source.hasValue else { return nil }
        return transform(source.value(as: Input.self))
    }

    override func forgetTransform() { self.transform = nil }
}

/// What `flatMapError` and `flatMapResult` make.
final class FlatResultFuture<Output: Sendable>: ChainedFuture<Output>, @unchecked Sendable {
    // Safe: as above.
    @safe @exclusivity(unchecked) private var transform: (@Sendable (AnyCoFuture) -> CoFuture<Output>?)?

    /// - Parameters:
    ///   - source: What it observes first.
    ///   - transform: Makes the next future; nothing if the source's result is to be this one's.
    init(of source: AnyCoFuture, _ transform: @escaping @Sendable (AnyCoFuture) -> CoFuture<Output>?) {
        self.transform = transform
        super.init(of: source)
    }

    override func inner(of source: AnyCoFuture) -> CoFuture<Output>? { self.transform.take()?(source) }

    override func forgetTransform() { self.transform = nil }
}
