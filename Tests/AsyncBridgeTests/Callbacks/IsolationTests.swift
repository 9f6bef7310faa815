// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Testing

private enum Local {
    @TaskLocal static var number = 0
}

@Suite("Isolation", .timeLimit(.minutes(10)))
struct IsolationTests {
    /// An actor whose jobs the test runs, so that being on it can be told without a trap.
    private actor Owner {
        nonisolated let executor = ManualExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

        nonisolated let callback = Slot<Callback<Int, any Error>>()
        nonisolated let places = Log<String>()
        private var state = 0

        nonisolated func note(_ place: String) {
            self.places(self.executor.isCurrent ? place : "\(place) elsewhere")
        }

        func fetch(_ mode: CancellationMode) async throws -> Int {
            let value = try await withCallback(of: Int.self, cancellation: mode) { callback in
                // Compiles only on the actor.
                self.state += 1
                self.note("start")
                self.callback.put(callback)
                callback.onCancel { self.note("action") }
                return self.state
            } onCancel: { token in
                self.state += token
                self.note("onCancel")
            }
            self.note("result")
            return value + self.state
        }

        func wait(at place: Place) async throws -> Int {
            try await withCallback(of: Int.self, fileID: Place.fileID, line: place.line) { self.callback.put($0) }
        }
    }

    @Test func `start and result are on the caller's actor`() async throws {
        let owner = Owner()
        let task = Task { try await owner.fetch(.prompt) }
        await owner.executor.turn()
        await onThread { owner.callback.take()?.resume(returning: 10) }
        await owner.executor.turn()
        #expect(owner.places.all == ["start", "result"])
        #expect(try await task.value == 11)
    }

    @Test(arguments: [CancellationMode.prompt, .cooperative])
    func `cancel actions are on the caller's actor`(_ mode: CancellationMode) async throws {
        let owner = Owner()
        let task = Task { try await owner.fetch(mode) }
        await owner.executor.turn()
        await onThread { task.cancel() }
        #expect(owner.places.all == ["start"])
        await owner.executor.turn()
        #expect(owner.places.all == ["start", "onCancel", "action"])
        if mode == .cooperative {
            owner.callback.value?.resume(returning: 10)
            await owner.executor.turn()
            #expect(owner.places.all.last == "result")
        }
        _ = await task.result
    }

    /// The waiter gives up its reference to the callback's half when it parks; then a drop is noticed.
    @Test func `the waiter parks on the caller's actor without a leap`() async throws {
        let (owner, place) = (Owner(), Place())
        let task = Task { try await owner.wait(at: place) }
        await owner.executor.turn()
        owner.callback.take()
        #expect(place.reports.count == 1, "on its way to another thread when the actor's job had ended")
        await owner.executor.turn()
        await #expect(throws: BridgeFault.self) { try await task.value }
    }

    @MainActor
    @Test func `on the main actor start and result stay there`() async throws {
        DispatchQueue.main.setSpecific(key: Self.isMain, value: true)
        var count = 0
        let value = try await withCallback(of: Int.self) { callback in
            count += 1
            #expect(DispatchQueue.getSpecific(key: Self.isMain) == true)
            detachThread { callback.resume(returning: 3) }
        }
        #expect(DispatchQueue.getSpecific(key: Self.isMain) == true)
        #expect(value + count == 4)
    }

    @MainActor
    @Test func `on the main actor the cancel action stays there`() async throws {
        DispatchQueue.main.setSpecific(key: Self.isMain, value: true)
        let log = Log<Bool?>()
        let begun = Slot<Callback<Int, any Error>>()
        let task = Task { @MainActor in
            try await withCallback(of: Int.self) { callback in
                begun.put(callback)
            } onCancel: {
                log(DispatchQueue.getSpecific(key: Self.isMain))
            }
        }
        await until { begun.value != nil }
        await onThread { task.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.all == [true])
    }

    private static let isMain = DispatchSpecificKey<Bool>()

    @Test func `nonisolated start runs in the caller's task executor`() throws {
        let executors = Log<Bool>()
        let slot = Slot<ManualExecutor>()
        let exchange = Exchange<Int>(start: { _ in executors(slot.value?.isCurrent ?? false) })
        slot.put(exchange.wait.executor)
        exchange.wait.turn()
        #expect(executors.all == [true])
    }

    @Test func `start runs synchronously`() async throws {
        var order: [String] = []
        order.append("before")
        _ = try await withCallback(of: Int.self) { callback in
            order.append("start")
            callback.resume(returning: 1)
        }
        order.append("after")
        #expect(order == ["before", "start", "after"])
    }

    @Test func `task locals are seen by start actions and the caller afterwards`() throws {
        let seen = Log<Int>()
        let callback = Slot<Callback<Int, any Error>>()
        let wait = HandDriven {
            try await Local.$number.withValue(7) {
                defer { seen(Local.number) }
                return try await withCallback(of: Int.self) { made in
                    seen(Local.number)
                    made.onCancel { seen(Local.number) }
                    callback.put(made)
                } onCancel: {
                    seen(Local.number)
                }
            }
        }
        wait.turn()
        wait.cancel()
        wait.turn()
        #expect(seen.all == [7, 7, 7, 7])
        #expect(wait.hasEnded)
    }

    @Test func `priority is the caller's`() async throws {
        let task = Task(priority: .high) {
            try await withCallback(of: TaskPriority.self) { callback in
                let priority = Task.currentPriority
                detachThread { callback.resume(returning: priority) }
            }
        }
        #expect(try await task.value == .high)
    }

    private final class Unsent {
        var number: Int
        init(_ number: Int) { self.number = number }
    }

    /// That this compiles is half of the test.
    @Test(arguments: [false, true])
    func `a value that is not Sendable arrives as sending`(isLate: Bool) async throws {
        let unsent = try await withCallback(of: Unsent.self) { callback in
            if isLate {
                detachThread { callback.resume(returning: Unsent(3)) }
            } else {
                callback.resume(returning: Unsent(3))
            }
        }
        let task = Task {
            unsent.number += 1
            return unsent.number
        }
        #expect(await task.value == 4)
    }
}
