// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch

// The old libraries of the guides, as most real ones are: Swift 5, no `@Sendable`, no `Sendable`, nothing said of
// threads. The names are those of the guides, so that the guides' code can be compiled against them.

/// Not `Sendable`: a public structure is so only where its library says it.
public struct Quote {
    /// Its number.
    public let id: Int

    /// Its text.
    public let text: String

    /// Makes a quote.
    public init(id: Int, text: String) {
        self.id = id
        self.text = text
    }
}

/// What the client fails with.
public enum QuoteError: Error {
    /// There is no quote with this number.
    case noSuchQuote(Int)
}

/// Called like an error, and none.
public struct ServerError {
    /// What the server answered.
    public let code: Int
}

/// A client that calls back on a queue of its own.
public final class QuoteClient {
    /// Work that can be cancelled, and calls back in any case.
    public final class Request {
        /// Stops the work.
        public func cancel() {}
    }

    /// Something to close.
    public final class Archive {
        /// Closes it.
        public func close() {}
    }

    /// A result with something else beside it.
    public struct Response {
        /// The result.
        public let result: Result<Quote, QuoteError>

        /// How long it took.
        public let metrics: Duration
    }

    private let queue = DispatchQueue(label: "QuoteClient")

    /// Makes a client.
    public init() {}

    private func find(_ id: Int) -> Result<Quote, QuoteError> {
        id == 1 ? .success(Quote(id: 1, text: "Well begun is half done.")) : .failure(.noSuchQuote(id))
    }

    /// A value or an error.
    public func fetchQuote(id: Int, completion: @escaping (Quote?, Error?) -> Void) {
        let found = self.find(id)
        self.queue.async {
            switch found {
            case .success(let quote): completion(quote, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// A handler for success, and one for failure.
    public func findQuote(id: Int, success: @escaping (Quote) -> Void, failure: @escaping (Error) -> Void) {
        let found = self.find(id)
        self.queue.async {
            switch found {
            case .success(let quote): success(quote)
            case .failure(let error): failure(error)
            }
        }
    }

    /// A response.
    public func respond(id: Int, completion: @escaping (Response) -> Void) {
        let response = Response(result: self.find(id), metrics: .milliseconds(12))
        self.queue.async { completion(response) }
    }

    /// An error, if there is one.
    public func removeQuote(id: Int, completion: @escaping (Error?) -> Void) {
        self.queue.async { completion(nil) }
    }

    /// Whether it was saved, or an error.
    public func save(completion: @escaping (Bool, Error?) -> Void) {
        self.queue.async { completion(true, nil) }
    }

    /// Whether it is there.
    public func ping(completion: @escaping (Bool) -> Void) {
        self.queue.async { completion(true) }
    }

    /// A value, or what is no error.
    public func fetchText(completion: @escaping (String?, ServerError?) -> Void) {
        self.queue.async { completion(nil, ServerError(code: 404)) }
    }

    /// A shape for which there is no ready handler.
    public func ranked(completion: @escaping (_ text: String?, _ rank: Int, Error?) -> Void) {
        self.queue.async { completion("Well begun is half done.", 1, nil) }
    }

    /// Calls back with the only page: without a cursor for another one.
    public func fetchPage(after cursor: String?, completion: @escaping ([Quote]?, String?, Error?) -> Void) {
        let quotes = (try? self.find(1).get()).map { [$0] }
        self.queue.async { completion(quotes, nil, nil) }
    }

    /// Two values or an error.
    public func fetchDetails(id: Int, completion: @escaping (Quote?, String?, Error?) -> Void) {
        let quote = try? self.find(id).get()
        self.queue.async { completion(quote, "Aristotle", nil) }
    }

    /// The error between other values.
    public func fetchRanked(id: Int, completion: @escaping (Quote?, String?, Error?, Int) -> Void) {
        let quote = try? self.find(id).get()
        self.queue.async { completion(quote, "Aristotle", nil, 1) }
    }

    /// Returns what cancels the work.
    public func request(id: Int, completion: @escaping (Result<Quote, Error>) -> Void) -> Request {
        let found = self.find(id).mapError { $0 as Error }
        self.queue.async { completion(found) }
        return Request()
    }

    /// A value that has to be closed.
    public func openArchive(completion: @escaping (Result<Archive, Error>) -> Void) {
        self.queue.async { completion(.success(Archive())) }
    }
}

/// What a loader of names fails with.
public enum LoaderError: Error {
    /// Nobody waits any more.
    case gaveUp

    /// The loader refused.
    case refused

    /// The case in words.
    public var explanation: String { "\(self)" }
}

/// A loader with errors of one type.
public final class NamesLoader {
    /// Makes a loader.
    public init() {}

    /// Loads the names.
    public func load(completion: @escaping (Result<[String], LoaderError>) -> Void) {
        DispatchQueue.global().async { completion(.success(["Aristotle", "Ovid"])) }
    }
}

/// A cache that finds nothing.
public final class QuoteCache {
    /// Makes a cache.
    public init() {}

    /// Finds nothing, which is no error.
    public func find(id: Int, completion: @escaping (Quote?, Error?) -> Void) {
        DispatchQueue.global().async { completion(nil, nil) }
    }
}

/// A loader that is passed around.
public protocol UsersNamesLoader {
    /// Loads the names.
    func load(completion: @escaping (Result<[String], Error>) -> Void)
}

/// One that has the names already.
public struct LocalNamesLoader: UsersNamesLoader {
    /// Makes a loader.
    public init() {}

    /// Loads the names.
    public func load(completion: @escaping (Result<[String], Error>) -> Void) { completion(.success(["Aristotle"])) }
}

/// Makes a loader.
public func makeLoader() -> UsersNamesLoader { LocalNamesLoader() }

/// A service that may never answer.
public final class Oracle {
    /// Makes a service.
    public init() {}

    /// Answers.
    public func ask(_ question: String, reply: @escaping (Result<String, Error>) -> Void) {
        DispatchQueue.global().async { reply(.success("Yes.")) }
    }
}
