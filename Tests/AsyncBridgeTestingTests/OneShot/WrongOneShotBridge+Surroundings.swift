// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization

extension WrongOneShotBridge {
    static let ofSurroundings: [WrongOneShotBridge] = [
        WrongOneShotBridge(
            "blocks its thread on a semaphore",
            breaks: [
                (.noBlocking, "the answer comes on the caller's own thread"),
                (.noBlocking, "a hundred calls wait on one thread"),
                (.noBlocking, "an actor calls and the answer is late"),
                (.noBlocking, "the source answers later, on another thread"),
            ]
        ) { source in
            try blockingAnswer(of: source).get()
        },
        WrongOneShotBridge("hops off the caller's actor", breaks: [(.isolation, "an actor calls")]) { source in
            try await elsewhere(source)
        },
        WrongOneShotBridge(
            "starts in the operation of withTaskCancellationHandler",
            breaks: [(.isolation, "an actor calls")]
        ) { source in
            let latch = Latch()
            return try await withTaskCancellationHandler {
                try await withCell { cell in latch.set(source.start { cell.resume($0) }) }
            } onCancel: {
                latch.cancel()
            }
        },
        WrongOneShotBridge(
            "yields before it starts",
            breaks: [(.isolation, "an actor calls")]
        ) { source in
            await Task.yield()
            return try await withCell { cell in _ = source.start { cell.resume($0) } }
        },
        WrongOneShotBridge(
            "starts in a detached task",
            breaks: [
                (.isolation, "the caller has a task-local value and a priority"), (.isolation, "an actor calls"),
            ]
        ) { source in
            try await Task.detached {
                try await withCell { cell in _ = source.start { cell.resume($0) } }
            }.value
        },
        WrongOneShotBridge(
            "keeps the handle forever",
            breaks: [(.teardown, "the source answers later, on another thread")],
            keepsTheHandle(Keeper())
        ),
        WrongOneShotBridge(
            "keeps the source forever",
            breaks: [(.teardown, "the source answers at once")],
            keepsTheSource(Keeper())
        ),
        WrongOneShotBridge(
            "keeps the error forever",
            breaks: [(.teardown, "the source fails later")],
            keepsTheError(Keeper())
        ),
    ]

    private static func keepsTheHandle(_ kept: Keeper) -> Bridge {
        { source in try await withCell { cell in kept.keep(source.start { cell.resume($0) }) } }
    }

    private static func keepsTheSource(_ kept: Keeper) -> Bridge {
        { source in
            kept.keep(source)
            return try await withCell { cell in _ = source.start { cell.resume($0) } }
        }
    }

    private static func keepsTheError(_ kept: Keeper) -> Bridge {
        { source in
            try await withCell { cell in
                _ = source.start { answer in
                    if case .failure(let error as SourceError) = answer { kept.keep(error) }
                    cell.resume(answer)
                }
            }
        }
    }
}

/// A leak.
final class Keeper: Sendable {
    private let kept = Mutex<[any Sendable]>([])

    func keep(_ value: any Sendable) { self.kept.withLock { $0.append(value) } }
}

@concurrent
private func elsewhere(_ source: OneShotSource) async throws -> Int {
    try await withCell { cell in _ = source.start { cell.resume($0) } }
}

private func blockingAnswer(of source: OneShotSource) -> Cell.Answer {
    let answer = Mutex<Cell.Answer?>(nil)
    let semaphore = DispatchSemaphore(value: 0)
    _ = source.start { new in
        answer.withLock { $0 = new }
        semaphore.signal()
    }
    semaphore.wait()
    return answer.withLock { $0 } ?? .failure(OtherError())
}

/// Wastes time in which something else may happen.
func dawdle(for time: DispatchTimeInterval = .milliseconds(20)) {
    let semaphore = DispatchSemaphore(value: 0)
    _ = semaphore.wait(timeout: .now() + time)
}
