// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Coming from continuations": what a bridge was before, and what it is now.

import AsyncBridge
import Dispatch
import Synchronization

struct Before {
    let client: QuoteClient

    // snippet.PLAINBEFORE
    func quote(id: Int) async throws -> Quote {
        try await withCheckedThrowingContinuation { continuation in
            self.client.fetchQuote(id: id) { quote, error in
                if let error {
                    continuation.resume(throwing: error)
                } else if let quote {
                    continuation.resume(returning: quote)
                }
            }
        }
    }
    // snippet.end
}

struct After {
    let client: QuoteClient

    // snippet.PLAINAFTER
    func quote(id: Int) async throws -> Quote {
        try await withCallback { callback in
            self.client.fetchQuote(id: id, completion: callback.handler())
        }
    }
    // snippet.end
}

struct CancelBefore {
    let client: QuoteClient

    // snippet.CANCELBEFORE
    func quote(id: Int) async throws -> Quote {
        let request = Mutex<QuoteClient.Request?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let started = self.client.request(id: id) { continuation.resume(with: $0) }
                request.withLock { $0 = started }
            }
        } onCancel: {
            request.withLock { $0 }?.cancel()
        }
    }
    // snippet.end
}

struct CancelAfter {
    let client: QuoteClient

    // snippet.CANCELAFTER
    func quote(id: Int) async throws -> Quote {
        try await withCallback { callback in
            self.client.request(id: id, completion: callback.handler())
        } onCancel: { request in
            request.cancel()
        }
    }
    // snippet.end
}

// snippet.DELEGATEBEFORE
@MainActor
final class PickerBefore: ImagePickerDelegate {
    private let picker = ImagePicker()
    private var continuation: CheckedContinuation<Image?, Never>?

    func pickImage() async -> Image? {
        await withCheckedContinuation { continuation in
            self.continuation = continuation
            self.picker.present(delegate: self)
        }
    }

    func imagePicker(_ picker: ImagePicker, didPick image: Image?) {
        self.continuation?.resume(returning: image)
        self.continuation = nil
    }
}
// snippet.end

// snippet.DELEGATEAFTER
@MainActor
final class PickerAfter: ImagePickerDelegate {
    private let picker = ImagePicker()
    private let reply = ReplySlot<Image?>()

    func pickImage() async throws -> Image? {
        try await self.reply.wait(keepingAlive: self) {
            self.picker.present(delegate: self)
        } onCancel: {
            self.picker.dismiss()
        }
    }

    func imagePicker(_ picker: ImagePicker, didPick image: Image?) { self.reply.resume(returning: image) }
}
// snippet.end

// snippet.DICTIONARY
final class QuoteConnection: Sendable {
    private let server = QuoteServer()
    private let waiting = Mutex<[Int: Callback<Quote, any Error>]>([:])

    func quote(id: Int) async throws -> Quote {
        let number = self.server.nextNumber()
        return try await withCallback { callback in
            self.waiting.withLock { $0[number] = callback }
            self.server.send(number, id: id)
        } onCancel: { _ in
            _ = self.waiting.withLock { $0.removeValue(forKey: number) }
        }
    }

    func received(_ number: Int, _ quote: Quote) {
        self.waiting.withLock { $0.removeValue(forKey: number) }?.resume(returning: quote)
    }
}
// snippet.end

extension QuoteConnection {
    var count: Int { self.waiting.withLock { $0.count } }
}

@MainActor
func run() async throws {
    let client = QuoteClient()
    show(try await Before(client: client).quote(id: 1).text)
    show(try await After(client: client).quote(id: 1).text)
    show(try await CancelBefore(client: client).quote(id: 1).text)
    show(try await CancelAfter(client: client).quote(id: 1).text)
    show(await PickerBefore().pickImage()?.name ?? "")
    show(try await PickerAfter().pickImage()?.name ?? "")

    // What a continuation does not survive.
    let twice = try await withCallback(of: Int.self) { callback in
        for number in 1...2 { callback.resume(returning: number) }
    }
    show("answered twice: \(twice)")
    do {
        try await withCallback(of: Void.self) { callback in _ = callback }
    } catch let fault as BridgeFault {
        show("never answered: \(fault.code)")
    }
    let waiting = Task {
        try await withCallback(of: Int.self) { callback in
            client.request(id: 2) { _ in _ = callback }
        } onCancel: { request in
            request.cancel()
        }
    }
    waiting.cancel()
    do { _ = try await waiting.value } catch { show("cancelled: \(error)") }
    let patient = Task {
        await withCallback(ifInterrupted: { _ in nil }, cancellation: .ignore) { callback in
            _ = client.request(id: 3, completion: callback.handler { result in try? result.get() })
        }
    }
    patient.cancel()
    show("cancelled, and ignored: \(await patient.value?.text ?? "")")
    let connection = QuoteConnection()
    let request = Task { try await connection.quote(id: 1) }
    while connection.count == 0 { await Task.yield() }
    request.cancel()
    _ = await request.result
    show("kept after a cancellation: \(connection.count)")
}
BridgeDiagnostics.policy = .ignore
try await run()

// snippet.hide
// MARK: - Stand-ins

struct Quote: Sendable {
    let id: Int
    let text: String
}

final class QuoteClient: Sendable {
    final class Request: Sendable {
        func cancel() {}
    }

    func fetchQuote(id: Int, completion: @escaping @Sendable (Quote?, (any Error)?) -> Void) {
        DispatchQueue.global().async { completion(Quote(id: id, text: "Well begun is half done."), nil) }
    }

    func request(id: Int, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) -> Request {
        DispatchQueue.global().async { completion(.success(Quote(id: id, text: "Well begun is half done."))) }
        return Request()
    }
}

/// A server that never replies.
final class QuoteServer: Sendable {
    private let lastNumber = Mutex(0)

    func nextNumber() -> Int {
        self.lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    func send(_ number: Int, id: Int) {}
}

struct Image: Sendable {
    let name: String
}

@MainActor
protocol ImagePickerDelegate: AnyObject {
    func imagePicker(_ picker: ImagePicker, didPick image: Image?)
}

@MainActor
final class ImagePicker {
    private weak var delegate: (any ImagePickerDelegate)?

    func present(delegate: any ImagePickerDelegate) {
        self.delegate = delegate
        Task { self.delegate?.imagePicker(self, didPick: Image(name: "cat")) }
    }

    func dismiss() {}
}

func show(_ text: String) { print(text) }
