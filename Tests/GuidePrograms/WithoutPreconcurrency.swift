// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "My library is not annotated", and a plain import: nothing is taken on trust.

import AsyncBridge
import UnannotatedLibrary

// snippet.PARTS
extension QuoteClient {
    nonisolated(nonsending) func text(id: Int) async throws -> String {
        try await withCallback { callback in
            self.fetchQuote(
                id: id,
                completion: callback.handler { quote, error in
                    guard let quote else { throw error ?? QuoteError.noSuchQuote(id) }
                    return quote.text
                }
            )
        }
    }
}
// snippet.end

// snippet.COPY
extension QuoteClient {
    nonisolated(nonsending) func quote(id: Int) async throws -> Quote {
        try await withCallback { callback in
            self.fetchQuote(
                id: id,
                completion: callback.handler { quote, error in
                    guard let quote else { throw error ?? QuoteError.noSuchQuote(id) }
                    return Quote(id: quote.id, text: quote.text)
                }
            )
        }
    }
}
// snippet.end

// snippet.WATCHER
@MainActor
final class Watcher {
    private let receiver = Receiver()
    private var watch: Receiver.Watch?

    func latitudes() -> CallbackSequence<Double, any Error> {
        let (latitudes, sink) = CallbackSequence<Double, any Error>.makeSequence()
        self.watch = self.receiver.watch(onFix: sink.handler { $0.latitude }, onError: sink.errorHandler())
        sink.onTermination { [weak self] _ in Task { @MainActor in self?.watch?.stop() } }
        return latitudes
    }
}
// snippet.end

// snippet.DELEGATE
@MainActor
final class LatitudeService: ReceiverDelegate {
    private let receiver = Receiver()
    private let reply = ReplySlot<Double>(overlap: .share)

    func latitude() async throws -> Double {
        try await self.reply.wait(keepingAlive: self) { self.receiver.start(delegate: self) }
    }

    nonisolated func receiver(_ receiver: Receiver, didFix location: Location) {
        self.reply.resume(returning: location.latitude)
    }

    nonisolated func receiver(_ receiver: Receiver, didFail error: any Error) { self.reply.resume(throwing: error) }
}
// snippet.end

@MainActor
func run() async throws {
    let client = QuoteClient()
    print(try await client.text(id: 1))
    print(try await client.quote(id: 1).id)
    do { print(try await client.text(id: 2)) } catch { print(error) }
    let watcher = Watcher()
    do {
        for try await latitude in watcher.latitudes() { print(latitude) }
    } catch {
        print(error)
    }
    print(try await LatitudeService().latitude())
}

try await run()
