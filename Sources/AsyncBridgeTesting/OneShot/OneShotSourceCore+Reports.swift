// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What a source's record says of its bridge, and what to do about it.

extension OneShotSourceCore.Record {
    /// Reports how often the work was started, if that is wrong.
    ///
    /// - Parameters:
    ///   - expected: How often it may be.
    ///   - call: Whose work it is, with a space before it; empty if there is one call.
    ///   - report: The report.
    func reportStarts(within expected: ClosedRange<Int>, of call: String = "", to report: TrialReport) {
        if self.startCalls.refused > 0 {
            return report.violation(
                of: .once,
                "expected starts of the work\(call): 1, but start is called inside start without end: the completion "
                    + "handler, which the source calls there, starts the work again",
                advice: "start the work once for each call; whoever wants to try again does it after the call has ended"
            )
        }
        let advice =
            if self.starts == 0 {
                "start the work of each call, also while other calls wait and after some have failed"
            } else if expected.upperBound == 0 {
                "look for the cancellation before start, and start nothing in a task that is already cancelled; if the "
                    + "request is sent in any case, promise startsWhenCancelled"
            } else {
                "start the work once for each call: not again after a failure, and not in two places"
            }
        report.check(
            self.starts,
            within: expected,
            of: expected.contains(0) ? .cancellation : .once,
            "starts of the work\(call)",
            advice: advice
        )
    }

    /// Reports how often the work was stopped, if that is wrong.
    ///
    /// - Parameters:
    ///   - expected: How often it may be.
    ///   - call: Whose work it is, with a space before it; empty if there is one call.
    ///   - promises: What the bridge promises.
    ///   - report: The report.
    func reportCancels(
        within expected: ClosedRange<Int>,
        of call: String = "",
        _ promises: OneShotPromises,
        to report: TrialReport
    ) {
        if self.cancelCalls.refused > 0 {
            return report.violation(
                of: .cancellation,
                "expected cancellations of the work\(call): \(expected.upperBound), but cancel() is called inside "
                    + "cancel(): the completion handler, which the source calls there, stops the source again",
                advice: "do not stop the source in its completion handler: work that has answered is over"
            )
        }
        var advice: String?
        if self.cancels > expected.upperBound {
            advice =
                if expected.upperBound > 0 {
                    "take the handle out of its place, under the lock, to stop the source: then nothing finds it a "
                        + "second time"
                } else if promises.stops {
                    "stop the source only if the task is cancelled before the answer has come: not in a defer, in a "
                        + "deinit or in the completion handler"
                } else {
                    "leave the source alone, or promise that it is stopped: cancelsSource, and a cancellation other "
                        + "than .ignored"
                }
        }
        report.check(
            self.cancels,
            within: expected,
            of: .cancellation,
            "cancellations of the work\(call)",
            advice: advice
        )
    }

    /// Reports values that were not handed back, or that should not have been.
    ///
    /// In which order they come is left open, and so is when: a bridge may keep them until it is released.
    ///
    /// - Parameters:
    ///   - expected: The values.
    ///   - call: Whose they are, with a space before it; empty if there is one call.
    ///   - isOver: Whether no more can come.
    ///   - report: The report.
    func reportTakenBack(_ expected: [Int], of call: String = "", isOver: Bool, to report: TrialReport) {
        let seen = self.takenBack.sorted()
        var missing = expected.sorted()
        var isWrong = false
        for value in seen {
            if let index = missing.firstIndex(of: value) { missing.remove(at: index) } else { isWrong = true }
        }
        guard isWrong || isOver && !missing.isEmpty else { return }
        report.violation(
            of: .once,
            "expected the late values \(expected.sorted())\(call) handed back, saw \(seen)",
            advice: "hand back each value that the caller does not get, once: a second answer, one that comes after "
                + "the cancellation or the end of the time, one that start gives before it throws; or do not promise "
                + "handsBackLateValues"
        )
    }
}
