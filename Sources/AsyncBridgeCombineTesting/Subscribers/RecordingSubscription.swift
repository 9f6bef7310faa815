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
        var cancels = 0
        var requestsAfterCancel = 0
        /// Calls inside and after the end.
        var callsAtEnd: [String] = []
        /// The thread that sent the end.
        var endedOn: ThreadID?
        /// A request that another thread may have decided on before the end.
        var hasLateRequest = false
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

    func request(_ demand: Subscribers.Demand) {
        let thread = ThreadID.current
        self.record.update { record in
            if let endedOn = record.endedOn {
                // Race: the subscriber cannot take back a request that it is about to make on another thread.
                if thread != endedOn, !record.hasLateRequest {
                    record.hasLateRequest = true
                } else {
                    record.callsAtEnd.append("request(_:)")
                }
            }
            if record.cancels > 0 { record.requestsAfterCancel += 1 }
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
        self.record.update { record in
            if record.endedOn != nil { record.callsAtEnd.append("cancel()") }
            record.cancels += 1
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
}
#endif
