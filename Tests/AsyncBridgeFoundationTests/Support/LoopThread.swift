// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import Foundation

/// A thread that runs its run loop until it is told to stop.
final class LoopThread: Sendable {
    // Safe: written before `init` returns.
    nonisolated(unsafe) let loop: RunLoop
    private let isStopped = Watched(false)

    init() {
        let isStopped = self.isStopped
        let semaphore = DispatchSemaphore(value: 0)
        // Safe: the semaphore orders the accesses.
        nonisolated(unsafe) var made: RunLoop?
        let thread = Thread {
            made = RunLoop.current
            // A loop without a source would end at once.
            let keeper = Timer(timeInterval: 1_000_000, repeats: true) { _ in }
            RunLoop.current.add(keeper, forMode: .default)
            semaphore.signal()
            while !isStopped.value { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
        }
        thread.start()
        semaphore.wait()
        // Safe: the thread has set it.
        self.loop = made!
    }

    /// Ticks of a timer that is added on the thread.
    func ticks(every interval: TimeInterval) async throws -> CallbackSequence<Date, any Error> {
        try await self.loop.run(inModes: [.default]) { RunLoop.current.ticks(every: interval, mode: .default) }
    }

    /// Waits until the thread's clock has come to a moment.
    ///
    /// - Returns: What it shows then.
    func runUntil(_ moment: Date) async throws -> Date {
        while true {
            let now = try await self.loop.run(inModes: [.default], { Date() })
            if now >= moment { return now }
        }
    }

    func stop() {
        self.isStopped.change { $0 = true }
        let loop = self.loop
        loop.perform(inModes: [.default]) {}
        loop.add(Timer(fire: Date(), interval: 0, repeats: false) { _ in }, forMode: .default)
    }
}
