// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros
import Synchronization

/// Answers when it is told to, or never, and notes what is asked of it.
final class Gauge: Sendable {
    private struct State {
        var events: [String] = []
        var completion: (@Sendable (Int) -> Void)?
    }

    private let state = Mutex(State())

    var events: [String] { self.state.withLock { $0.events } }

    /// For what is called with the events: "-1 [start, stop]".
    func report(_ value: Int) -> String { "\(value) [\(self.events.joined(separator: ", "))]" }

    private func start(_ completion: @escaping @Sendable (Int) -> Void) -> Gauge {
        self.state.withLock { state in
            state.events.append("start")
            state.completion = completion
        }
        return self
    }

    func stop() { self.state.withLock { $0.events.append("stop") } }

    func answer() { self.state.withLock { $0.completion.take() }?(7) }

    func drop() { _ = self.state.withLock { $0.completion.take() } }

    @Bridged(.cancel { $0.stop() }, ifInterrupted: -1)
    func level(completion: @escaping @Sendable (Int) -> Void) -> Gauge { self.start(completion) }

    @Bridged(.cancel { $0.stop() }, timeout: .milliseconds(1), ifInterrupted: -2)
    func levelInTime(completion: @escaping @Sendable (Int) -> Void) -> Gauge { self.start(completion) }

    @Bridged(.cooperative, .cancel { $0.stop() }, timeout: .milliseconds(1), ifInterrupted: -3)
    func finalLevelInTime(completion: @escaping @Sendable (Int) -> Void) -> Gauge { self.start(completion) }

    @Bridged(
        .cooperative,
        .cancel {
            $0.stop()
            $0.answer()
        },
        ifInterrupted: -4
    )
    func finalLevel(completion: @escaping @Sendable (Int) -> Void) -> Gauge { self.start(completion) }
}

/// What ends the wait of a twin that does not throw, and what comes of it.
enum Interruptions {
    static func results() async -> [String] {
        [
            await self.cancelled { await $0.level() },
            await self.interrupted({ await $0.level() }, by: { $1.cancel() }),
            await self.interrupted({ await $0.level() }, by: { gauge, _ in gauge.drop() }),
            await self.interrupted({ await $0.levelInTime() }, by: { _, _ in }),
            await self.interrupted({ await $0.finalLevelInTime() }, by: { _, _ in }),
            await self.interrupted({ await $0.finalLevel() }, by: { $1.cancel() }),
            await self.cancelled { await $0.finalLevel() },
            await self.interrupted({ await $0.level() }, by: { gauge, _ in gauge.answer() }),
        ]
    }

    /// In a task that is cancelled before.
    private static func cancelled(_ read: @escaping @Sendable (Gauge) async -> Int) async -> String {
        let gauge = Gauge()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await read(gauge)
        }
        task.cancel()
        return gauge.report(await task.value)
    }

    /// In a task that has begun to wait.
    private static func interrupted(
        _ read: @escaping @Sendable (Gauge) async -> Int,
        by interrupt: (Gauge, Task<Int, Never>) -> Void
    ) async -> String {
        let gauge = Gauge()
        let task = Task { await read(gauge) }
        while gauge.events.isEmpty { await Task.yield() }
        interrupt(gauge, task)
        return gauge.report(await task.value)
    }
}
#endif
