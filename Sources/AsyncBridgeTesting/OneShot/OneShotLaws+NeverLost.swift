// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 2: no result is lost and no wait hangs forever.

extension OneShotLaws {
    static let neverLost: [Scenario<OneShotTrial>] = [
        Scenario(
            "the source drops the handler inside start",
            .neverLost,
            advice: Self.noticeTheDrop,
            if: { $0.detectsDrops }
        ) { trial in
            let call = trial.call { source, _ in source.onStart { $0.forget() } }
            Self.allowStop(of: call, trial)
            await trial.expect(.fault, of: call)
        },
        Scenario(
            "the source drops the handler later",
            .neverLost,
            advice: Self.noticeTheDrop,
            if: { $0.detectsDrops }
        ) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.stage.onSourceThread { call.source.forget() }
            Self.allowStop(of: call, trial)
            await trial.expect(.fault, of: call)
        },
    ]

    static let noticeTheDrop =
        "let the completion handler hold an object whose deinit ends the wait: with an error of the bridge, not with "
        + "CancellationError, since nobody has cancelled; or do not promise detectsDrops"

    /// Lets a bridge stop a source that has dropped its handler: whether it still works is not known.
    private static func allowStop(of call: OneShotCall, _ trial: OneShotTrial) {
        trial.expect(cancels: trial.promises.stops ? 0...1 : 0...0, of: call)
    }
}
