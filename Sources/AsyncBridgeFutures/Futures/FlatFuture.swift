// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What `flatMap` and its like make: observes a future, and then the future that the result of the first leads to.
///
/// Safe: as `ObservingFuture`; what it adds says itself why it is safe.
@usableFromInline
final class FlatFuture<Output: Sendable>: ObservingFuture<Output>, @unchecked Sendable {
    /// Makes the next future; nothing if this future takes the source's result.
    ///
    /// No other generic type is in it: to look its metadata up takes longer than the call.
    @usableFromInline typealias Transform = @Sendable (AnyCoFuture) -> AnyCoFuture?

    // Safe, both: used by the code that tells it of a result, the first time and the second.
    @safe @exclusivity(unchecked) private var transform: Transform?
    @safe @exclusivity(unchecked) private var isFollowingInner = false

    @usableFromInline
    init(of source: AnyCoFuture, _ transform: @escaping Transform) {
        self.transform = transform
        super.init(of: source)
    }

    override func follow(_ source: AnyCoFuture, _ firing: inout FutureFiring) -> ObserverList {
        self.forgetSource()
        if self.isFollowingInner { return self.settleAs(source) }
        self.isFollowingInner = true
        if self.isSettled {
            self.transform = nil
            return .empty
        }
        // Called once, and dropped: it may hold the future of an earlier round of a loop.
        guard let inner = self.transform.take()?(source) else { return self.settleAs(source) }
        if inner.isSettled { return self.settleAs(inner) }
        firing.follow(inner)
        return .empty
    }
}
