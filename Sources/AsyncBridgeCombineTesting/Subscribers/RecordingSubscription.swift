// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim

/// A subscription that writes down how it is called.
final class RecordingSubscription: Subscription, Sendable {
    struct Record: Sendable {
        /// The sum of all requests, up to `.max`, which is unlimited.
        var requested = 0
        /// How many requests were for no element.
        var emptyRequests = 0
        var cancels = 0
        /// The thread that called `cancel()` first.
        var cancelledOn: ThreadID?
        var isCancelledInRequest = false
        var requestsAfterCancel = 0
        /// Calls inside and after the end.
        fileprivate(set) var callsAtEnd: [String] = []
        /// Whether the first of them came when the subscriber had returned from the end.
        fileprivate(set) var isCalledAfterEnd = false
        /// The thread that sent the end.
        var endedOn: ThreadID?
        /// Whether the subscriber has returned from the end.
        var hasReceivedEnd = false
        /// Whether a call may be on its way on another thread when the end, or the cancellation, comes.
        var mayRace = false
        /// Whether the subscriber has had a reason to cancel, such as its user's cancellation.
        var mayCancel = false
        /// Whether there was a request that may have been decided on before the end, or before the cancellation.
        var hasLateRequest = false
        /// Whether it was released before its end and its cancellation.
        var isLost = false
        /// How many threads are inside `request(_:)`, and whether they were several.
        var requesting: [ThreadID] = []
        var overlaps = false
    }

    /// What the subscription does when it is called.
    struct Script: Sendable {
        var onRequest: @Sendable () -> Void = {}
        var onCancel: @Sendable () -> Void = {}
    }

    let record: Watched<Record>
    private let script: Script
    private let token: LifetimeTracker.Token

    init(_ script: Script, _ record: Watched<Record>, _ token: LifetimeTracker.Token) {
        self.script = script
        self.record = record
        self.token = token
    }

    deinit {
        self.record.update { if $0.endedOn == nil, $0.cancels == 0 { $0.isLost = true } }
    }

    func request(_ demand: Subscribers.Demand) {
        let thread = ThreadID.current
        self.record.update { record in
            if let endedOn = record.endedOn, !record.isOnItsWay(thread != endedOn) {
                record.noteCallAtEnd("request(_:)")
            }
            if let cancelledOn = record.cancelledOn {
                let mayBeOnItsWay = record.mayRace && thread != cancelledOn || record.isCancelledInRequest
                if !record.isOnItsWay(mayBeOnItsWay) { record.requestsAfterCancel += 1 }
            }
            if demand == .none { record.emptyRequests += 1 }
            if record.requesting.contains(where: { $0 != thread }) { record.overlaps = true }
            record.requesting.append(thread)
        }
        self.add(demand)
        self.script.onRequest()
        self.record.update { record in
            if let index = record.requesting.lastIndex(of: thread) { record.requesting.remove(at: index) }
        }
    }

    func cancel() {
        let thread = ThreadID.current
        self.record.update { record in
            // Race: it may have been decided on before the end. A second one is reported in any case.
            let isOnItsWay = record.mayRace && record.mayCancel && thread != record.endedOn
            if record.endedOn != nil, !isOnItsWay { record.noteCallAtEnd("cancel()") }
            record.cancels += 1
            if record.cancelledOn == nil {
                record.cancelledOn = thread
                record.isCancelledInRequest = !record.requesting.isEmpty
            }
        }
        self.script.onCancel()
    }

    func add(_ demand: Subscribers.Demand) {
        let count = demand.max ?? .max
        self.record.update { $0.requested = $0.requested.addingUpToMax(count) }
    }

    /// Notes that the end is sent.
    func end() {
        let thread = ThreadID.current
        self.record.update { $0.endedOn = thread }
    }

    /// Notes that the subscriber has got the end.
    func noteEndIsReceived() { self.record.update { $0.hasReceivedEnd = true } }
}

extension RecordingSubscription.Record {
    fileprivate mutating func noteCallAtEnd(_ call: String) {
        if self.callsAtEnd.isEmpty { self.isCalledAfterEnd = self.hasReceivedEnd }
        self.callsAtEnd.append(call)
    }

    /// Whether a request that comes too late was on its way; one may be.
    ///
    /// Race: the subscriber cannot take back a call that it is about to make on another thread.
    fileprivate mutating func isOnItsWay(_ mayBe: Bool) -> Bool {
        guard mayBe, !self.hasLateRequest else { return false }
        self.hasLateRequest = true
        return true
    }

    /// What was wrong about the calls, whatever came of them.
    func report(to report: TrialReport) {
        if let call = self.callsAtEnd.first {
            report.breach(
                of: self.isCalledAfterEnd ? .endReleasesSubscription : .endCallsNothing,
                "expected no call of the subscription from its end on, saw \(call)"
            )
        }
        if self.requestsAfterCancel > 0 {
            report.breach(
                of: .unneededIsCancelled,
                "expected no request after cancel(), saw one",
                advice: "look, under the lock, whether it is cancelled before each request"
            )
        }
        if self.overlaps {
            report.breach(of: .callsAreSerial, "expected one request(_:) at a time, saw two on different threads")
        }
        if self.emptyRequests > 0 {
            report.breach(
                of: .demandIsPositive,
                "expected requests for at least one element, saw request(.none)",
                advice: "request nothing where no element fits; Combine's own publishers end the process at .none"
            )
        }
        if self.cancels > 1 {
            report.violation(
                of: .cancellation,
                "expected one cancel(), saw \(self.cancels)",
                advice: "take the subscription out of the state, under the lock, then cancel it: what counts its "
                    + "subscribers, such as OpenCombine's share(), stops for all when one cancels twice"
            )
        }
    }
}
#endif
