// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Foundation
import MutationTestSupport
import OpenCombineShim

/// A subscriber that requests four elements, and two more whenever two have come; right, but for its faults.
///
/// Safe: what changes is changed between `lock()` and `unlock()`.
final class MutatedCollector: Subscriber, @unchecked Sendable {
    typealias Input = Int
    typealias Failure = SourceError

    /// When it requests how many is its own affair, and on which thread, as long as it does.
    static let reference = Reference(
        "subscriber",
        [
            .decision("it is over"),
            .decision("it has a subscription", isRepeated: true),
            .change("keep the subscription"),
            .nothing("nothing is kept at the subscription", .retain),
            .nothing("nothing is requested of what it has not", .wrongCall),
            .call("cancel what is not needed", isRepeated: true, unseen: [.elsewhere]),
            .number("the first batch", unseen: [.more, .fewer]),
            .call("request the first batch", unseen: [.double, .elsewhere]),
            .decision("unlock before the first batch"),
            .number("what has come", unseen: [.more]),
            .number("the next batch", isRepeated: true, unseen: [.more, .fewer]),
            .call("request the next batch", unseen: [.double, .reorder, .elsewhere]),
            .nothing("no cancel() at a batch", .wrongCall, isRepeated: true),
            .decision("unlock before the next batch", isRepeated: true),
            .nothing("nothing is requested of what is over", .wrongCall, isRepeated: true),
            .release("forget the subscription at the end"),
            .change("note the end"),
            .nothing("no cancel() at the end", .wrongCall),
            .nothing("no request at the end", .wrongCall),
            .nothing("no wait at the end", .wrongCall),
            .change("note the cancellation"),
            .release("forget the subscription at the cancellation"),
            .call("cancel", unseen: [.elsewhere]),
            .decision("unlock before cancel"),
            .nothing("no request after cancel", .wrongCall),
            .nothing("it does not keep itself", .retain),
        ]
    )

    /// Why some are not named.
    static let reasons = [
        "note the end: forget": "a publisher that has ended sends no second subscription",
        "nothing is requested of what is over: wrongCall": "the third time only: it is rarely sent three elements then",
    ]

    private let faults: Faults
    private let lock = NSLock()
    private let never = DispatchSemaphore(value: 0)
    private var subscription: (any Subscription)?
    /// What a mutant can still call, as long as the publisher has it.
    private weak var old: AnyObject?
    private var came = 0
    private var isOver = false

    init(_ mutant: Mutant?) {
        self.faults = Faults(mutant)
        self.faults.nothing("it does not keep itself") { self.faults.keep(self) }
    }

    func receive(subscription: any Subscription) {
        self.lock.lock()
        self.faults.nothing("nothing is kept at the subscription") { self.faults.keep(subscription) }
        let isOver = self.faults.decision("it is over", self.isOver)
        let isSecond = self.faults.decision("it has a subscription", self.subscription != nil)
        let isTaken = !isOver && !isSecond
        if isTaken { self.faults.change("keep the subscription") { self.subscription = subscription } }
        let unlocks = !isTaken || self.faults.decision("unlock before the first batch", true)
        if unlocks { self.lock.unlock() }
        defer { if !unlocks { self.lock.unlock() } }
        guard isTaken else {
            self.faults.nothing("nothing is requested of what it has not") { subscription.request(.max(1)) }
            return self.faults.call(
                "cancel what is not needed",
                instead: { subscription.request(.max(1)) },
                { subscription.cancel() }
            )
        }
        let count = self.faults.number("the first batch", 4)
        self.faults.call("request the first batch", instead: { subscription.cancel() }) {
            subscription.request(.max(count))
        }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        self.lock.lock()
        self.came += self.faults.number("what has come", 1)
        guard let subscription = self.subscription else {
            let old = self.old as? any Subscription
            self.lock.unlock()
            self.faults.nothing("nothing is requested of what is over") { old?.request(.max(1)) }
            return .none
        }
        let isDue = self.came >= 2
        if isDue { self.came = 0 }
        let unlocks = !isDue || self.faults.decision("unlock before the next batch", true)
        if unlocks { self.lock.unlock() }
        defer { if !unlocks { self.lock.unlock() } }
        guard isDue else { return .none }
        let count = self.faults.number("the next batch", 2)
        self.faults.call("request the next batch", instead: { subscription.cancel() }) {
            subscription.request(.max(count))
        }
        self.faults.nothing("no cancel() at a batch") { subscription.cancel() }
        return .none
    }

    func receive(completion: Subscribers.Completion<SourceError>) {
        self.lock.lock()
        let subscription = self.subscription
        self.faults.change("note the end") { self.isOver = true }
        self.faults.release("forget the subscription at the end", subscription) { self.subscription = nil }
        self.lock.unlock()
        self.faults.nothing("no cancel() at the end") { subscription?.cancel() }
        self.faults.nothing("no request at the end") { subscription?.request(.max(1)) }
        self.faults.nothing("no wait at the end") { self.never.wait() }
    }

    func cancel() {
        self.lock.lock()
        let subscription = self.subscription
        self.faults.change("note the cancellation") { self.isOver = true }
        self.faults.release("forget the subscription at the cancellation", subscription) { self.subscription = nil }
        self.old = subscription.map { $0 as AnyObject }
        let unlocks = self.faults.decision("unlock before cancel", true)
        if unlocks { self.lock.unlock() }
        defer { if !unlocks { self.lock.unlock() } }
        guard let subscription else { return }
        self.faults.call("cancel", instead: { subscription.request(.max(1)) }, { subscription.cancel() })
        self.faults.nothing("no request after cancel") { subscription.request(.max(1)) }
    }
}
#endif
