// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

extension PublisherTrial {
    /// Waits for the end and compares it.
    ///
    /// - Parameters:
    ///   - probe: The subscriber.
    ///   - error: The error with which the publisher fails; `nil` is the end.
    ///   - rule: The rule that is broken if no end comes; defaults to the one for that end.
    ///   - advice: What to do then; defaults to the rule's advice.
    /// - Returns: Whether there is an end.
    @discardableResult
    func ended(
        _ probe: Probe,
        with error: SourceError? = nil,
        else rule: ReactiveStreamsRule? = nil,
        advice: String? = nil
    ) async -> Bool {
        guard await self.stage.wait(for: probe.state, until: { !$0.ends.isEmpty }) else {
            let state = probe.state.value
            self.report.breach(
                of: rule ?? (error == nil ? .finishIsSent : .failureIsSent),
                "expected \(error.map { "\($0)" } ?? "the end"), but it did not come; "
                    + "saw \(state.elements.count) elements after requests for \(Self.text(of: state.requested))",
                advice: advice
            )
            return false
        }
        switch (probe.state.value.ends[0], error) {
        case (.finished, nil): break
        case (.failed(let seen as SourceError), let error?) where seen == error: break
        // Its `Failure` is another type: then it is right as long as it fails.
        case (.failed(let seen), _?) where !(seen is SourceError): break
        case (let seen, let error?):
            self.report.breach(of: .failureIsSent, "expected \(error), saw \(seen)")
        case (let seen, nil): self.report.breach(of: .finishIsSent, "expected the end, saw \(seen)")
        }
        return true
    }

    /// Requests all that is left, and expects exactly these elements and then the end.
    func finishes(_ probe: Probe, with elements: Range<Int>, then error: SourceError? = nil) async {
        if probe.state.value.ends.isEmpty { await self.request(Probe.unlimited, for: probe) }
        await self.comesToItsEnd(probe, with: elements, then: error)
    }

    /// Expects exactly these elements and then the end.
    func comesToItsEnd(_ probe: Probe, with elements: Range<Int>, then error: SourceError? = nil) async {
        guard await self.arrived(elements.count, at: probe), await self.ended(probe, with: error) else { return }
        self.expect(elements, at: probe)
    }

    /// Expects all elements and the end, with the scenario's own law and advice.
    func completes(_ probe: Probe, with count: Int) async {
        if probe.state.value.ends.isEmpty { await self.request(Probe.unlimited, for: probe) }
        let isOver = await self.stage.wait(for: probe.state) {
            $0.elements == Array(0..<count) && !$0.ends.isEmpty
        }
        if isOver || self.hangsInside(probe) { return }
        let state = probe.state.value
        self.report.violation(
            "expected \(count) elements and the end, saw \(state.elements.count) elements and "
                + "\(state.ends.first.map { "\($0)" } ?? "no end")"
        )
    }

    /// Compares the elements that have arrived.
    ///
    /// - Returns: Whether they are right.
    @discardableResult
    func expect(_ elements: Range<Int>, at probe: Probe) -> Bool {
        let seen = probe.state.value.elements
        if seen == Array(elements) { return true }
        if let (came, wanted) = zip(seen, elements).first(where: { $0 != $1 }) {
            guard seen.count(where: { $0 == came }) == 1 else {
                self.report.violation(
                    of: .order,
                    "expected the element \(wanted), saw \(came) again",
                    advice: "send each element once to each subscriber: take it out when it is sent, and let the "
                        + "source run once, also when several subscribe"
                )
                return false
            }
            let isLate = seen.contains(wanted)
            self.report.violation(
                of: isLate ? .order : .backPressure,
                "expected the element \(wanted), saw \(came); \(wanted) came \(isLate ? "later" : "never")",
                advice: "take each element out and count down the demand in one step: none is dropped, none sent "
                    + "twice, none overtaken"
            )
        } else {
            self.report.violation(
                of: .backPressure,
                "expected \(elements.count) elements, saw \(seen.count)",
                advice: seen.count < elements.count
                    ? "keep each element that was requested until it is sent, and the end behind it"
                    : "send each element once, and none after the last one"
            )
        }
        return false
    }

    /// Reports a call inside one of the subscriber's methods that has not come back.
    ///
    /// - Returns: Whether there is one: then nothing more comes.
    func hangsInside(_ probe: Probe) -> Bool {
        guard let inner = probe.state.value.innerCalls.last else { return false }
        self.report.hang(of: HangingCall(inner))
        return true
    }

    /// Waits until a condition holds that no event reports.
    func comes(true isTrue: @escaping @Sendable () -> Bool) async -> Bool {
        let stage = self.stage
        let isSeen = Watched(false)
        _ = await stage.attempt { if stage.block(until: isTrue) { isSeen.update { $0 = true } } }
        return isSeen.value
    }

    /// Expects the subscriber to be released.
    ///
    /// - Parameters:
    ///   - probe: The subscriber.
    ///   - moment: When it must be.
    func released(_ probe: Probe, _ moment: String) async {
        if await self.stage.wait(for: probe.lifetime.state, as: .release, until: \.alive.isEmpty) { return }
        self.report.breach(
            of: .cancelReleases,
            "expected the subscriber to be released \(moment), but it is kept",
            advice: Self.adviceToRelease(probe)
        )
    }

    /// What to do about what is kept after an end without a cancellation; `nil` if it was cancelled.
    static func adviceToRelease(_ probe: Probe) -> String? {
        guard !probe.state.value.isCancelled else { return nil }
        return
            "let go of the subscriber where its end is sent, as in cancel(), and of everything that holds it, such as "
            + "its place in a list"
    }
}
#endif
