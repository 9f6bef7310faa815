// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Observe a property": key-value observing.

// snippet.OBSERVE
import AsyncBridge
import Foundation
import KeyValueObserving  // In Foundation on Apple systems.

func fractions(of download: Download) -> CallbackSequence<Double, any Error> {
    let (fractions, sink) = CallbackSequence<Double, any Error>.makeSequence(
        buffering: .newest(capacity: 1)
    )
    let observation = download.observe(
        \.fractionCompleted,
        options: [.initial, .new],
        changeHandler: sink.handler { _, change in change.newValue ?? 0 }
    )
    // Safe: `invalidate()` may be called on any thread, and the object is only kept.
    nonisolated(unsafe) let kept = (download, observation)
    sink.onTermination { _ in kept.1.invalidate() }
    return fractions
}
// snippet.end

/// The loop is left.
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

/// Nobody but the sequence keeps the object.
@MainActor
func runAlone() async throws {
    for try await fraction in startedDownload() where fraction == 1 {
        show(fraction)
        break
    }
}

func startedDownload() -> CallbackSequence<Double, any Error> {
    let download = Download()
    download.start()
    return fractions(of: download)
}

/// The loop is cancelled before anything changes.
@MainActor
func cancel() async {
    let fractions = fractions(of: Download())
    let loop = Task { for try await _ in fractions {} }
    loop.cancel()
    do { try await loop.value } catch { print(error) }
}

@MainActor
func show(_ fraction: Double) { if fraction == 1 { print("done") } }

// Dropped values are reported once; here that is meant.
BridgeDiagnostics.policy = .ignore
try await run()
print("nobody else keeps the object:")
try await runAlone()
print("cancelled:")
await cancel()
print("dropped:")
_ = fractions(of: Download())
