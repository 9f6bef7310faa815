// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge
import Synchronization

// How observers come into the list of a future, and out of it.

extension AnyCoFuture {
    /// Adds an observer; if there is a result, it is fired here and now.
    @usableFromInline
    func add(_ observer: __owned FutureObserver) { self.add(ObserverList(observer)) }

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

    /// Takes this future out of a chain, if no other code can reach it and its one observer is a future.
    ///
    /// Such is the future of a round of a loop, when its next round has begun.
    ///
    /// - Parameter next: What this future would observe.
    /// - Returns: That observer, to observe the other instead.
    func takeOnlyObserver(for next: AnyCoFuture) -> ObserverList? {
        let state = self.state
        let list = state.observers
        guard case .future(let observer)? = list.first, !list.hasFirst, !state.isClaimed else { return nil }
        let address = unsafe Unmanaged.passUnretained(self).toOpaque()
        let isAlone = unsafe observer._withUnsafeGuaranteedRef { observer in
            // One reference is the caller's, one unowned reference its observer's, and one of each kind stands for all
            // of the stronger kind: no other code has one, and so none can make one.
            guard observer.next == 0, unsafe swift_retainCount(address) == 1,
                unsafe swift_weakRetainCount(address) == 1,
                unsafe swift_unownedRetainCount(address) == 2
            else { return false }
            return observer.exchangeSource(self, for: next)
        }
        guard isAlone else { return nil }
        self.word.store(FutureState.settled.rawValue, ordering: .relaxed)
        return list
    }
}
