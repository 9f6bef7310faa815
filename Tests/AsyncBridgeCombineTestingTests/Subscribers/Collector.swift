// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Foundation
import OpenCombineShim

/// A subscriber that requests one element at a time, right but for the flaw that it is given.
///
/// Safe: what changes is changed between `lock()` and `unlock()`.
final class Collector: Subscriber, @unchecked Sendable {
    typealias Input = Int
    typealias Failure = SourceError

    enum Flaw: Sendable {
        case none
        case requestsNothing
        case requestsOnce
        case takesTheSecondSubscription
        case ignoresTheSecondSubscription
        case cancelsAtTheEnd
        case requestsAtTheEnd
        case keepsTheSubscription
        case ignoresItsCancellation
        case forgetsItsCancellation
        case requestsAfterItsCancellation
        case requestsUnderItsLock
        case cancelsUnderItsLock
        case waitsForAnElementAtTheEnd
        case waitsWhenThereIsTooMuch
        case waitsAfterItsCancellation
        case waitsInEachMethod
        case waitsWhenItIsReleased
        case requestsNone
        case requestsTwentyOnce
        case requestsAThousandOnce
        case stopsAfterTwenty
        case retainsItself
        case holdsItsSubscriptionWeakly
        case cancelsTwice
        case cancelsTheSecondTwice
        case cancelsByItself
        case requestsNineOfTen
        case requestsOnItsQueue
        case forgetsThatItHasCancelled
        case requestsOnTwoThreads
        case requestsWhenItCancels
        case requestsAndThenStores
        case looksAndThenStores
        case cancelsAndThenForgets
        /// No mistake: what is decided before the end may come after it.
        case cancelsOnAnotherThread
    }

    private let flaw: Flaw
    private let lock = NSLock()
    /// Held during calls, if that is the flaw.
    private let outerLock = NSLock()
    private let never = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "collector")
    private var subscription: (any Subscription)? {
        get { self.flaw == .holdsItsSubscriptionWeakly ? self.weakly as? any Subscription : self.strongly }
        set {
            if self.flaw == .holdsItsSubscriptionWeakly {
                self.weakly = newValue as AnyObject?
            } else {
                self.strongly = newValue
            }
        }
    }
    private var strongly: (any Subscription)?
    private weak var weakly: AnyObject?
    private var kept: (any Subscription)?
    private var count = 0
    private var isCancelled = false
    private var hasEnded = false

    private var cycle: Collector?

    init(flaw: Flaw = .none) {
        self.flaw = flaw
        if flaw == .retainsItself { self.cycle = self }
    }

    deinit { if self.flaw == .waitsWhenItIsReleased { self.never.wait() } }

    func receive(subscription: any Subscription) {
        if self.flaw == .waitsInEachMethod { self.never.wait() }
        self.lock.lock()
        let isOver = self.isCancelled && self.flaw != .forgetsItsCancellation || self.hasEnded
        let isSecond = self.subscription != nil
        let isTaken = !isOver && (!isSecond || self.flaw == .takesTheSecondSubscription)
        if self.flaw == .looksAndThenStores {
            self.lock.unlock()
            for _ in 0..<20 { sched_yield() }
            self.lock.lock()
        }
        if isTaken, self.flaw != .requestsAndThenStores { self.subscription = subscription }
        if self.flaw == .keepsTheSubscription { self.kept = subscription }
        self.lock.unlock()
        if !isTaken {
            if self.flaw == .cancelsTheSecondTwice { subscription.cancel() }
            return self.flaw == .ignoresTheSecondSubscription && !isOver ? () : subscription.cancel()
        }
        if self.flaw == .requestsNothing { return }
        if self.flaw == .requestsNone { subscription.request(.none) }
        self.locked(self.flaw == .requestsUnderItsLock) { subscription.request(self.batch) }
        if self.flaw == .requestsAndThenStores { self.lock.withLock { self.subscription = subscription } }
    }

    private var batch: Subscribers.Demand {
        switch self.flaw {
        case .requestsTwentyOnce: .max(20)
        case .requestsAThousandOnce: .max(1_000)
        case .requestsNineOfTen: .max(600)
        default: .max(1)
        }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        if self.flaw == .waitsInEachMethod { self.never.wait() }
        self.locked(self.flaw == .requestsUnderItsLock || self.flaw == .cancelsUnderItsLock) {}
        self.lock.lock()
        self.count += 1
        let subscription = self.subscription
        let (isCancelled, count) = (self.isCancelled, self.count)
        self.lock.unlock()
        if self.flaw == .waitsWhenThereIsTooMuch, count > 1 { self.never.wait() }
        if self.flaw == .waitsAfterItsCancellation, isCancelled { self.never.wait() }
        if self.flaw == .requestsAfterItsCancellation { self.kept?.request(.max(1)) }
        if self.flaw == .cancelsByItself, count == 7 { subscription?.cancel() }
        if self.flaw == .requestsNineOfTen, count.isMultiple(of: 10) { return .none }
        if self.flaw == .stopsAfterTwenty, count >= 20 { return .none }
        if self.flaw == .requestsOnItsQueue, let subscription {
            self.requestLater(subscription)
            return .none
        }
        if self.flaw == .requestsOnTwoThreads, let subscription {
            self.requestOnAnotherThread(subscription)
            return .none
        }
        if self.flaw == .cancelsOnAnotherThread {
            // Not by what is returned, since much happens inside requests.
            subscription?.request(.max(1))
            return .none
        }
        if [.requestsOnce, .requestsTwentyOnce, .requestsAThousandOnce].contains(self.flaw) { return .none }
        return subscription == nil ? .none : .max(1)
    }

    func receive(completion: Subscribers.Completion<SourceError>) {
        if self.flaw == .waitsInEachMethod { self.never.wait() }
        self.locked(self.flaw == .requestsUnderItsLock) {}
        self.lock.lock()
        let subscription = self.subscription
        self.subscription = nil
        self.hasEnded = true
        let count = self.count
        self.lock.unlock()
        switch (self.flaw, completion) {
        case (.cancelsAtTheEnd, _): subscription?.cancel()
        case (.requestsAtTheEnd, _): subscription?.request(.max(1))
        case (.waitsForAnElementAtTheEnd, _) where count == 0: self.never.wait()
        default: break
        }
    }

    func cancel() {
        if self.flaw == .waitsInEachMethod { self.never.wait() }
        self.lock.lock()
        let subscription = self.subscription
        self.isCancelled = self.flaw != .forgetsThatItHasCancelled || subscription == nil
        if self.flaw != .cancelsAndThenForgets { self.subscription = nil }
        if self.flaw == .requestsAfterItsCancellation { self.kept = subscription }
        self.lock.unlock()
        if self.flaw == .ignoresItsCancellation { return }
        if self.flaw == .cancelsTwice { subscription?.cancel() }
        if self.flaw == .cancelsOnAnotherThread { return self.cancelOnAnotherThread(subscription) }
        if self.flaw == .requestsWhenItCancels {
            subscription?.cancel()
            subscription?.request(.max(1))
            return
        }
        self.locked(self.flaw == .cancelsUnderItsLock) { subscription?.cancel() }
        if self.flaw == .cancelsAndThenForgets { self.lock.withLock { self.subscription = nil } }
    }

    /// Requests on a thread of its own, and waits for it.
    ///
    /// So there are two requests at once, however busy the machine is, if `request(_:)` has sent the element.
    private func requestOnAnotherThread(_ subscription: any Subscription) {
        let box = Box(subscription: subscription)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            box.subscription.request(.max(1))
            isDone.signal()
        }
        isDone.wait()
    }

    /// Requests when the queue comes to it, whatever has happened by then.
    private func requestLater(_ subscription: any Subscription) {
        let box = Box(subscription: subscription)
        self.queue.async {
            for _ in 0..<20 { sched_yield() }
            box.subscription.request(.max(1))
        }
    }

    /// Cancels on a thread of its own, soon: often enough after an end that comes now.
    ///
    /// Not after a number of turns alone: beside hundreds of threads that compute, each may take milliseconds.
    private func cancelOnAnotherThread(_ subscription: (any Subscription)?) {
        guard let subscription else { return }
        let box = Box(subscription: subscription)
        Thread.detachNewThread {
            let deadline = ContinuousClock.now + .milliseconds(5)
            while ContinuousClock.now < deadline { sched_yield() }
            box.subscription.cancel()
        }
    }

    /// Safe: the suite's subscription may be called on any thread.
    private struct Box: @unchecked Sendable {
        let subscription: any Subscription
    }

    private func locked(_ isLocked: Bool, _ body: () -> Void) {
        if isLocked { self.outerLock.withLock(body) } else { body() }
    }
}
#endif
