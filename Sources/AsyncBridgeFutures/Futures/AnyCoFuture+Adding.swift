// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

// How observers come into the list of a future, and out of it.

extension AnyCoFuture {
    /// Adds an observer; if there is a result, it is fired here and now.
    @usableFromInline
    package func add(_ observer: __owned FutureObserver) { self.add(ObserverList(observer)) }

    /// Adds a future that observes this one.
    @usableFromInline
    func add(_ future: AnyCoFuture) { self.add(ObserverList(future)) }

    /// Adds an observer; if there is a result, it is fired here and now.
    func add(_ observer: ObserverList) {
        if !self.enlist(observer) { FutureFiring.run(observer, from: self) }
    }

    /// Adds an observer, unless there is a result.
    ///
    /// - Returns: False if there is a result.
    func enlist(_ observer: ObserverList) -> Bool {
        guard let entry = observer.first else { preconditionFailure("BUG: no observer") }
        let isEnlisted = self.apply { state in
            guard let (next, link) = state.adding(observer.word) else { return nil }
            entry.next = link
            return next
        }
        if !isEnlisted { entry.next = 0 }
        return isEnlisted
    }

    /// Reserves the first observer, which is stored in the future itself, for the caller to write.
    ///
    /// - Returns: False if there are observers, or the result is there or being written.
    func reserveFirst() -> Bool { self.apply { $0.reservingFirst() } }

    /// Adds the first observer, which has been written.
    ///
    /// - Returns: False if there is a result.
    func publishFirst() -> Bool { self.apply { $0.publishingFirst() } }

    /// What became of an attempt to take a future out of a chain.
    enum Removal {
        /// It is out: this observer is to observe the other future instead.
        case done(ObserverList)
        /// It stays.
        case refused
        /// It stays, and is to be cancelled: its observer was cancelled meanwhile.
        case cancelled
    }

    /// Takes this future out of a chain, if no other code can reach it and its one observer is a future.
    ///
    /// Such is the future of a round of a loop, when its next round has begun.
    ///
    /// - Parameter next: What this future would observe.
    /// - Returns: What became of it.
    func removeFromChain(for next: AnyCoFuture) -> Removal {
        guard self.isReachedByItsObserverAlone else { return .refused }
        // Race: another thread may have added an observer and then released its reference. Only because the references
        // were counted first, that observer is in the list that is read now.
        atomicMemoryFence(ordering: .acquiring)
        let state = self.state
        guard case .future(let observer)? = state.observers.first, !state.observers.hasFirst,
            let claimed = state.claim(), self.exchange(state, for: claimed)
        else { return .refused }
        // Race: a thread that cancels the observer can still reach this future, through an unowned reference. As long
        // as the result is claimed, it cannot fire the list and release the observer.
        //
        // Safe, here and below: the list has a reference to the observer while the claim lasts; then this function has.
        let isDone = unsafe observer._withUnsafeGuaranteedRef { $0.next == 0 && $0.exchangeSource(self, for: next) }
        if isDone {
            self.word.store(FutureState.settled.rawValue, ordering: .releasing)
            return .done(state.observers)
        }
        // Kept until its state was looked at, after the claim has ended.
        _ = unsafe observer.retain()
        defer { unsafe observer.release() }
        _ = self.apply { $0.withdrawingClaim() }
        // Race: that thread has found the result claimed, and has cancelled nothing.
        return unsafe observer._withUnsafeGuaranteedRef { $0.hasCancelledItsSource } ? .cancelled : .refused
    }

    /// Whether the caller has the only strong reference, and its observer the only unowned one.
    private var isReachedByItsObserverAlone: Bool {
        unsafe ReferenceCounts.areKnown
            && ReferenceCounts.areThoseOfOneObserver(Unmanaged.passUnretained(self).toOpaque())
    }

    private func exchange(_ state: FutureState, for next: FutureState) -> Bool {
        self.word.compareExchange(
            expected: state.rawValue,
            desired: next.rawValue,
            ordering: .acquiringAndReleasing
        ).exchanged
    }
}
