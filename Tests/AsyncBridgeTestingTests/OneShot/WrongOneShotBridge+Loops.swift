// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

// Bridges that call their source again inside what it does, or again and again: the suite must not recurse with them.

extension WrongOneShotBridge {
    static let ofLoops: [WrongOneShotBridge] = [
        stopping("stops the source in its completion handler") { $0.cancel() },
        stopping("stops the source in its completion handler, on another thread") { latch in
            startThread { latch.cancel() }
        },
        WrongOneShotBridge(
            "starts the work again inside a failure",
            breaks: [(.once, "the source fails at once")]
        ) { source in
            try await withCallback { Self.retry(source, $0) }
        },
        WrongOneShotBridge(
            "calls start again when it throws",
            breaks: [(.once, "start throws")]
        ) { source in
            try await withCallback { callback in
                let handler = callback.handler()
                while true { if let handle = try? source.startThrowing(handler) { return handle } }
            } onCancel: {
                $0.cancel()
            }
        },
        WrongOneShotBridge(
            "starts the work again after a failure",
            breaks: [(.once, "the source fails at once")]
        ) { source in
            while true {
                do {
                    return try await withCallback { callback in
                        source.start(callback.handler())
                    } onCancel: {
                        $0.cancel()
                    }
                } catch is SourceError {}
            }
        },
        WrongOneShotBridge(
            "starts the work again at each answer",
            breaks: [(.once, "the source answers on another thread while start runs")]
        ) { source in
            try await withCallback { Self.repeated(source, $0) }
        },
    ]

    /// Stops the source, in some way, whenever that answers.
    private static func stopping(
        _ name: String,
        _ stop: @escaping @Sendable (Latch) -> Void
    ) -> WrongOneShotBridge {
        WrongOneShotBridge(name, breaks: [(.cancellation, "the source answers inside cancel")]) { source in
            let latch = Latch()
            return try await withCallback { callback in
                let handle = source.start { answer in
                    stop(latch)
                    callback.resume(with: answer)
                }
                latch.set(handle)
                return handle
            } onCancel: {
                $0.cancel()
            }
        }
    }

    /// Starts once more as often as the source fails.
    private static func retry(_ source: OneShotSource, _ callback: Callback<Int, any Error>) {
        _ = source.start { answer in
            if case .failure = answer { Self.retry(source, callback) } else { callback.resume(with: answer) }
        }
    }

    /// Starts once more whenever the source has answered.
    private static func repeated(_ source: OneShotSource, _ callback: Callback<Int, any Error>) {
        _ = source.start { answer in
            callback.resume(with: answer)
            Self.repeated(source, callback)
        }
    }
}
