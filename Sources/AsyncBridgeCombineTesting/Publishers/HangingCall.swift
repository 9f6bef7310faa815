// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

/// A call into the publisher that does not come back, and what that breaks.
struct HangingCall: Sendable {
    /// The rule that demands that it returns; `nil` if there is none, as for calls of which Reactive Streams knows
    /// nothing.
    let rule: ReactiveStreamsRule?
    let explanation: String

    init(_ name: String, breaks rule: ReactiveStreamsRule? = nil) {
        self.rule = rule
        self.explanation = "expected \(name) to return, but it hangs"
    }

    /// A call inside one of the subscriber's methods.
    init(_ inner: ProbeState.InnerCall) {
        self.rule = .signalsMayRequest
        self.explanation =
            "expected \(inner.call) inside \(inner.method) to return, but it hangs: it waits, perhaps for the thread "
            + "that calls it, or for a lock that the publisher holds while it calls \(inner.method)"
    }

    private init(taking what: String) {
        self.rule = nil
        self.explanation = "expected the source's \(what) to be taken, but its call hangs"
    }

    /// The call with which the source passes an event on.
    static func taking(_ event: PublisherDriver.Event) -> HangingCall {
        switch event {
        case .element: self.element
        case .finished: self.end
        case .failed: self.failure
        }
    }

    // Made once: a history sends thousands of elements.
    private static let element = HangingCall(taking: "element")
    private static let end = HangingCall(taking: "end")
    private static let failure = HangingCall(taking: "failure")

    static let making = HangingCall("the closure that makes the publisher")
    static let attaching = HangingCall("receive(subscriber:)", breaks: .subscriptionIsFirst)
    static let requesting = HangingCall("request(_:)", breaks: .requestReturns)
    static let cancelling = HangingCall("cancel()", breaks: .cancelReturns)
}

extension TrialReport {
    /// Reports a call that does not come back.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - moment: When it was made, to be added to what was seen.
    ///   - history: The random history in which it was made.
    func hang(of call: HangingCall, _ moment: String = "", in history: ToldHistory? = nil) {
        let explanation = call.explanation + moment
        if let rule = call.rule { return self.breach(of: rule, explanation, in: history) }
        self.violation(
            of: .noBlocking,
            explanation,
            advice: "wait for nothing there: no semaphore, no group, no sync; keep what comes, and send it when it is "
                + "requested",
            in: history
        )
    }
}
#endif
