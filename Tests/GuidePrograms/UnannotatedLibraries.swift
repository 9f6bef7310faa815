// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Bridge a library without annotations": one in Swift 5, without `@Sendable` and `Sendable`: Tests/UnannotatedLibrary.

import AsyncBridge
import Coroutines
import Dispatch
// snippet.IMPORT
@preconcurrency import UnannotatedLibrary

// snippet.end

// MARK: - A handler

// snippet.HANDLER
extension QuoteClient {
    nonisolated(nonsending) func quote(id: Int) async throws -> Quote {
        try await withCallback { callback in
            self.request(id: id, completion: callback.handler())
        } onCancel: { request in
            request.cancel()
        }
    }
}
// snippet.end

@MainActor
func ownShape(client: QuoteClient) async throws {
    // snippet.CLOSURE
    let (text, rank) = try await withCallback { callback in
        client.ranked(
            completion: callback.handler { text, rank, error in
                if let error { throw error }
                return (text ?? "", rank)
            }
        )
    }
    // snippet.end
    show("\(rank): \(text)")
}

// MARK: - A delegate that answers once

// snippet.MAINACTOR
@MainActor
final class ImagePickerService: @MainActor ImagePickerDelegate {
    private let picker = ImagePicker()
    private let reply = ReplySlot<Image?>()

    func pickImage() async throws -> Image? {
        try await self.reply.wait(keepingAlive: self) {
            self.picker.present(delegate: self)
        } onCancel: {
            self.picker.dismiss()
        }
    }

    func imagePicker(_ picker: ImagePicker, didPick image: Image) { self.reply.resume(returning: image) }
    func imagePickerDidCancel(_ picker: ImagePicker) { self.reply.resume(returning: nil) }
}
// snippet.end

// snippet.NONISOLATED
@MainActor
final class LocationService: ReceiverDelegate {
    private let receiver = Receiver()
    private nonisolated let reply = ReplySlot<Location>(overlap: .share)

    func currentLocation() async throws -> Location {
        try await self.reply.wait(keepingAlive: self, timeout: .seconds(30)) {
            self.receiver.start(delegate: self)
        } onCancel: {
            self.receiver.stop()
        }
    }

    // The receiver calls these on its own queue.
    nonisolated func receiver(_ receiver: Receiver, didFix location: Location) {
        receiver.stop()
        self.reply.resume(returning: location)
    }

    nonisolated func receiver(_ receiver: Receiver, didFail error: any Error) {
        receiver.stop()
        self.reply.resume(throwing: error)
    }
}
// snippet.end

extension LocationService {
    var isRunning: Bool { self.receiver.isRunning }
}

// MARK: - One that keeps calling

func cold(receiver: Receiver) async {
    // snippet.COLD
    let locations = CallbackSequence<Location, any Error> { sink in
        let watch = receiver.watch(onFix: sink.handler(), onError: sink.errorHandler())
        return { watch.stop() }
    }
    // snippet.end
    do {
        for try await location in locations { show("cold: \(location.latitude)") }
    } catch {
        show("cold: \(error)")
    }
}

// snippet.HOT
final class LocationFeed: ReceiverDelegate {
    let locations: CallbackSequence<Location, any Error>
    private let sink: CallbackSequence<Location, any Error>.Sink

    init(receiver: Receiver) {
        (self.locations, self.sink) = CallbackSequence.makeSequence(buffering: .newest(capacity: 8))
        self.sink.onTermination { _ in receiver.stop() }
        receiver.start(delegate: self)
    }

    func receiver(_ receiver: Receiver, didFix location: Location) { self.sink.yield(location) }
    func receiver(_ receiver: Receiver, didFail error: any Error) { self.sink.fail(error) }
}
// snippet.end

// MARK: - Old callers

// snippet.REQUIREMENT
struct Names: UsersNamesLoader {
    func names() async throws -> [String] { ["Aristotle", "Ovid"] }

    func load(completion: @escaping (Result<[String], any Error>) -> Void) {
        // Safe: called once, where the old callers expect it.
        nonisolated(unsafe) let completion = completion
        callAsync(deliver: .through { DispatchQueue.main.async(execute: $0) }) {
            try await self.names()
        } completion: { result in
            completion(result)
        }
    }
}
// snippet.end

// MARK: - Synchronous code

@MainActor
func synchronous(client: QuoteClient) async throws {
    // snippet.COROUTINE
    let texts = try await withCoroutine {
        try [1, 1].map { id in
            let quote: Quote = try Coroutine.await { callback in
                client.fetchQuote(id: id, completion: callback.handler())
            }
            return quote.text
        }
    }
    // snippet.end
    show(texts.joined(separator: " "))
}

@MainActor
func run() async throws {
    let client = QuoteClient()
    show(try await client.quote(id: 1).text)
    try await ownShape(client: client)
    show(try await ImagePickerService().pickImage()?.name ?? "")
    let service = LocationService()
    show("\(try await service.currentLocation().latitude)")
    show("running: \(service.isRunning)")
    await cold(receiver: Receiver())
    let feed = LocationFeed(receiver: Receiver())
    do {
        for try await location in feed.locations { show("hot: \(location.latitude)") }
    } catch {
        show("hot: \(error)")
    }
    let names = try await withCallback { callback in Names().load(completion: callback.handler()) }
    show(names.joined(separator: ", "))
    try await synchronous(client: client)
}

try await run()

// snippet.hide

func show(_ text: String) { print(text) }
