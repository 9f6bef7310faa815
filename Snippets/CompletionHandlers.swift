// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Await a completion handler": what the guide and the doc comments of `withCallback` and `Callback` show.

import AsyncBridge

// MARK: - The ordinary case

func plain(client: QuoteClient, id: Int) async throws -> Quote {
    // snippet.PLAIN
    let quote = try await withCallback { callback in
        client.fetchQuote(id: id, completion: callback.handler())
    }
    // snippet.end
    return quote
}

// snippet.EXTENSION
extension QuoteClient {
    func quote(withID id: Int) async throws -> Quote {
        try await withCallback { callback in
            self.request(id: id, completion: callback.handler())
        } onCancel: { request in
            request.cancel()
        }
    }
}
// snippet.end

// MARK: - Shapes of handlers

func shapes(client: QuoteClient) async throws {
    // snippet.SHAPES
    // (Quote?, (any Error)?) -> Void
    let quote = try await withCallback { client.fetchQuote(id: 1, completion: $0.handler()) }

    // (Quote?, String?, (any Error)?) -> Void: the value is a tuple
    let (same, author) = try await withCallback { client.fetchDetails(id: 1, completion: $0.handler()) }

    // ((any Error)?) -> Void: no error is success
    try await withCallback { client.removeQuote(id: 1, completion: $0.handler()) }

    // (Bool, (any Error)?) -> Void: `false` is a failure
    try await withCallback { client.save(completion: $0.successHandler()) }

    // (Bool) -> Void: likewise
    try await withCallback { client.ping(completion: $0.successHandler()) }
    // snippet.end
    show((quote, same, author))
}

func reportedFailure(client: QuoteClient) async throws {
    // snippet.REPORTED
    do {
        let text = try await withCallback(of: String.self) { callback in
            client.fetchText(completion: callback.handler(failure: ServerError.self))
        }
        show(text)
    } catch let failure as ReportedFailure<ServerError> {
        show(failure.value.code)
    }
    // snippet.end
}

extension QuoteClient {
    // snippet.PAGE
    func page(after cursor: String?) async throws -> (quotes: [Quote], cursor: String?) {
        try await withCallback { callback in self.fetchPage(after: cursor, completion: callback.handler()) }
    }
    // snippet.end
}

func nothingFound(cache: QuoteCache) async throws {
    // snippet.OPTIONAL
    let quote: Quote? = try await withCallback { callback in
        cache.find(id: 1, completion: callback.optionalHandler())
    }
    // snippet.end
    show(quote as Any)
}

func twoHandlers(client: QuoteClient) async throws {
    // snippet.TWO
    let quote = try await withCallback { callback in
        client.findQuote(id: 1, success: callback.valueHandler(), failure: callback.errorHandler())
    }
    // snippet.end
    show(quote)
}

func response(client: QuoteClient) async throws {
    // snippet.RESPONSE
    let quote = try await withCallback { callback in
        client.respond(id: 1, completion: callback.resultHandler(\.result))
    }
    // snippet.end
    show(quote)
}

func ownClosure(client: QuoteClient) async throws {
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
    show((text, rank))
    // snippet.BYHAND
    let quote = try await withCallback(of: Quote.self) { callback in
        client.ranked { @Sendable text, rank, error in
            guard let text else {
                callback.resume(throwing: error ?? QuoteError.noSuchQuote(1))
                return
            }
            callback.resume(returning: Quote(id: rank, text: text))
        }
    }
    // snippet.end
    show(quote)
}

func direct(client: QuoteClient) async throws {
    // snippet.DIRECT
    let (quote, author) = try await withCallback(of: (Quote, String).self) { callback in
        client.fetchRanked(id: 1) { @Sendable quote, author, error, _ in callback(quote, author, error: error) }
    }
    // snippet.end
    show((quote, author))
}

func answeredByATask(client: QuoteClient, id: Int) async throws {
    // snippet.TASK
    let quote = try await withCallback { callback in
        callAsync {
            try await client.quote(id: id)
        } completion: {
            callback.resume(with: $0)
        }
    } onCancel: {
        $0.cancel()
    }
    // snippet.end
    show(quote)
}

func secondAnswer(client: QuoteClient) async throws {
    let quote = try await withCallback(of: Quote?.self) { callback in
        client.fetchQuote(id: 1) { quote, error in
            // snippet.SECOND
            if let error {
                callback.resume(throwing: error)
                // A 'return' is missing here.
            }
            callback.resume(returning: quote)
            // snippet.end
        }
    }
    show(quote as Any)
}

// MARK: - Errors of a known type

@MainActor
func typed(loader: NamesLoader) async {
    var names: [String] = []
    // snippet.TYPED
    do {
        names = try await withCallback(throwing: LoaderError.self) { callback in
            loader.load(completion: callback.handler())
        }
    } catch {
        switch error {
        case .failure(let error): show(error.explanation)
        case .interruption: break  // Cancelled, dropped or timed out: there is nothing to show.
        }
    }
    // snippet.end
    show(names)
}

func mapped(loader: NamesLoader) async throws(LoaderError) -> [String] {
    // snippet.MAPPED
    do {
        return try await withCallback(throwing: LoaderError.self) { callback in
            loader.load(completion: callback.handler())
        }
    } catch {
        throw error.failure { _ in .gaveUp }
    }
    // snippet.end
}

func fault(client: QuoteClient, logger: Logger) async throws -> Quote? {
    var quote: Quote?
    let id = 1
    // snippet.FAULT
    do {
        quote = try await client.quote(id: id)
    } catch BridgeFault.timedOut {
        show("The server is slow today.")
    } catch let fault as BridgeFault {
        logger.error("\(fault)")
    }
    // snippet.end
    return quote
}

// MARK: - APIs that cannot fail

@MainActor
func nonThrowing(picker: ImagePicker) async {
    // snippet.IGNORING
    let image = await withCallback(ifInterrupted: { _ in nil }, cancellation: .ignore) { callback in
        picker.present(callback.valueHandler())
    }
    // snippet.end
    show(image as Any)
}

func interrupted(receiver: Receiver) async {
    // snippet.INTERRUPTED
    let location = await withCallback(ifInterrupted: { _ in nil }, timeout: .seconds(5)) { callback in
        receiver.locate(callback.valueHandler())
    }
    // snippet.end
    show(location as Any)
}

// MARK: - A loader that is passed around

func wrapper() async {
    // snippet.WRAPPER
    let loader: any UsersNamesLoader = makeLoader()
    let asyncLoader = AsyncAwaitWrapper(loader: loader.load)
    let result = await asyncLoader.load()
    // snippet.end
    show(result)
}

show(try await plain(client: QuoteClient(), id: 1))
try await shapes(client: QuoteClient())
show(try await QuoteClient().page(after: nil))
try await nothingFound(cache: QuoteCache())
try await reportedFailure(client: QuoteClient())
try await twoHandlers(client: QuoteClient())
try await response(client: QuoteClient())
try await ownClosure(client: QuoteClient())
try await direct(client: QuoteClient())
try await answeredByATask(client: QuoteClient(), id: 1)
await typed(loader: NamesLoader())
show(try await mapped(loader: NamesLoader()))
await nonThrowing(picker: ImagePicker())
await interrupted(receiver: Receiver())
await wrapper()

// snippet.hide
// MARK: - Stand-ins

struct Quote: Sendable {
    let id: Int
    let text: String
}

enum QuoteError: Error {
    case noSuchQuote(Int)
}

/// Called like an error, and none.
struct ServerError: Sendable {
    let code: Int
}

/// A client from before async/await; it answers later, on some thread.
final class QuoteClient: Sendable {
    private func find(_ id: Int) -> Result<Quote, any Error> {
        id == 1 ? .success(Quote(id: 1, text: "Well begun is half done.")) : .failure(QuoteError.noSuchQuote(id))
    }

    func fetchQuote(id: Int, completion: @escaping @Sendable (Quote?, (any Error)?) -> Void) {
        Task {
            switch self.find(id) {
            case .success(let quote): completion(quote, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    func findQuote(
        id: Int,
        success: @escaping @Sendable (Quote) -> Void,
        failure: @escaping @Sendable (any Error) -> Void
    ) {
        Task {
            switch self.find(id) {
            case .success(let quote): success(quote)
            case .failure(let error): failure(error)
            }
        }
    }

    struct Response: Sendable {
        let result: Result<Quote, QuoteError>
        let metrics: Duration
    }

    func respond(id: Int, completion: @escaping @Sendable (Response) -> Void) {
        Task {
            let result = self.find(id).mapError { _ in QuoteError.noSuchQuote(id) }
            completion(Response(result: result, metrics: .milliseconds(12)))
        }
    }

    func fetchText(completion: @escaping @Sendable (String?, ServerError?) -> Void) {
        Task { completion(nil, ServerError(code: 404)) }
    }

    func removeQuote(id: Int, completion: @escaping @Sendable ((any Error)?) -> Void) {
        Task { completion(nil) }
    }

    func save(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        Task { completion(true, nil) }
    }

    func ping(completion: @escaping @Sendable (Bool) -> Void) {
        Task { completion(true) }
    }

    /// Annotated with nothing, as before Swift 6.
    func ranked(completion: @escaping (_ text: String?, _ rank: Int, (any Error)?) -> Void) {
        completion("Well begun is half done.", 1, nil)
    }

    func fetchDetails(id: Int, completion: @escaping @Sendable (Quote?, String?, (any Error)?) -> Void) {
        Task { completion(try? self.find(id).get(), "Aristotle", nil) }
    }

    /// One page, which is the last.
    func fetchPage(after cursor: String?, completion: @escaping @Sendable ([Quote]?, String?, (any Error)?) -> Void) {
        Task { completion((try? self.find(1).get()).map { [$0] }, nil, nil) }
    }

    func fetchRanked(id: Int, completion: @escaping @Sendable (Quote?, String?, (any Error)?, Int) -> Void) {
        Task { completion(try? self.find(id).get(), "Aristotle", nil, 1) }
    }

    final class Request: Sendable {
        func cancel() {}
    }

    func request(id: Int, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) -> Request {
        Task { completion(self.find(id)) }
        return Request()
    }

    func quote(id: Int) async throws -> Quote { try self.find(id).get() }
}

enum LoaderError: Error {
    case gaveUp
    case refused

    var explanation: String { "\(self)" }
}

struct NamesLoader: Sendable {
    func load(completion: @escaping @Sendable (Result<[String], LoaderError>) -> Void) {
        Task { completion(.success(["Aristotle", "Ovid"])) }
    }
}

/// A cache that finds nothing.
struct QuoteCache: Sendable {
    func find(id: Int, completion: @escaping @Sendable (Quote?, (any Error)?) -> Void) {
        Task { completion(nil, nil) }
    }
}

protocol UsersNamesLoader {
    func load(completion: @escaping (Result<[String], any Error>) -> Void)
}

struct LocalNamesLoader: UsersNamesLoader {
    func load(completion: @escaping (Result<[String], any Error>) -> Void) { completion(.success(["Aristotle"])) }
}

func makeLoader() -> any UsersNamesLoader { LocalNamesLoader() }

struct Image: Sendable {
    let name: String
}

@MainActor
final class ImagePicker {
    func present(_ completion: @escaping @Sendable (Image?) -> Void) {
        Task { completion(Image(name: "cat")) }
    }
}

struct Location: Sendable {
    let latitude: Double
    let longitude: Double
}

struct Receiver: Sendable {
    func locate(_ completion: @escaping @Sendable (Location?) -> Void) {
        Task { completion(Location(latitude: 48.2, longitude: 16.4)) }
    }
}

struct Logger: Sendable {
    func error(_ message: String) { print("error: \(message)") }
}

func show(_ something: Any) { print(something) }
