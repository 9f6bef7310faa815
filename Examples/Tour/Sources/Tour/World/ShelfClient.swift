// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import Synchronization

/// A quote.
struct ShelfQuote: Sendable, Equatable {
    let id: Int
    let author: String
    let text: String
}

/// An error of the old client's own.
enum ShelfError: Error, Equatable {
    case noSuchQuote(Int)
    case serverIsDown
}

/// Stands for a client from before async/await, with the faults that such clients have.
final class ShelfClient: Sendable {
    static let shelf = [
        ShelfQuote(id: 1, author: "Aristotle", text: "Well begun is half done."),
        ShelfQuote(id: 2, author: "Lao Tzu", text: "A journey of a thousand miles begins with a single step."),
        ShelfQuote(id: 3, author: "Ovid", text: "Dripping water hollows out stone."),
    ]

    private let queue = DispatchQueue(label: "ShelfClient")
    private let log = Mutex<[String]>([])

    /// What the client was told and what it did, in order.
    var journal: [String] { self.log.withLock { $0 } }

    private func note(_ event: String) { self.log.withLock { $0.append(event) } }

    /// Answers after a moment, on a queue of its own.
    func fetchQuote(id: Int, completion: @escaping @Sendable (ShelfQuote?, (any Error)?) -> Void) {
        self.note("fetch \(id)")
        self.queue.asyncAfter(deadline: .now() + .milliseconds(5)) {
            let quote = Self.shelf.first { $0.id == id }
            completion(quote, quote == nil ? ShelfError.noSuchQuote(id) : nil)
        }
    }

    /// Answers twice: its author forgot a `return` after the error.
    func fetchQuoteCarelessly(id: Int, completion: @escaping @Sendable (ShelfQuote?, (any Error)?) -> Void) {
        self.queue.async {
            completion(nil, ShelfError.serverIsDown)
            completion(Self.shelf.first { $0.id == id }, nil)
            self.note("careless fetch done")
        }
    }

    /// Never answers: one path of it drops the completion handler.
    func fetchQuoteForgetfully(id: Int, completion: @escaping @Sendable (ShelfQuote?, (any Error)?) -> Void) {
        self.queue.async { withExtendedLifetime(completion) {} }
    }

    /// A request that can be stopped.
    final class Request: Sendable {
        private let id: Int
        private let client: ShelfClient

        fileprivate init(id: Int, client: ShelfClient) {
            self.id = id
            self.client = client
        }

        /// Stops the request.
        func cancel() { self.client.note("cancel \(self.id)") }
    }

    private typealias Reply = @Sendable (ShelfQuote?, (any Error)?) -> Void
    private let waiting = Mutex<[(id: Int, reply: Reply)]>([])

    /// Asks a server that sleeps.
    func startRequest(id: Int, completion: @escaping @Sendable (ShelfQuote?, (any Error)?) -> Void) -> Request {
        self.note("start \(id)")
        self.waiting.withLock { $0.append((id, completion)) }
        return Request(id: id, client: self)
    }

    /// The server wakes up and answers every request, those included that it was told to stop.
    func wakeServer() {
        let requests = self.waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        self.queue.async {
            for request in requests {
                request.reply(Self.shelf.first { $0.id == request.id }, nil)
                self.note("answer \(request.id)")
            }
        }
    }
}
