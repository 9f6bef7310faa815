// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

/// The list is one for the whole process, and other suites wait for their entries: so it is switched off in processes
/// of their own only.
///
/// Other tests' waits may be in the list, so each test asks for its own only.
@Suite("Pending waits", .serialized, .timeLimit(.minutes(10)))
final class PendingWaitsTests {
    private func waits(at place: Place) -> [BridgeDiagnostics.PendingWait] {
        BridgeDiagnostics.pendingWaits.filter { $0.made == place.site }
    }

    @Test func `off, the list does not hold the wait`() async {
        await #expect(processExitsWith: .success) {
            let exchange = Exchange<Int>.parked()
            precondition(BridgeDiagnostics.pendingWaits.isEmpty)
            // A wait that had begun before is not in the list.
            BridgeDiagnostics.tracksPendingWaits = true
            precondition(BridgeDiagnostics.pendingWaits.isEmpty)
            exchange.resume(returning: 1)
            exchange.wait.turn()
        }
    }

    @Test func `on, the list holds bridge and place`() throws {
        BridgeDiagnostics.tracksPendingWaits = true
        let before = ContinuousClock.now
        let exchange = Exchange<Int>.parked()
        let wait = try #require(self.waits(at: exchange.place).first)
        #expect(wait.bridge == "withCallback")
        #expect(wait.made == exchange.place.site)
        #expect(wait.since >= before)
        #expect(wait.since <= .now)
        #expect(wait.task != nil)
        #expect(wait.taskName == nil)
        exchange.resume(returning: 1)
        exchange.wait.turn()
    }

    @Test func `on, the list holds the name of the task`() async throws {
        BridgeDiagnostics.tracksPendingWaits = true
        let (place, begun) = (Place(), Tally())
        let slot = ReplySlot<Int>()
        let executor = ManualExecutor()
        let task = Task(name: "loader", executorPreference: executor) {
            try await slot.wait(fileID: Place.fileID, line: place.line) { begun.add() }
        }
        executor.run()
        let wait = try #require(self.waits(at: place).first)
        #expect(wait.taskName == "loader")
        #expect("\(wait)".hasSuffix("'loader'"))
        #expect("\(wait)".contains(" at \(place.site), for "))
        slot.resume(returning: 1)
        executor.run()
        #expect(try await task.value == 1)
    }

    enum End: CaseIterable {
        case answer
        case failure
        case cancellation
        case drop
    }

    @Test(arguments: End.allCases)
    func `a wait leaves the list when it ends`(_ end: End) {
        BridgeDiagnostics.tracksPendingWaits = true
        let exchange = Exchange<Int>.parked()
        #expect(self.waits(at: exchange.place).count == 1)
        switch end {
        case .answer: exchange.resume(returning: 1)
        case .failure: exchange.callback.value?.resume(throwing: APIError())
        case .cancellation: exchange.wait.cancel()
        case .drop: exchange.callback.take()
        }
        exchange.wait.turn()
        #expect(exchange.wait.hasEnded)
        #expect(self.waits(at: exchange.place).isEmpty)
    }

    @Test func `a wait leaves the list though it was switched off meanwhile`() async {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.tracksPendingWaits = true
            let exchange = Exchange<Int>.parked()
            precondition(BridgeDiagnostics.pendingWaits.count == 1)
            BridgeDiagnostics.tracksPendingWaits = false
            exchange.resume(returning: 1)
            exchange.wait.turn()
            precondition(BridgeDiagnostics.pendingWaits.isEmpty)
        }
    }

    @Test func `an answer that comes at once is no wait`() throws {
        BridgeDiagnostics.tracksPendingWaits = true
        let place = Place()
        let exchange = Exchange<Int>(start: { callback in
            callback.resume(returning: BridgeDiagnostics.pendingWaits.filter { $0.made == place.site }.count)
        })
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 0)
        #expect(self.waits(at: exchange.place).isEmpty)
    }

    @Test func `the waits are listed oldest first`() {
        BridgeDiagnostics.tracksPendingWaits = true
        let exchanges = (0..<20).map { _ in Exchange<Int>.parked() }
        let lines = Set(exchanges.map(\.place.line))
        let listed = BridgeDiagnostics.pendingWaits.filter { $0.made.fileID == "\(Place.fileID)" }.map(\.made.line)
        #expect(listed.filter(lines.contains) == exchanges.map(\.place.line))
        for exchange in exchanges {
            exchange.resume(returning: 1)
            exchange.wait.turn()
        }
    }

    /// The callers of a slot: the one waiting for the reply, and those in line.
    @Test func `the list holds the callers of a slot`() {
        BridgeDiagnostics.tracksPendingWaits = true
        let slot = ReplySlot<Int>(overlap: .queue)
        let callers = (0..<2).map { _ in SlotCaller.come(to: slot) }
        #expect(callers.map { self.waits(at: $0.place).count } == [1, 1])
        slot.close()
        for caller in callers { caller.turn() }
        #expect(callers.map { self.waits(at: $0.place).count } == [0, 0])
    }
}
