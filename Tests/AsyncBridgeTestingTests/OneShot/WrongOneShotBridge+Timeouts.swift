// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

// Bridges that give up after a time, and make a mistake then.

extension WrongOneShotBridge {
    static let ofTimeouts: [WrongOneShotBridge] = [
        WrongOneShotBridge(
            "leaves the source working when its time is up",
            promises: .timed,
            breaks: [
                (.cancellation, "the time is up during the wait"),
                (.cancellation, "the source answers after the time is up"),
            ]
        ) { source in
            try await TimedCall.answer(of: source, stops: { _ in })
        },
        WrongOneShotBridge(
            "gives up too early",
            promises: .timed,
            breaks: [(.cancellation, "the time is up during the wait")]
        ) { source in
            try await TimedCall.answer(of: source, limit: TimedCall.limit - .milliseconds(10))
        },
        WrongOneShotBridge(
            "gives up too late",
            promises: .timed,
            breaks: [(.cancellation, "the time is up during the wait")]
        ) { source in
            try await TimedCall.answer(of: source, limit: TimedCall.limit + .milliseconds(10))
        },
        WrongOneShotBridge(
            "finds no handle when its time is up while start runs",
            promises: .timed,
            breaks: [(.cancellation, "the time is up while start runs")]
        ) { source in
            let started = Watched(SourceHandle?.none)
            return try await withCallback { callback in
                let clock = source.clock
                let timer = Task {
                    guard (try? await clock.sleep(for: TimedCall.limit)) != nil else { return }
                    if callback.resume(throwing: TimedCall.TimeIsUp()) { started.value?.cancel() }
                }
                let handle = source.start {
                    timer.cancel()
                    callback.resume(with: $0)
                }
                started.update { $0 = handle }
                return (handle, timer)
            } onCancel: { handle, timer in
                timer.cancel()
                handle.cancel()
            }
        },
        WrongOneShotBridge(
            "keeps its timer",
            promises: .timed,
            breaks: [(.teardown, "the source answers before the time is up")]
        ) { source in
            try await TimedCall.answer(of: source, stopsTimer: { _ in })
        },
        WrongOneShotBridge(
            "takes the end of its time for a cancellation",
            promises: .timed,
            breaks: [(.cancellation, "the time is up during the wait")]
        ) { source in
            do { return try await TimedCall.answer(of: source) } catch is TimedCall.TimeIsUp {
                throw CancellationError()
            }
        },
        WrongOneShotBridge(
            "measures its time by another clock",
            promises: .timed,
            breaks: [(.cancellation, "the time is up during the wait")]
        ) { source in
            try await withCallback(timeout: .seconds(1000)) { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        },
        WrongOneShotBridge(
            "throws away what comes after its time",
            promises: .timed.with { $0.handsBackLateValues = true },
            breaks: [(.once, "the source answers after the time is up")]
        ) { source in
            let isUp = Flag()
            return try await withCallback(
                timeout: .after(TimedCall.limit, on: source.clock),
                onUndelivered: { if !isUp.value { source.takeBack($0) } }
            ) { callback in
                source.start(callback.handler())
            } onCancel: {
                if !Task.isCancelled { isUp.set() }
                $0.cancel()
            }
        },
        WrongOneShotBridge(
            "stops the source once for a cancellation and once for the end of its time",
            promises: .timed,
            breaks: [(.cancellation, Self.histories)]
        ) { source in
            try await TimedCall.answer(of: source, atTimeout: { $0.cancel() }, stops: { _ in })
        },
    ]
}

extension OneShotPromises {
    /// Those of a bridge whose timer keeps the callback.
    static var timed: OneShotPromises {
        .wrong.with {
            $0.timeout = TimedCall.limit
            $0.detectsDrops = false
        }
    }
}

/// A call with a timeout made by hand.
enum TimedCall {
    /// How long it may take.
    static let limit = Duration.seconds(5)

    struct TimeIsUp: Error {}

    /// Answers as it should as long as the closures are left as they are.
    ///
    /// The first says what the timer does when its time is up, the second what is done with it at the end, and the
    /// third what is done with the source of a call whose time is up.
    static func answer(
        of source: OneShotSource,
        limit: Duration = Self.limit,
        atTimeout: @escaping @Sendable (SourceHandle) -> Void = { _ in },
        stopsTimer: (Task<Void, Never>) -> Void = { $0.cancel() },
        stops: (SourceHandle) -> Void = { $0.cancel() }
    ) async throws -> Int {
        let work = Mutex<(handle: SourceHandle, timer: Task<Void, Never>)?>(nil)
        defer { if let timer = work.withLock({ $0?.timer }) { stopsTimer(timer) } }
        do {
            return try await withCallback { callback in
                let handle = source.start(callback.handler())
                let clock = source.clock
                let timer = Task {
                    guard (try? await clock.sleep(for: limit)) != nil else { return }
                    atTimeout(handle)
                    callback.resume(throwing: TimeIsUp())
                }
                work.withLock { $0 = (handle, timer) }
                return handle
            } onCancel: {
                $0.cancel()
            }
        } catch let error as TimeIsUp {
            if let handle = work.withLock({ $0?.handle }) { stops(handle) }
            throw error
        }
    }
}
