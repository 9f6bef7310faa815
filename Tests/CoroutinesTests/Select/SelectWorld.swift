// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

/// Where a selection waits.
enum Selector: CaseIterable, Sendable {
    case task
    case coroutineOfATask
    case coroutineOnAScheduler

    /// Selects, makes a future of it, and says when the selection is over: a cancelled future is over before.
    func select<Output: Sendable>(
        biased: Bool = false,
        log: EventLog = EventLog(),
        _ branches: @escaping @Sendable () -> [SelectBranch<Output>]
    ) -> CoFuture<Output> {
        switch self {
        case .task:
            CoFuture {
                defer { log.record("over") }
                return try await Coroutines.select(branches(), biased: biased)
            }
        case .coroutineOfATask:
            CoFuture {
                defer { log.record("over") }
                return try await withCoroutine { try Coroutines.select(branches(), biased: biased) }
            }
        case .coroutineOnAScheduler:
            DispatchQueue.global().coroutineFuture {
                defer { log.record("over") }
                return try Coroutines.select(branches(), biased: biased)
            }
        }
    }
}

/// All that a branch may be: how it is made, how it becomes possible, and what it leaves behind.
final class SelectWorld: Sendable {
    enum Kind: CaseIterable, Sendable {
        case receive
        case receiveFromHalf
        case receiveMapped
        case result
        case resultFromHalf
        case send
        case sendToHalf
        case value
        case resultOfFuture
        case failure
        case after
    }

    let channel = CoChannel<Int>(buffering: .rendezvous)
    /// Never ready unless the test says so: in every selection, so that all are enlisted when this one is.
    let other = CoChannel<Int>(buffering: .rendezvous)
    let undelivered: Collected<String>
    /// For what is sent.
    let outbox: CoChannel<LifetimeTracker.Token>
    let promise = CoPromise<Int>()
    let clock = TestClock()
    let tracker = LifetimeTracker()

    init() {
        let undelivered = Collected<String>()
        self.undelivered = undelivered
        self.outbox = CoChannel(buffering: .rendezvous, onUndelivered: { undelivered.append($0.label) })
    }

    func branch(_ kind: Kind) -> SelectBranch<String> {
        let (channel, outbox) = (self.channel, self.outbox)
        switch kind {
        case .receive: return .receive(from: channel) { "\($0)" }
        case .receiveFromHalf: return .receive(from: channel.receiver) { "\($0)" }
        case .receiveMapped: return .receive(from: channel.map { "mapped \($0)" }.map { "twice \($0)" }) { $0 }
        case .result: return .result(from: channel) { "\($0)" }
        case .resultFromHalf: return .result(from: channel.receiver) { "\($0)" }
        case .send: return .send(self.tracker.token("element"), to: outbox) { "sent" }
        case .sendToHalf: return .send(self.tracker.token("element"), to: outbox.sender) { "sent" }
        case .value: return .value(of: self.promise) { "\($0)" }
        case .resultOfFuture: return .result(of: self.promise) { "\($0)" }
        case .failure: return .result(of: self.promise) { (try? $0.get()) == nil ? "failed" : "not failed" }
        case .after: return .after(.seconds(1), clock: self.clock) { "later" }
        }
    }

    var otherBranch: SelectBranch<String> { .receive(from: self.other) { "other \($0)" } }

    /// What the branch of this kind returns.
    static func outcome(_ kind: Kind) -> String {
        switch kind {
        case .receive, .receiveFromHalf, .value: "7"
        case .receiveMapped: "twice mapped 7"
        case .result, .resultFromHalf, .resultOfFuture: "success(7)"
        case .send, .sendToHalf: "sent"
        case .failure: "failed"
        case .after: "later"
        }
    }

    /// Makes the branch possible for one that waits.
    func trigger(_ kind: Kind) async throws {
        switch kind {
        case .receive, .receiveFromHalf, .receiveMapped, .result, .resultFromHalf:
            #expect(self.channel.offer(7), "somebody waits for it")
        case .send, .sendToHalf: #expect(self.outbox.poll()?.label == "element", "somebody waits with it")
        case .value, .resultOfFuture: self.promise.success(7)
        case .failure: self.promise.fail(Failure())
        case .after:
            try await self.clock.sleepers(atLeast: 1)
            self.clock.advance(by: .seconds(1))
        }
    }

    /// Checks that nobody stands anywhere any more.
    ///
    /// - Parameters:
    ///   - undelivered: What is to have gone to `onUndelivered`.
    ///   - sourceLocation: The caller's place.
    /// - Throws: If what was captured is not released.
    func expectNoTrace(undelivered: [String] = [], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(!self.channel.hasReceivers, sourceLocation: sourceLocation)
        #expect(!self.other.hasReceivers, sourceLocation: sourceLocation)
        #expect(!self.outbox.hasSenders, sourceLocation: sourceLocation)
        #expect(self.undelivered.all == undelivered, sourceLocation: sourceLocation)
        if let waiters = self.promise.future.waiters() {
            #expect(waiters.state.withLock { $0.queue.isEmpty }, sourceLocation: sourceLocation)
            #expect(!self.promise.isCancelled, sourceLocation: sourceLocation)
        }
        // A timer and what a task has captured go when the tasks have ended.
        await until { self.clock.sleeperCount == 0 }
        try await self.tracker.allReleased()
    }
}
