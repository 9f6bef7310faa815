// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

// Courses of events at random, and what a model of the rules says of them.

extension SubscriberVerification {
    static let histories: [Scenario<SubscriberTrial>] = [
        Scenario("random histories are played", .demandIsSent) { await $0.playHistories() }
    ]
}

extension SubscriberTrial {
    fileprivate func playHistories() async {
        let (promises, subscribe, error) = (self.promises, self.subscribe, self.stage.makeError())
        let bridge = self.report.bridge
        let run = HistoryRun(
            seed: self.seed,
            patience: promises.patience,
            { SubscriberHistory(seed: $0, promises) },
            { SubscriberHistoryPlayer($0, bridge, subscribe, promises, error, patience: $1, count: $2) }
        )
        let (failure, hanging) = await run.play(on: self.stage)
        if let hanging { self.reportHang(hanging, isKnown: failure != nil) }
        if let failure { self.report.report(failure.violation, in: failure.history.told) }
    }

    private func reportHang(_ player: SubscriberHistoryPlayer, isKnown: Bool) {
        self.noteHang()
        if isKnown { return }
        if let violation = player.report.violations.first {
            return self.report.report(violation, in: player.played.told)
        }
        let call = player.state.withLock { $0.calls.last }
        let place = player.step.map { ", when \($0)" } ?? ""
        self.report.breach(
            of: call?.rule ?? .signalsReturn,
            "expected \(call?.name ?? "the subscriber") to return, but it hangs\(place)",
            advice: SubscriberTrial.waitForNothing,
            in: player.played.told
        )
    }
}
#endif
