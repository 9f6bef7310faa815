// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

/// An actor whose jobs run only when the test says so.
private actor Desk {
    nonisolated let executor = ManualExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

    /// State of the actor, which the closures touch without `await`.
    private(set) var story: [String] = []

    func ask(_ slot: ReplySlot<Int>) async throws -> Int {
        defer { self.tell("ended") }
        return try await slot.wait(keepingAlive: self) {
            self.tell("started")
        } onCancel: {
            self.tell("stopped")
        }
    }

    private func tell(_ word: String) { self.story.append(self.executor.isCurrent ? word : "\(word) elsewhere") }
}

/// Runs a call of an actor by hand.
private struct DeskCall {
    let desk = Desk()
    let ended = Slot<Result<Int, any Error>>()
    let task: Task<Void, Never>

    init(_ slot: ReplySlot<Int>) async {
        let (desk, ended) = (self.desk, self.ended)
        self.task = Task {
            do { ended.put(.success(try await desk.ask(slot))) } catch { ended.put(.failure(error)) }
        }
        await self.turn()
    }

    func turn() async {
        await self.desk.executor.turn()
    }

    /// What happened on the actor.
    func story() async -> [String] {
        async let story = self.desk.story
        await self.turn()
        return await story
    }
}

@Suite("ReplySlot: isolation", .timeLimit(.minutes(10)))
struct ReplySlotIsolationTests {
    @Test func `start and reply on a custom actor`() async throws {
        let slot = ReplySlot<Int>()
        let call = await DeskCall(slot)
        #expect(slot.isWaiting)
        await onThread { slot.resume(returning: 1) }
        await call.turn()
        await call.task.value
        #expect(try call.ended.value?.get() == 1)
        #expect(await call.story() == ["started", "ended"])
    }

    @Test func `cancel on a custom actor`() async {
        let slot = ReplySlot<Int>()
        let call = await DeskCall(slot)
        await onThread { call.task.cancel() }
        await call.turn()
        await call.task.value
        #expect(throws: CancellationError.self) { try call.ended.value?.get() }
        #expect(await call.story() == ["started", "stopped", "ended"])
    }

    @MainActor
    @Test(arguments: [false, true])
    func `on the main actor`(isCancelled: Bool) async {
        let slot = ReplySlot<Int>()
        let started = Tally()
        var story: [String] = []
        let task = Task { @MainActor in
            defer { story.append("ended \(MainQueue.isCurrent)") }
            return try await slot.wait {
                story.append("started \(MainQueue.isCurrent)")
                started.add()
            } onCancel: {
                story.append("stopped \(MainQueue.isCurrent)")
            }
        }
        await started.reaches(1)
        await onThread { if isCancelled { task.cancel() } else { slot.resume(returning: 1) } }
        #expect((try? await task.value) == (isCancelled ? nil : 1))
        #expect(story == ["started true"] + (isCancelled ? ["stopped true"] : []) + ["ended true"])
    }

    /// Nonisolated callers stay on the executor of their task.
    @Test func nonisolated() throws {
        let slot = ReplySlot<Int>()
        let places = Log<Bool>()
        let executor = Slot<ManualExecutor>()
        let wait = HandDriven {
            let value = try await slot.wait { places(executor.value?.isCurrent == true) }
            places(executor.value?.isCurrent == true)
            return value
        }
        executor.put(wait.executor)
        wait.turn()
        slot.resume(returning: 1)
        wait.turn()
        #expect(try wait.get() == 1)
        #expect(places.all == [true, true])
    }

    /// A cancel action that asks the slot something does not deadlock: no lock is held.
    @Test func `start and cancel may use the slot`() {
        let slot = ReplySlot<Int>(overlap: .share)
        let waiting = Log<Bool>()
        let caller = SlotCaller(slot.waiter, onStart: { waiting(slot.isWaiting) }, onStop: { waiting(slot.isWaiting) })
        caller.turn()
        caller.cancel()
        #expect(caller.wasCancelled)
        #expect(waiting.all == [true, false])
    }
}
