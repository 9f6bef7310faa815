// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Testing

/// Where it would take a thread that the operation may need, a call throws at once, and does not begin the operation.
@Suite("blockingAwait refuses", .timeLimit(.minutes(10)))
struct BlockingRefusalTests {
    /// What a call threw, if anything; the operation would never end.
    private static func refusal(_ gate: Gate = Gate()) -> CoroutineError? {
        #expect(throws: CoroutineError.self) {
            try blockingAwait {
                Issue.record("the operation was begun")
                try await gate.pass()
            }
        }
    }

    /// Synchronous code, which the compiler cannot keep from calling.
    private static func isRefusedAsTask() -> Bool { self.refusal() == .wouldBlockTask }

    private static func isRefusedAsMain() -> Bool { self.refusal() == .wouldBlockMainThread }

    // MARK: Tasks

    @Test func `in tasks, as many at once as cores and more`() async {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            for count in BlockingPlace.crowds {
                let refusals = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<count { group.addTask { Self.isRefusedAsTask() } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(refusals == Array(repeating: true, count: count))
            }
        }
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `in every kind of task`() async {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            #expect(Self.isRefusedAsTask())
            #expect(await Task { Self.isRefusedAsTask() }.value)
            #expect(await Task.detached { Self.isRefusedAsTask() }.value)
            async let child = Self.isRefusedAsTask()
            #expect(await child)
            #expect(await Task.immediate { Self.isRefusedAsTask() }.value)
        }
    }

    @Test func `on an actor`() async {
        actor Caller {
            func call() -> Bool { BlockingRefusalTests.isRefusedAsTask() }
        }
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            #expect(await Caller().call())
        }
    }

    /// A task that begins on a plain thread, until it first suspends, is a task.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `in an immediate task on a thread`() async throws {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            let refused = try await onThread {
                let refused = Collected<Bool>()
                Task.immediate { refused.append(Self.isRefusedAsTask()) }
                return refused.all
            }
            #expect(refused == [true])
        }
    }

    /// It runs on the coroutine's stack, but the coroutine cannot be left from there.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `in an immediate task in a coroutine`() async {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            try await withCoroutine {
                let refused = Collected<Bool>()
                Task.immediate { refused.append(Self.isRefusedAsTask()) }
                #expect(refused.all == [true])
                try #expect(blockingAwait { await BlockingWork.yield.perform(1) } == 1)
            }
        }
    }

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    /// In the operation itself, async code can be written.
    @Test(arguments: [BlockingPlace.thread, .coroutineInATask, .coroutineOnAQueue])
    func `in the operation of another call`(place: BlockingPlace) async {
        await #expect(processExitsWith: .success) { [place] in
            endHangingProcess()
            try await place.run(1) { _ in
                let refused = try blockingAwait {
                    let before = Self.isRefusedAsTask()
                    await Task.yield()
                    return before && Self.isRefusedAsTask()
                }
                #expect(refused)
            }
        }
    }
    #endif

    /// No task is current there, but the thread is one of the pool.
    @Test func `on a thread of the pool between tasks`() async {
        final class Inspector: SerialExecutor {
            let refusals = Collected<Bool>()
            private let queue = DispatchQueue(label: "inspector")

            func enqueue(_ job: consuming ExecutorJob) {
                if withUnsafeCurrentTask(body: { $0 == nil }) {
                    self.refusals.append(BlockingRefusalTests.isRefusedAsTask())
                }
                let job = UnownedJob(job)
                self.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            }
        }
        actor Resident {
            let inspector: Inspector
            nonisolated var unownedExecutor: UnownedSerialExecutor { self.inspector.asUnownedSerialExecutor() }

            init(_ inspector: Inspector) { self.inspector = inspector }

            func visit() {}
        }
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            let inspector = Inspector()
            await Task.detached {
                await Task.yield()
                await Resident(inspector).visit()
            }.value
            #expect(inspector.refusals.all == [true])
        }
    }

    // MARK: The main thread

    @Test func `on the main queue`() async throws {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            let refused = await withCheckedContinuation { continuation in
                DispatchQueue.main.async { continuation.resume(returning: Self.isRefusedAsMain()) }
            }
            #expect(refused)
        }
    }

    @Test func `on the main actor`() async {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            #expect(await MainActor.run { Self.isRefusedAsMain() })
            #expect(await Task { @MainActor in Self.isRefusedAsMain() }.value)
        }
    }

    /// A coroutine of the main actor suspends, and others have their turn meanwhile.
    @Test func `but not in a coroutine on the main actor`() async throws {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            let result = Collected<Int>()
            let coroutine = MainActor.startCoroutine {
                result.append(try blockingAwait { await BlockingWork.mainActor.perform(1) })
            }
            await coroutine.ended()
            let other = DispatchQueue.main.startCoroutine {
                result.append(try blockingAwait { await BlockingWork.mainActor.perform(2) })
            }
            await other.ended()
            #expect(result.all == [1, 2])
        }
    }

    // MARK: The message

    @Test(arguments: [CoroutineError.wouldBlockTask, .wouldBlockMainThread])
    func `with a sentence that says what to do`(error: CoroutineError) {
        switch error {
        case .wouldBlockTask: #expect("\(error)".contains("Write `await`") && "\(error)".contains("withCoroutine"))
        case .wouldBlockMainThread: #expect("\(error)".contains("MainActor.startCoroutine"))
        case .outsideCoroutine, .outOfMemory, .tooManyMappings: Issue.record("not an error of this function")
        }
    }
}
