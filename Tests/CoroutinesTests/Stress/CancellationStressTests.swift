// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import CFrames
import Coroutines
import Dispatch
import Synchronization
import Testing

/// Cancellations at random moments against random waits, on real threads.
///
/// Each body ends once, cleans up, and its stack and its memory come back. In processes of their own, where nobody else
/// has stacks.
@Suite("Random cancellations", .serialized, .timeLimit(.minutes(60)))
struct CancellationStressTests {
    @Test func `of tasks`() async {
        await #expect(processExitsWith: .success) {
            await RandomCancellations.run { life in
                let task = Task { try await withCoroutine { try life.live() } }
                return .init(cancel: { task.cancel() }, ended: { _ = await task.result })
            }
        }
    }

    @Test func `of coroutines on serial queues`() async {
        await #expect(processExitsWith: .success) {
            let queues = (0..<4).map { DispatchQueue(label: "queue \($0)") }
            await RandomCancellations.run { life in
                RandomCancellations.Handle(queues[Int.random(in: 0..<4)].startCoroutine { try life.live() })
            }
        }
    }

    // Race: between the moments in which a coroutine is cancelled for others, and for its own code, an operation may
    // begin and fail. Of 100,000 cancellations, 3 to 7 met it.
    @Test func `an operation fails because of a cancellation only when its coroutine is cancelled`() async {
        let wrong = Atomic(0)
        for _ in 0..<100_000 {
            let coroutine = DispatchQueue.global().startCoroutine {
                do {
                    while true {
                        try Coroutine.await {
                            await Task.yield()
                            try Task.checkCancellation()
                        }
                    }
                } catch {
                    if !Coroutine.isCancelled { wrong.add(1, ordering: .relaxed) }
                }
            }
            coroutine.cancel()
            await coroutine.finished()
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }

    @Test func `of coroutines on a concurrent queue`() async {
        await #expect(processExitsWith: .success) {
            await RandomCancellations.run { life in
                RandomCancellations.Handle(DispatchQueue.global().startCoroutine { try life.live() })
            }
        }
    }
}

/// Starts coroutines with random programs, cancels them, and checks what they leave behind.
enum RandomCancellations {
    /// What a coroutine does, and how it went.
    final class Life: Sendable {
        private struct Counts {
            var begun = 0
            var ended = 0
            var entered = 0
            var left = 0
        }

        private let program: [Wait]
        private let counts = Mutex(Counts())

        init(_ program: [Wait]) { self.program = program }

        func live() throws {
            self.counts.withLock { $0.begun += 1 }
            defer { self.counts.withLock { $0.ended += 1 } }
            for wait in self.program {
                self.counts.withLock { $0.entered += 1 }
                defer { self.counts.withLock { $0.left += 1 } }
                try wait.perform()
            }
        }

        /// Ends the process if the coroutine, which is over, was not once and as a whole, or not at all.
        func check() {
            self.counts.withLock { counts in
                precondition(counts.begun <= 1, "a body ran \(counts.begun) times")
                precondition(counts.ended == counts.begun, "a body did not end, or ended twice")
                precondition(counts.left == counts.entered, "a defer block did not run, or ran twice")
            }
        }
    }

    enum Wait: CaseIterable {
        case yield
        case readyOperation
        case operation
        case operationThatTakesNoNotice
        case callbackAtOnce
        case callbackFromAThread
        case delay
        case nestedCoroutine
        case generator

        func perform() throws {
            switch self {
            case .yield: try Coroutine.yield()
            case .readyOperation: try Coroutine.await {}
            case .operation: try Coroutine.await { try await ShortClock().sleep(until: .now, tolerance: nil) }
            case .operationThatTakesNoNotice:
                try Coroutine.await {
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global().async { continuation.resume() }
                    }
                }
            case .callbackAtOnce:
                let _: Int = try Coroutine.await { callback in callback.resume(returning: 1) }
            case .callbackFromAThread:
                let _: Int = try Coroutine.await { callback in
                    DispatchQueue.global().async { callback.resume(returning: 1) }
                }
            case .delay: try Coroutine.delay(.microseconds(20), clock: ShortClock())
            case .nestedCoroutine: try Coroutine.await { try await withCoroutine { try Coroutine.yield() } }
            case .generator:
                // Left early, or by the error of the wait.
                for number in Generator({ yield in for number in 0... { try yield(number) } }) where number > 1 {
                    try Coroutine.yield()
                    break
                }
            }
        }
    }

    /// A coroutine that was started.
    struct Handle: Sendable {
        let cancel: @Sendable () -> Void
        let ended: @Sendable () async -> Void

        init(cancel: @escaping @Sendable () -> Void, ended: @escaping @Sendable () async -> Void) {
            self.cancel = cancel
            self.ended = ended
        }

        init(_ coroutine: CoroutineHandle) {
            self.init(cancel: { coroutine.cancel() }, ended: { await coroutine.ended() })
        }
    }

    /// Plays ten thousand coroutines in all, a hundred side by side.
    static func run(_ start: (Life) -> Handle) async {
        var random = SplitMix(seed: 0x5EED)
        let rounds = StressScale.rounds(50)
        for _ in 0..<rounds { await self.playAHundred(&random, start) }
        let memory = await self.memoryInUse()
        for _ in 0..<rounds { await self.playAHundred(&random, start) }
        let growth = await self.memoryInUse() - memory
        // Dispatch keeps up to 80 bytes of its own for each, in caches of its threads (seen with heaptrack). What we
        // make for a coroutine is more than 200 bytes, not to speak of its stack. LeakSanitizer is exact.
        precondition(growth < 200 * 100 * rounds, "\(growth) bytes more are allocated than half-way")
    }

    private static func playAHundred(_ random: inout SplitMix, _ start: (Life) -> Handle) async {
        let lives = (0..<100).map { _ in
            Life((0...random.next() % 4).map { _ in Wait.allCases.randomElement(using: &random) ?? .yield })
        }
        let handles = lives.map { start($0) }
        await withTaskGroup(of: Void.self) { group in
            for handle in handles {
                let patience = random.next() % 40
                group.addTask {
                    // From at once to some time after the end.
                    for _ in 0..<patience { await Task.yield() }
                    handle.cancel()
                    await handle.ended()
                }
            }
        }
        for life in lives { life.check() }
    }

    /// What is left when no coroutine lives: nothing but free stacks.
    ///
    /// - Returns: The number of allocated bytes.
    private static func memoryInUse() async -> Int {
        BridgeDiagnostics.trimStacks()
        // Threads of queues that end just now are still handing back what they kept: no more than a moment.
        var patience = 10_000_000
        while BridgeDiagnostics.stacks.inUse > 0, patience > 0 {
            await Task.yield()
            patience -= 1
        }
        precondition(patience > 0, "\(BridgeDiagnostics.stacks.inUse) stacks did not come back")
        return Int(cframes_allocated_bytes())
    }
}

/// A clock that does not measure: the system's timers keep memory of their own for each sleep, which is not to be
/// counted.
private struct ShortClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        for _ in 0..<3 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
