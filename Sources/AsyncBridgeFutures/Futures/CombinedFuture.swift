// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A future of the results of several others, which alone keep it alive.
///
/// Safe: its one property is constant, and says itself why it is safe.
class CombinedFuture<Whole: Sendable>: CoFuture<Whole>, @unchecked Sendable {
    fileprivate final let links: FutureLinks

    fileprivate init(_ parts: [AnyCoFuture]) {
        self.links = FutureLinks(to: parts)
        super.init()
        self.links.begin(as: self)
    }

    /// Observes the parts; for the subclass to call, at the end of its `init`.
    final func observe(_ parts: [AnyCoFuture]) {
        for (index, part) in parts.enumerated() {
            if self.isSettled { return }
            part.add(ObserverList(self.links[index]))
        }
    }

    /// Has the parts that have no result cancelled, then the observers of this future told, which has its result now.
    final func finish(_ observers: ObserverList, _ firing: inout FutureFiring) {
        firing.fire(observers, of: self)
        self.links.cancel(&firing)
    }

    override final func cancelWork(_ observers: ObserverList, _ firing: inout FutureFiring) -> ObserverList {
        self.finish(observers, &firing)
        return .empty
    }
}

/// What `all` makes.
///
/// Safe: as `CombinedFuture`, to which it adds nothing.
final class AllFuture<Value: Sendable>: CombinedFuture<[Value]>, @unchecked Sendable {
    init(_ parts: some Sequence<CoFuture<Value>>) {
        let parts = uncast(parts)
        super.init(parts)
        if parts.isEmpty { self.settle([]) }
        self.observe(parts)
    }

    override func combine(_ source: AnyCoFuture, _ link: FutureLink, _ firing: inout FutureFiring) {
        // Nothing is kept, so that results that are never read are released once this future has failed or was
        // cancelled.
        if let error = source.error {
            if self.claim() { self.finish(self.settleClaimed(failure: error), &firing) }
        } else if !self.isSettled, self.links.keep(source, at: link), self.claim() {
            // Claimed first: a value counts as read only if it is passed on.
            let values = self.links.map { part in
                guard case .success(let part) = part else { preconditionFailure("BUG: a part has failed") }
                return part.value(as: Value.self)
            }
            firing.fire(self.settleClaimed(values), of: self)
        }
    }
}

/// What `settled` makes.
///
/// Safe: as `CombinedFuture`, to which it adds nothing.
final class SettledFuture<Value: Sendable>: CombinedFuture<[Result<Value, any Error>]>, @unchecked Sendable {
    init(_ parts: some Sequence<CoFuture<Value>>) {
        let parts = uncast(parts)
        super.init(parts)
        if parts.isEmpty { self.settle([]) }
        self.observe(parts)
    }

    override func combine(_ source: AnyCoFuture, _ link: FutureLink, _ firing: inout FutureFiring) {
        // Claimed first, as above.
        guard !self.isSettled, self.links.keep(source, at: link), self.claim() else { return }
        let results = self.links.map { part in part.map { $0.value(as: Value.self) } }
        firing.fire(self.settleClaimed(results), of: self)
    }
}

/// What `any` and `race` make.
///
/// Safe: as `CombinedFuture`; what it adds is constant and Sendable.
final class FirstFuture<Value: Sendable>: CombinedFuture<Value>, @unchecked Sendable {
    private let acceptsFailures: Bool

    init(_ parts: some Sequence<CoFuture<Value>>, acceptsFailures: Bool) {
        let parts = uncast(parts)
        self.acceptsFailures = acceptsFailures
        super.init(parts)
        if parts.isEmpty { self.settle(failure: CoFutureError.noFutures) }
        self.observe(parts)
    }

    override func combine(_ source: AnyCoFuture, _ link: FutureLink, _ firing: inout FutureFiring) {
        if let error = source.error, !self.acceptsFailures {
            // The error that came last.
            if self.links.countDown() { firing.fire(self.settleFollowing(failure: error), of: self) }
        } else if self.claim() {
            self.finish(self.settleClaimed(as: source), &firing)
        }
    }
}

/// Futures, as such of a type that all share.
private func uncast<Value: Sendable>(_ futures: some Sequence<CoFuture<Value>>) -> [AnyCoFuture] {
    // Safe: the elements are references to objects of a subclass. Why not a conversion: it casts, and copies, one by
    // one.
    unsafe unsafeBitCast(Array(futures), to: [AnyCoFuture].self)
}
