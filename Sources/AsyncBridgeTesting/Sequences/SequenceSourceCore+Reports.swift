// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What a source's record says at the end. The bridge has been released: the numbers will not change any more.

extension SequenceSourceCore.Record {
    /// Reports calls of the source that were made inside each other, and would be without end.
    ///
    /// - Parameter report: The report.
    /// - Returns: Whether there were any.
    func reportCallsWithoutEnd(to report: TrialReport) -> Bool {
        if self.startCalls.refused > 0 {
            report.violation(
                of: .once,
                "expected one start of the source, but start is called inside start without end: the handler, which "
                    + "the source calls there, starts the source again",
                advice: "start the source once for each iteration; whoever wants to try again iterates again"
            )
        } else if self.cancelCalls.refused > 0 {
            report.violation(
                of: .teardown,
                "expected one cancel(), but it is called inside cancel() without end: a handler, which the source "
                    + "calls there, stops the source again",
                advice: "take the handle out of its place, under the lock, to stop the source: then nothing finds it a "
                    + "second time"
            )
        } else {
            return false
        }
        return true
    }

    /// Reports what a stopped source was asked to do.
    ///
    /// Late calls, from a queue, have already come.
    func reportCallsAfterStop(to report: TrialReport) {
        let late = [("pause()", self.pausesAfterStop), ("resume()", self.resumesAfterStop)].filter { $0.1 > 0 }
        guard !late.isEmpty else { return }
        report.violation(
            of: .teardown,
            "expected cancel() to be the last call of the source, "
                + "saw \(late.map(\.0).joined(separator: " and ")) after it",
            advice: "start no pause() and no resume() after the end, and call cancel() after the last of them "
                + "(CallbackSequence's onBackPressure does); if they go to a queue, set a flag on that queue before "
                + "cancel(), and look at it before each of them"
        )
    }

    /// Reports elements that were neither consumed nor handed back, or too often.
    ///
    /// - Parameters:
    ///   - consumed: What was consumed, by all iterators together.
    ///   - iterators: How many there were. Each of them may get all elements of a source that was started once, and
    ///     hand back what it did not consume of them.
    ///   - report: Gets the violation.
    func reportLost(consumed: [Int], iterators: Int, to report: TrialReport) {
        let found = Self.counts(of: consumed + self.takenBack)
        let sent = Self.counts(of: self.sent)
        let copies = self.starts > 1 ? 1 : max(1, iterators)
        let isRight = sent.allSatisfy { ($1...$1 * copies).contains(found[$0] ?? 0) } && found.count == sent.count
        guard !isRight else { return }
        let total = found.values.reduce(0, +)
        report.violation(
            of: .backPressure,
            "expected each of \(self.sent.count) elements to be consumed or handed back, saw \(total)",
            advice: total > self.sent.count * copies
                ? "hand back each element that nobody has consumed, once; and none that was consumed" : nil
        )
    }

    private static func counts(of elements: [Int]) -> [Int: Int] {
        elements.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
