// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "I observe a property": key-value observing.

// snippet.OBSERVE
import AsyncBridge
import KeyValueObserving  // On Apple systems: Foundation

func fractions(of download: Download) -> CallbackSequence<Double, any Error> {
    let (fractions, sink) = CallbackSequence<Double, any Error>.makeSequence(
        buffering: .bounded(1, whenFull: .dropOldest)
    )
    // Safe: `invalidate()` may be called on any thread.
    nonisolated(unsafe) let observation = download.observe(
        \.fractionCompleted,
        options: [.initial, .new],
        changeHandler: sink.handler { _, change in change.newValue ?? 0 }
    )
    sink.onTermination { _ in observation.invalidate() }
    return fractions
}
// snippet.end

@MainActor
func run() async throws {
    let download = Download()
    // snippet.LOOP
    let fractions = fractions(of: download)
    download.start()
    for try await fraction in fractions {
        show(fraction)
        if fraction == 1 { break }
    }
    // snippet.end
}

@MainActor
func show(_ fraction: Double) { if fraction == 1 { print("done") } }

// Dropped values are reported once; here that is meant.
BridgeDiagnostics.policy = .ignore
try await run()
