// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Dispatch
import Testing

/// Serialized: each test keeps both processors busy with its two racing threads.
@Suite("ReplySlot: races", .serialized, .timeLimit(.minutes(60)))
struct ReplySlotStressTests {
    /// How a caller ended: its value, `cancelled`, or what it should not be.
    private static func end(of caller: SlotCaller) -> String {
        do { return "\(try caller.get())" } catch {
            return error is CancellationError ? "cancelled" : "\(error)"
        }
    }

    /// A reply races with the cancellation of the active caller, of the next one, or of the last one.
    @Test func `queue loses no turn`() async {
        let wrong = Log<String>()
        await Stress.run { racers, round in
            let slot = ReplySlot<Int>(overlap: .queue)
            let callers = (0..<3).map { _ in SlotCaller.come(to: slot) }
            let cancelled = round % 3
            racers.race(
                { slot.resume(returning: 0) },
                { callers[cancelled].wait.cancel() },
                alongside: { callers[(round / 3) % 3].turn() }
            )
            // Each reply or departure lets one more caller begin.
            for _ in 0..<4 {
                for caller in callers { caller.turn() }
                slot.resume(returning: 1)
            }
            for (index, caller) in callers.enumerated() {
                let allowed = index == cancelled ? ["0", "1", "cancelled"] : ["0", "1"]
                let end = Self.end(of: caller)
                if !allowed.contains(end) { wrong("round \(round), caller \(index): \(end)") }
                if caller.started.count > 1 { wrong("round \(round), caller \(index) started twice") }
            }
            if slot.isWaiting { wrong("round \(round): somebody waits") }
        }
        #expect(wrong.all.isEmpty, "\(wrong.all.prefix(3))")
    }

    /// A reply races with the cancellation of one of two sharers.
    @Test func `share gives the reply to all who stay`() async {
        let wrong = Log<String>()
        await Stress.run { racers, round in
            let slot = ReplySlot<Int>(overlap: .share)
            let callers = (0..<2).map { _ in SlotCaller.come(to: slot) }
            let (leaver, stayer) = (callers[round % 2], callers[1 - round % 2])
            racers.race(
                { slot.resume(returning: 1) },
                { leaver.wait.cancel() },
                alongside: { leaver.turn() }
            )
            for caller in callers { caller.turn() }
            if Self.end(of: stayer) != "1" { wrong("round \(round), stayer: \(Self.end(of: stayer))") }
            if !["1", "cancelled"].contains(Self.end(of: leaver)) { wrong("\(round): \(Self.end(of: leaver))") }
            if callers.contains(where: { $0.stopped.count > 0 }) { wrong("round \(round): the work was stopped") }
        }
        #expect(wrong.all.isEmpty, "\(wrong.all.prefix(3))")
    }

    /// Two sharers are cancelled at the same moment: one of them stops the work.
    @Test func `share stops the work once when all leave at once`() async {
        let wrong = Log<String>()
        await Stress.run { racers, round in
            let slot = ReplySlot<Int>(overlap: .share)
            let callers = (0..<2).map { _ in SlotCaller.come(to: slot) }
            racers.race(
                { callers[0].cancel() },
                { callers[1].cancel() }
            )
            if callers.contains(where: { !$0.wasCancelled }) { wrong("round \(round): not cancelled") }
            if callers.map(\.stopped.count).reduce(0, +) != 1 { wrong("round \(round): \(callers.map(\.story))") }
        }
        #expect(wrong.all.isEmpty, "\(wrong.all.prefix(3))")
    }

    /// Each caller's work replies with the caller's own number.
    @Test func `queue gives each caller the reply of its own work`() async throws {
        let slot = ReplySlot<Int>(overlap: .queue)
        let rounds = max(1, Stress.iterations / 8)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for caller in 0..<8 {
                group.addTask {
                    var own = 0
                    for round in 0..<rounds {
                        let number = caller * rounds + round
                        let reply = try await slot.wait {
                            DispatchQueue.global().async { slot.resume(returning: number) }
                        }
                        own += reply == number ? 1 : 0
                    }
                    return own
                }
            }
            for try await own in group { #expect(own == rounds) }
        }
    }
}
