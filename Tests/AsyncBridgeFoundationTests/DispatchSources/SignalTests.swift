// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import CProcesses
import Dispatch
import Foundation
import Testing

/// In processes of their own, which get `SIGHUP`: by default, it ends a process.
@Suite("Dispatch sources: signals", .timeLimit(.minutes(10)))
struct SignalTests {
    /// Counts the signals of a loop, or of a source without one.
    private struct Watcher {
        let arrivals = Watched(0)
        private let stopping: @Sendable () async -> Void

        /// A loop over `DispatchSource.signals`, which has begun: from now on the signal does not end the process.
        static func loop() -> Watcher {
            Watcher { arrivals in
                let iterator = DispatchSource.signals(SIGHUP).makeAsyncIterator()
                let task = Task {
                    var iterator = iterator
                    while let count = try await iterator.next() { arrivals.change { $0 += count } }
                }
                return {
                    task.cancel()
                    _ = await task.result
                }
            }
        }

        /// A source of Dispatch's.
        static func source() -> Watcher {
            Watcher { arrivals in
                // Safe: it is changed here, and then only cancelled.
                nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
                let hasEnded = Watched(false)
                source.setEventHandler { arrivals.change { $0 += 1 } }
                source.setCancelHandler { hasEnded.change { $0 = true } }
                source.activate()
                return {
                    unsafe source.cancel()
                    await hasEnded.wait { $0 }
                }
            }
        }

        private init(_ start: (Watched<Int>) -> @Sendable () async -> Void) { self.stopping = start(self.arrivals) }

        func stop() async { await self.stopping() }
    }

    /// Sends a signal until each watcher has seen three more.
    private static func expect(_ watchers: Watcher...) async {
        for _ in 0..<3 {
            let before = watchers.map(\.arrivals.value)
            // The first ones may come before the source is there.
            while !zip(watchers, before).allSatisfy({ $0.arrivals.value > $1 }) {
                kill(getpid(), SIGHUP)
                await Task.yield()
            }
        }
    }

    @Test func `loops one after the other, and signals between them`() async {
        await #expect(processExitsWith: .success) {
            // Nothing else ends this process when a signal is not seen.
            alarm(100)
            for _ in 0..<5 {
                let watcher = Watcher.loop()
                await Self.expect(watcher)
                await watcher.stop()
                kill(getpid(), SIGHUP)
            }
        }
    }

    @Test func `loops beside each other`() async {
        await #expect(processExitsWith: .success) {
            alarm(100)
            let first = Watcher.loop()
            await Self.expect(first)
            let second = Watcher.loop()
            await Self.expect(first, second)
            await second.stop()
            await Self.expect(first)
            await first.stop()
            await Self.expect(.loop())
        }
    }

    @Test func `sources of Dispatch's before, beside and after`() async {
        await #expect(processExitsWith: .success) {
            alarm(100)
            signal(SIGHUP, SIG_IGN)
            let before = Watcher.source()
            await Self.expect(before)
            await before.stop()

            let loop = Watcher.loop()
            await Self.expect(loop)
            let beside = Watcher.source()
            await Self.expect(loop, beside)
            let second = Watcher.loop()
            await Self.expect(loop, beside, second)
            await loop.stop()
            await second.stop()
            await Self.expect(beside)
            await beside.stop()

            let after = Watcher.source()
            await Self.expect(after)
            await after.stop()
            await Self.expect(.loop())
        }
    }

    #if os(Linux)
    @Test func `what Dispatch cannot watch is refused, and keeps its action`() async {
        await #expect(processExitsWith: .success) {
            alarm(100)
            for number in [SIGPIPE, SIGPROF, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] {
                let task = Task { for try await _ in DispatchSource.signals(number) {} }
                // One that does not fail is watched until the alarm.
                let result = await task.result
                guard case .failure(let error) = result else { preconditionFailure("\(number) is watched") }
                precondition((error as? POSIXError)?.code == .EINVAL)
                // Safe: a handler has the size of a number. Swift's own handler of crashes stays as well.
                let action = unsafe unsafeBitCast(signal(number, SIG_DFL), to: Int.self)
                precondition(action != 1)
            }
        }
    }

    @Test func `a loop begins with a signal that came when nothing watched any more`() async {
        await #expect(processExitsWith: .success) {
            alarm(100)
            signal(SIGHUP, SIG_IGN)
            // Its end is known, unlike that of a loop's source.
            let source = Watcher.source()
            await Self.expect(source)
            await source.stop()
            kill(getpid(), SIGHUP)
            for try await count in DispatchSource.signals(SIGHUP) {
                precondition(count == 1)
                break
            }
        }
    }
    #endif

    @Test func `only the default action is switched off, and not that for children`() async {
        await #expect(processExitsWith: .success) {
            func action(of number: Int32) -> Int {
                // Safe: a handler has the size of a number.
                unsafe unsafeBitCast(signal(number, SIG_DFL), to: Int.self)
            }
            precondition(cprocesses_ignore_by_default(SIGHUP) == 0)
            precondition(action(of: SIGHUP) == 1)
            signal(SIGHUP) { _ in }
            precondition(cprocesses_ignore_by_default(SIGHUP) == 0)
            precondition(action(of: SIGHUP) > 1)
            precondition(cprocesses_ignore_by_default(SIGCHLD) == 0)
            precondition(action(of: SIGCHLD) == 0)
        }
    }

    @Test func `a handler stays, however far another thread has come with ignoring the signal`() async {
        await #expect(processExitsWith: .success) {
            func action() -> Int {
                // Safe: a handler has the size of a number.
                unsafe unsafeBitCast(signal(SIGHUP, SIG_DFL), to: Int.self)
            }
            let steps: [@convention(c) (cprocesses_ignoring) -> Void] = [
                // Another loop begins between the look and the change, and Dispatch installs its handler after both.
                { step in if step == cprocesses_has_looked { signal(SIGHUP, SIG_IGN) } else { signal(SIGHUP) { _ in } }
                },
                { step in if step == cprocesses_has_looked { signal(SIGHUP) { _ in } } },
                { step in if step == cprocesses_has_ignored { signal(SIGHUP) { _ in } } },
            ]
            for others in steps {
                precondition(cprocesses_ignore_by_default_beside(SIGHUP, others) == 0)
                precondition(action() > 1)
            }
            precondition(cprocesses_ignore_by_default_beside(SIGHUP) { _ in signal(SIGHUP, SIG_IGN) } == 0)
            precondition(action() == 1)
        }
    }
}
