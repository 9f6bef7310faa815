// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

// What a player compares after each step.

extension PublisherHistoryPlayer {
    /// Waits until all has come that must, and reports what is wrong.
    func settle() {
        var missing: PublisherModel.Finding?
        let isSettled = self.waits {
            missing = nil
            if !self.report.violations.isEmpty { return true }
            for index in self.state.withLock({ $0.attached }) {
                guard let finding = self.finding(index) else { continue }
                if !finding.isMissing {
                    self.report(self.completed(finding, at: index))
                    return true
                }
                missing = missing ?? finding
            }
            return missing == nil
        }
        if !isSettled, let missing { self.report(self.diagnosed(missing)) }
        self.checkRelease()
    }

    /// Finds out whether what is missing waits for more demand, or is lost.
    ///
    /// It is lost if what comes after it comes.
    private func diagnosed(_ missing: PublisherModel.Finding) -> PublisherModel.Finding {
        let demand: [ReactiveStreamsRule?] = [.demandIsAdded, .demandIsUnbounded]
        let attached = self.state.withLock { $0.attached }
        guard demand.contains(missing.rule), attached.count == 1 else { return missing }
        let index = attached[0]
        let probe = self.probes[index]
        let count = probe.state.value.elements.count
        self.request(1, for: probe)
        let hasMore = Self.waits(for: self.patience / 20) { probe.state.value.elements.count > count }
        if hasMore, self.judged(index) == nil { return missing }
        if !hasMore {
            self.send(isInside: false)
            _ = Self.waits(for: self.patience / 20) { probe.state.value.elements.count > count }
        }
        return self.judged(index) ?? missing
    }

    /// Finds out whether an element that was passed over is lost, or comes later.
    private func completed(_ finding: PublisherModel.Finding, at index: Int) -> PublisherModel.Finding {
        let probe = self.probes[index]
        let state = probe.state.value
        guard finding.rule == nil, finding.law == .backPressure, !PublisherModel.Seen(state).isOver else {
            return finding
        }
        self.request(Probe.unlimited, for: probe)
        _ = Self.waits(for: self.patience / 20) { self.judged(index)?.law == .order }
        return self.judged(index) ?? finding
    }

    /// What a subscriber got that is wrong, apart from what is missing.
    private func judged(_ index: Int) -> PublisherModel.Finding? {
        let finding = self.finding(index)
        return finding?.isMissing == false ? finding : nil
    }

    /// What is wrong about what a subscriber got.
    private func finding(_ index: Int) -> PublisherModel.Finding? {
        // Race: first what was seen, since the model has all that was sent for it only then.
        let seen = self.probes[index].state.value
        return self.state.withLock { $0.model }.judge(index, seen)
    }

    private func report(_ finding: PublisherModel.Finding) {
        if let rule = finding.rule {
            return self.report.breach(of: rule, finding.explanation, advice: finding.advice)
        }
        self.report.violation(
            of: finding.law,
            finding.explanation,
            advice: finding.advice
                ?? "take each element out and count down the demand in one step: none is dropped, none sent twice, "
                + "none overtaken; and send the end when none is left"
        )
    }

    /// What is over does not keep its subscriber, even if the subscription is kept.
    private func checkRelease() {
        guard self.traits.promises.releasesCancelledSubscriber, self.report.violations.isEmpty else { return }
        let (attached, released) = self.state.withLock { ($0.attached, $0.released) }
        for index in attached where !released.contains(index) {
            let probe = self.probes[index]
            let state = probe.state.value
            guard PublisherModel.Seen(state).isOver else { continue }
            guard self.waits(until: { probe.lifetime.state.value.alive.isEmpty }) else {
                let isEnded = !state.ends.isEmpty
                return self.report.breach(
                    of: isEnded ? .endCancels : .cancelReleases,
                    "expected the subscriber to be released after \(isEnded ? "its end" : "cancel()"), while the "
                        + "subscription lives, but it is kept"
                )
            }
            self.state.withLock { _ = $0.released.insert(index) }
        }
    }
}
#endif
