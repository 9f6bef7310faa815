// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Synchronization

/// Runs code on a thread of its own, and returns when all that the code held has been released.
func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { joined in Launch(body, then: { joined.resume() }).start() }
}

/// Starts code on a thread of its own.
func detachThread(_ body: @escaping @Sendable () -> Void) { Launch(body, then: {}).start() }

private final class Launch: Sendable {
    private let body = Slot<@Sendable () -> Void>()
    private let completion: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void, then completion: @escaping @Sendable () -> Void) {
        self.body.put(body)
        self.completion = completion
    }

    func start() {
        let thread = Thread { [self] in
            self.run()
            self.completion()
        }
        thread.start()
    }

    /// A frame of its own: when it is gone, so is the body.
    @inline(never)
    private func run() { self.body.take()?() }
}

/// Two threads that begin their work at the same moment, again and again.
final class Racers: Sendable {
    private let round = Atomic<Int>(0)
    private let finished = Atomic<Int>(0)
    private let work = Locked<[@Sendable () -> Void]>([])

    /// Starts the threads, which spin until ``stop()``.
    init() {
        for index in 0..<2 {
            detachThread { [self] in
                var seen = 0
                while true {
                    spin { self.round.load(ordering: .acquiring) != seen }
                    seen = self.round.load(ordering: .acquiring)
                    if seen < 0 { return }
                    self.run(index)
                    self.finished.add(1, ordering: .acquiringAndReleasing)
                }
            }
        }
    }

    @inline(never)
    private func run(_ index: Int) {
        let body = self.work.withLock { $0[index] }
        body()
    }

    /// Runs both at once, and `alongside` on the calling thread; returns when all have ended.
    func race(
        _ first: @escaping @Sendable () -> Void,
        _ second: @escaping @Sendable () -> Void,
        alongside: () -> Void = {}
    ) {
        self.work.withLock { $0 = [first, second] }
        self.finished.store(0, ordering: .releasing)
        self.round.add(1, ordering: .releasing)
        alongside()
        spin { self.finished.load(ordering: .acquiring) == 2 }
        self.work.withLock { $0 = [] }
    }

    func stop() { self.round.store(-1, ordering: .releasing) }
}

/// Waits for another thread without giving up the processor at first: its partner is about to come.
func spin(until isFulfilled: () -> Bool) {
    var tries = 0
    while !isFulfilled() {
        tries += 1
        if tries > 200 { sched_yield() }
    }
}

/// How often a race is run.
enum Stress {
    static let iterations: Int = {
        let multiplier = ProcessInfo.processInfo.environment["STRESS_MULTIPLIER"].flatMap(Double.init) ?? 1
        return max(1, Int(10_000 * multiplier))
    }()

    /// Runs rounds of a race on a thread of their own, so that no thread of the pool is blocked.
    ///
    /// - Parameter round: Runs one round, whose number it gets.
    static func run(_ round: @escaping @Sendable (Racers, Int) -> Void) async {
        _ = await Self.firstFailure { racers, index in
            round(racers, index)
            return nil
        }
    }

    /// Runs rounds of a race until one of them goes wrong.
    ///
    /// - Parameter round: Runs one round, whose number it gets, and says what went wrong, or `nil`.
    /// - Returns: The first thing that went wrong, with the number of its round.
    static func firstFailure(in round: @escaping @Sendable (Racers, Int) -> String?) async -> String? {
        let failure = Slot<String>()
        await onThread {
            let racers = Racers()
            defer { racers.stop() }
            for index in 0..<Self.iterations {
                guard let text = round(racers, index) else { continue }
                return failure.put("round \(index): \(text)")
            }
        }
        return failure.value
    }
}
