// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

extension WrongOneShotBridge {
    static let ofAnswers: [WrongOneShotBridge] = [
        // Seed 000: no resume in the failure branch.
        WrongOneShotBridge(
            "resumes only on success",
            breaks: [(.neverLost, "the source fails at once"), (.neverLost, "the source fails later")]
        ) { source in
            try await withCell { cell in
                _ = source.start { if case .success = $0 { cell.resume($0) } }
            }
        },
        // Seed 000: `if self.continuation == nil { self.continuation = continuation }`, never cleared.
        WrongOneShotBridge(
            "keeps its first continuation",
            breaks: [(.neverLost, "the bridge is used twice in turn")],
            Slot(.keepsTheFirst).bridge
        ),
        // Seed 001: `self.continuation = continuation` while another caller waits.
        WrongOneShotBridge(
            "overwrites the continuation",
            breaks: [
                (.once, "two calls wait, answered in order"), (.neverLost, "two calls wait, the later answered first"),
            ],
            Slot(.overwrites).bridge
        ),
        WrongOneShotBridge(
            "misses an answer that comes early",
            breaks: [
                (.neverLost, "the source answers at once"),
                (.neverLost, "the source answers on another thread while start runs"),
                (.neverLost, "the source fails with CancellationError of its own"),
                (.neverLost, "the caller has a task-local value and a priority"),
            ]
        ) { source in
            let isWaiting = Flag()
            return try await withCell { cell in
                _ = source.start { if isWaiting.value { cell.resume($0) } }
                dawdle()
                isWaiting.set()
            }
        },
        WrongOneShotBridge(
            "lets the last answer win",
            breaks: [
                (.once, "the source answers twice at once, first with a value"),
                (.once, "the source answers twice at once, first with an error"),
                (.once, "the source answers twice later"),
            ]
        ) { source in
            let last = Mutex<Cell.Answer?>(nil)
            _ = try? await withCell { cell in
                _ = source.start { answer in
                    last.withLock { $0 = answer }
                    cell.resume(answer)
                }
            }
            guard let answer = last.withLock({ $0 }) else { throw OtherError() }
            return try answer.get()
        },
        WrongOneShotBridge(
            "fails when it is answered twice",
            breaks: [(.once, "the source answers on two threads at once")]
        ) { source in
            let count = Mutex(0)
            return try await withCell { cell in
                _ = source.start { answer in
                    count.withLock { $0 += 1 }
                    // Not on Dispatch's pool, whose threads other wrong bridges may keep.
                    startThread {
                        dawdle()
                        cell.resume(count.withLock { $0 } == 1 ? answer : .failure(OtherError()))
                    }
                }
            }
        },
        WrongOneShotBridge(
            "does not see that the handler was dropped",
            breaks: [
                (.neverLost, "the source drops the handler inside start"),
                (.neverLost, "the source drops the handler later"),
            ]
        ) { source in
            try await withCell { cell in _ = source.start { cell.resume($0) } }
        },
        WrongOneShotBridge(
            "throws CancellationError when the handler is dropped",
            breaks: [
                (.neverLost, "the source drops the handler inside start"),
                (.neverLost, "the source drops the handler later"),
            ]
        ) { source in
            try await withCell { cell in
                let watch = DropWatch { cell.resume(.failure(CancellationError())) }
                _ = source.start { answer in
                    watch.disarm()
                    cell.resume(answer)
                }
            }
        },
        WrongOneShotBridge(
            "keeps 32 bits of the value",
            breaks: [(.errors, "the source answers later, on another thread")]
        ) { source in
            Int(Int32(truncatingIfNeeded: try await withCell { cell in _ = source.start { cell.resume($0) } }))
        },
        WrongOneShotBridge(
            "throws an error of its own",
            breaks: [(.errors, "the source fails at once"), (.errors, "the source fails later")]
        ) { source in
            try await withCell { cell in _ = source.start { cell.resume($0.mapError { _ in OtherError() }) } }
        },
        WrongOneShotBridge(
            "hides CancellationError",
            breaks: [(.errors, "the source fails with CancellationError of its own")]
        ) { source in
            try await withCell { cell in
                _ = source.start { cell.resume($0.mapError { $0 is CancellationError ? OtherError() : $0 }) }
            }
        },
        WrongOneShotBridge(
            "loses late values",
            promises: .wrong.with { $0.handsBackLateValues = true },
            breaks: [
                (.once, "the source answers once more after the end"), (.once, "the source answers twice later"),
            ]
        ) { source in
            try await withCell { cell in _ = source.start { cell.resume($0) } }
        },
        WrongOneShotBridge(
            "starts twice",
            breaks: [(.once, "the source answers later, on another thread")]
        ) { source in
            try await withCell { cell in
                _ = source.start { cell.resume($0) }
                _ = source.start { cell.resume($0) }
            }
        },
    ]
}

/// The one property in which a class of the seeds keeps its continuation.
private final class Slot: Sendable {
    enum Kind {
        case keepsTheFirst
        case overwrites
    }

    private let kind: Kind
    private let cell = Mutex<Cell?>(nil)

    init(_ kind: Kind) { self.kind = kind }

    var bridge: WrongOneShotBridge.Bridge {
        { source in
            try await withCell { new in
                self.cell.withLock { cell in
                    if self.kind == .overwrites || cell == nil { cell = new }
                }
                _ = source.start { answer in self.cell.withLock { $0 }?.resume(answer) }
            }
        }
    }
}
