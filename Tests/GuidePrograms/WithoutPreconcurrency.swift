// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Bridge a library without annotations", and a plain import: nothing is taken on trust.

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
    private let receiver: Receiver

    init(receiver: Receiver) { self.receiver = receiver }

    func latitudes() -> CallbackSequence<Double, any Error> {
        let (latitudes, sink) = CallbackSequence<Double, any Error>.makeSequence()
        // Safe: the watch is used on the main actor only.
        nonisolated(unsafe) let watch = self.receiver.watch(
            onFix: sink.handler { $0.latitude },
            onError: sink.errorHandler()
        )
        sink.onTermination { _ in Task { @MainActor in watch.stop() } }
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
        try await self.reply.wait(keepingAlive: self, timeout: .seconds(30)) {
            self.receiver.start(delegate: self)
        } onCancel: {
            self.receiver.stop()
        }
    }

    nonisolated func receiver(_ receiver: Receiver, didFix location: Location) {
        receiver.stop()
        self.reply.resume(returning: location.latitude)
    }

    nonisolated func receiver(_ receiver: Receiver, didFail error: any Error) {
        receiver.stop()
        self.reply.resume(throwing: error)
    }
}
// snippet.end

extension LatitudeService {
    var isRunning: Bool { self.receiver.isRunning }
}

/// Leaves one of two loops.
@MainActor
func leaveOne(of receiver: Receiver) async throws {
    let watcher = Watcher(receiver: receiver)
    let (first, second) = (watcher.latitudes(), watcher.latitudes())
    try await showFirst(of: first)
    while receiver.stoppedWatches.isEmpty { await Task.yield() }
    print("stopped: \(receiver.stoppedWatches)")
    withExtendedLifetime((watcher, second)) {}
}

/// Its watcher has gone when it returns.
@MainActor
func latitudes(of receiver: Receiver) -> CallbackSequence<Double, any Error> {
    let watcher = Watcher(receiver: receiver)
    return watcher.latitudes()
}

@MainActor
func leaveWithoutWatcher(_ receiver: Receiver) async throws {
    try await showFirst(of: latitudes(of: receiver))
    while receiver.stoppedWatches.isEmpty { await Task.yield() }
    print("stopped: \(receiver.stoppedWatches)")
}

/// Leaves the loop after one element.
@MainActor
func showFirst(of latitudes: CallbackSequence<Double, any Error>) async throws {
    for try await latitude in latitudes {
        print(latitude)
        return
    }
}

@MainActor
func run() async throws {
    let client = QuoteClient()
    print(try await client.text(id: 1))
    print(try await client.quote(id: 1).id)
    do { print(try await client.text(id: 2)) } catch { print(error) }
    let watcher = Watcher(receiver: Receiver())
    do {
        for try await latitude in watcher.latitudes() { print(latitude) }
    } catch {
        print(error)
    }
    try await leaveOne(of: Receiver(losesReception: false))
    try await leaveWithoutWatcher(Receiver(losesReception: false))
    let service = LatitudeService()
    print(try await service.latitude())
    print("running: \(service.isRunning)")
}

try await run()
