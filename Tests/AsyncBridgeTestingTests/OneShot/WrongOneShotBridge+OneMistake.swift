// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

// Bridges that are right but for one mistake, which one scenario finds and no other.

extension WrongOneShotBridge {
    static let withOneMistake: [WrongOneShotBridge] = [
        WrongOneShotBridge(
            "checks for cancellation when the value has come",
            breaks: [(.neverLost, "the task is cancelled when the answer has come")]
        ) { source in
            let value = try await withCallback { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
            try Task.checkCancellation()
            return value
        },
        WrongOneShotBridge(
            "reads and sets its flag in two steps",
            promises: .wrong.with { $0.handsBackLateValues = true },
            breaks: [(.once, "two answers race, many times")]
        ) { source in
            try await answer(of: source, through: TwoStepFlag { dawdle() })
        },
        WrongOneShotBridge(
            "keeps one handle for all its calls",
            breaks: [(.cancellation, "two calls wait, the earlier is cancelled")],
            keepsOneHandle()
        ),
        WrongOneShotBridge(
            "looks for a cancellation and then stores its handle",
            promises: .wrong.with { $0.startsOnCaller = false },
            breaks: [(.cancellation, "the task is cancelled as start returns, many times")]
        ) { source in
            try await looksAndStores(source) { dawdle() }
        },
        WrongOneShotBridge(
            "hands back under its lock",
            promises: .wrong.with { $0.handsBackLateValues = true },
            breaks: [(.noLocks, "takeBack() waits for the thread that is calling the completion handler")]
        ) { source in
            let lock = NonRecursiveLock()
            return try await withCallback(onUndelivered: { value in lock.locked { source.takeBack(value) } }) {
                callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        },
        WrongOneShotBridge(
            "hands back its first late value again",
            promises: .wrong.with { $0.handsBackLateValues = true },
            breaks: [(.once, "takeBack() waits for the thread that is calling the completion handler")]
        ) { source in
            let first = Mutex<Int?>(nil)
            return try await withCallback(onUndelivered: { value in
                source.takeBack(
                    first.withLock { first in
                        first = first ?? value
                        return first ?? value
                    }
                )
            }) { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        },
        WrongOneShotBridge(
            "ignores that start throws",
            breaks: [(.neverLost, "start throws")]
        ) { source in
            try await withCallback { callback in
                try? source.startThrowing(callback.handler())
            } onCancel: {
                $0?.cancel()
            }
        },
        WrongOneShotBridge(
            "loses the answer when start throws",
            promises: .wrong.with { $0.handsBackLateValues = true },
            breaks: [(.once, "start throws after it has answered")]
        ) { source in
            let hasThrown = Flag()
            return try await withCallback(onUndelivered: { if !hasThrown.value { source.takeBack($0) } }) { callback in
                do { return try source.startThrowing(callback.handler()) } catch {
                    hasThrown.set()
                    throw error
                }
            } onCancel: {
                $0.cancel()
            }
        },
        WrongOneShotBridge(
            "numbers its calls with a byte",
            breaks: [(.cancellation, "many calls come and go")],
            usingTable { table in
                table.begun = (table.begun + 1) % 256
                return table.begun
            } end: { table, number in
                table.handles[number] = nil
            }
        ),
        WrongOneShotBridge(
            "counts a call that has failed as one that runs",
            breaks: [(.neverLost, "many calls come and go")],
            refusesCalls(beyond: 120)
        ),
        WrongOneShotBridge(
            "numbers its calls with two bits",
            breaks: [(.once, "a late answer comes after many later calls")],
            numbersCallsWithTwoBits()
        ),
        WrongOneShotBridge(
            "starts the work of all calls under one recursive lock",
            breaks: [(.noLocks, "start of one call goes on until another call has started")],
            startsUnderOneLock()
        ),
        WrongOneShotBridge(
            "lets go of the handle under its lock",
            breaks: [
                (
                    .noLocks,
                    "the release of the source's handle waits for the thread that is calling the completion handler"
                )
            ]
        ) { source in
            try await ReleasingUnderLock().run(source)
        },
        WrongOneShotBridge(
            "starts the work in another task while another call waits",
            breaks: [(.isolation, "a hundred calls wait on one thread")],
            startsElsewhereBesideOthers()
        ),
        WrongOneShotBridge(
            "forgets a cancellation that comes while it waits for its turn",
            promises: .wrong.with { $0.startsOnCaller = false },
            breaks: [(.cancellation, "the task is cancelled between two steps of the call")]
        ) { source in
            try Task.checkCancellation()
            return try await waitsForItsTurn(source)
        },
    ]

    private static func numbersCallsWithTwoBits() -> Bridge {
        let calls = Mutex((begun: 0, waiting: [Int: Callback<Int, any Error>]()))
        return { source in
            try await withCallback { callback in
                let number = calls.withLock { calls in
                    calls.begun += 1
                    calls.waiting[calls.begun % 4] = callback
                    return calls.begun % 4
                }
                return source.start { answer in calls.withLock { $0.waiting[number] }?.resume(with: answer) }
            } onCancel: {
                $0.cancel()
            }
        }
    }

    private static func startsUnderOneLock() -> Bridge {
        let lock = RecursiveLock()
        return { source in
            try await withCallback { callback in
                lock.locked { source.start(callback.handler()) }
            } onCancel: {
                $0.cancel()
            }
        }
    }

    private static func startsElsewhereBesideOthers() -> Bridge {
        let running = Mutex(0)
        return { source in
            let isAlone = running.withLock { count in
                count += 1
                return count == 1
            }
            defer { running.withLock { $0 -= 1 } }
            let wait: @Sendable () async throws -> Int = {
                try await withCallback { callback in
                    source.start(callback.handler())
                } onCancel: {
                    $0.cancel()
                }
            }
            return isAlone ? try await wait() : try await Task { try await wait() }.value
        }
    }

    private static func refusesCalls(beyond limit: Int) -> Bridge {
        let running = Mutex(0)
        return { source in
            let count = running.withLock { count in
                count += 1
                return count
            }
            defer { if count > limit { running.withLock { $0 -= 1 } } }
            guard count <= limit else { throw OtherError() }
            do {
                let value = try await withCallback { callback in
                    source.start(callback.handler())
                } onCancel: {
                    $0.cancel()
                }
                running.withLock { $0 -= 1 }
                return value
            } catch {
                if !(error is SourceError) { running.withLock { $0 -= 1 } }
                throw error
            }
        }
    }

    private static func keepsOneHandle() -> Bridge {
        let current = CurrentHandle()
        return { source in
            defer { current.handle.withLock { $0 = nil } }
            return try await withCallback { callback in
                let handle = source.start(callback.handler())
                current.handle.withLock { $0 = handle }
            } onCancel: {
                current.handle.withLock { $0 }?.cancel()
            }
        }
    }
}

/// The one property in which a client keeps the handle of its request.
private final class CurrentHandle: Sendable {
    let handle = Mutex<SourceHandle?>(nil)
}

/// A flag that lets one answer through, if no other comes between its two steps.
final class TwoStepFlag: Sendable {
    private let isSet = Flag()
    private let between: @Sendable () -> Void

    init(between: @escaping @Sendable () -> Void) { self.between = between }

    func isFirst() -> Bool {
        if self.isSet.value { return false }
        self.between()
        self.isSet.set()
        return true
    }
}

/// Right if the flag is.
func answer(of source: OneShotSource, through flag: TwoStepFlag) async throws -> Int {
    let isCancelled = Flag()
    return try await withCallback(onUndelivered: { if isCancelled.value { source.takeBack($0) } }) { callback in
        source.start { answer in
            if flag.isFirst() {
                callback.resume(with: answer)
            } else if case .success(let value) = answer {
                source.takeBack(value)
            }
        }
    } onCancel: {
        isCancelled.set()
        $0.cancel()
    }
}

/// Right but for the time between its look and its store, in which a cancellation finds no handle.
func looksAndStores(_ source: OneShotSource, between: () -> Void) async throws -> Int {
    try Task.checkCancellation()
    let handle = Mutex<SourceHandle?>(nil)
    let waiting = Mutex<Cell?>(nil)
    return try await withTaskCancellationHandler {
        try await withCell { cell in
            waiting.withLock { $0 = cell }
            let watch = DropWatch { cell.resume(.failure(OtherError())) }
            let started = source.start { answer in
                watch.disarm()
                cell.resume(answer)
            }
            if Task.isCancelled {
                cell.resume(.failure(CancellationError()))
                started.cancel()
            } else {
                between()
                handle.withLock { $0 = started }
            }
        }
    } onCancel: {
        let started = handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        // Not under the runtime's lock.
        startThread {
            waiting.withLock { $0 }?.resume(.failure(CancellationError()))
            started?.cancel()
        }
    }
}

/// An actor to wait for.
actor Doorman {
    func letIn() {}
}

/// Right but for a cancellation before the call is in its place.
func waitsForItsTurn(_ source: OneShotSource) async throws -> Int {
    let waiting = Mutex<(cell: Cell, handle: SourceHandle)?>(nil)
    return try await withTaskCancellationHandler {
        await Doorman().letIn()
        return try await withCell { cell in
            let watch = DropWatch { cell.resume(.failure(OtherError())) }
            let handle = source.start { answer in
                watch.disarm()
                cell.resume(answer)
            }
            waiting.withLock { $0 = (cell, handle) }
        }
    } onCancel: {
        let call = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        // Not under the runtime's lock.
        startThread {
            call?.cell.resume(.failure(CancellationError()))
            call?.handle.cancel()
        }
    }
}
