// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Coming from Combine": chains of publishers, and what is written instead.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import OpenCombineShim

// snippet.ASYNCMAP
extension Publisher where Output: Sendable, Failure == any Error {
    /// Maps each element by an async function: one after the other, in the order of the elements.
    func asyncMap<NewOutput: Sendable>(
        _ transform: @escaping @Sendable (Output) async throws -> NewOutput
    ) -> some Publisher<NewOutput, any Error> {
        self.flatMap(maxPublishers: .max(1)) { element in TaskPublisher { try await transform(element) } }
    }
}
// snippet.end

struct Before {
    let client: QuoteClient

    // snippet.CHAINBEFORE
    func authors(of ids: [Int]) -> AnyPublisher<String, any Error> {
        ids.publisher
            .setFailureType(to: (any Error).self)
            .flatMap(maxPublishers: .max(1)) { id in self.client.quotePublisher(id: id) }
            .map(\.author)
            .filter { !$0.isEmpty }
            .removeDuplicates()
            .eraseToAnyPublisher()
    }
    // snippet.end
}

struct After {
    let client: QuoteClient

    // snippet.CHAINAFTER
    func authors(of ids: [Int]) async throws -> [String] {
        var authors: [String] = []
        for id in ids {
            let author = try await self.client.quote(id: id).author
            if author.isEmpty || author == authors.last { continue }
            authors.append(author)
        }
        return authors
    }
    // snippet.end
}

// snippet.SINKBEFORE
@MainActor
final class ScreenBefore {
    private var cancellables: Set<AnyCancellable> = []
    private(set) var text = ""

    func appear(_ session: SessionBefore) {
        session.states
            .removeDuplicates()
            .sink { [weak self] state in self?.text = state }
            .store(in: &self.cancellables)
    }

    func disappear() { self.cancellables = [] }
}
// snippet.end

final class SessionBefore {
    // snippet.SUBJECTBEFORE
    let states = CurrentValueSubject<String, Never>("signed out")
    // snippet.end
}

// snippet.SINKAFTER
@MainActor
final class ScreenAfter {
    private var task: Task<Void, any Error>?
    private(set) var text = ""

    func appear(_ session: SessionAfter) {
        let states = session.states.subscribe(buffering: .newest(capacity: 1))
        self.task = Task { [weak self] in for try await state in states { self?.text = state } }
    }

    func disappear() { self.task?.cancel() }
}
// snippet.end

final class SessionAfter: Sendable {
    // snippet.SUBJECTAFTER
    let states = CoBroadcast(of: String.self, current: "signed out")
    // snippet.end
}

func future(client: QuoteClient) async throws {
    // snippet.FUTUREBEFORE
    let before = Future<Quote, any Error> { promise in
        // Combine does not say that a promise may be called on any thread.
        nonisolated(unsafe) let promise = promise
        client.fetchQuote(id: 1) { promise($0) }
    }
    // snippet.end
    // snippet.FUTUREAFTER
    let after: Quote = try await withCallback { callback in client.fetchQuote(id: 1, completion: callback.handler()) }
    // snippet.end
    let value = try await before.firstValue()
    print("\(value.author), \(after.author)")
}

// snippet.TIMEOUT
func firstAuthor(_ quotes: AnyPublisher<Quote, any Error>) async throws -> String {
    let first = quotes.first().subscribeCoFuture()
    defer { first.cancel() }
    return try await select(
        .value(of: first) { $0.author },
        .after(.seconds(5)) { throw CoFutureError.timeout }
    )
}
// snippet.end

// snippet.ASYNCSINK
func archive(_ quotes: AnyPublisher<Quote, any Error>, _ store: Store) async throws {
    for try await quote in quotes.elements(buffering: .bounded(capacity: 8)) { await store.save(quote) }
}
// snippet.end

@MainActor
func screens() async {
    let (old, before) = (SessionBefore(), ScreenBefore())
    before.appear(old)
    old.states.send("signed in")
    print("before: \(before.text)")
    before.disappear()

    let (new, after) = (SessionAfter(), ScreenAfter())
    after.appear(new)
    new.states.offer("signed in")
    while after.text != "signed in" { await Task.yield() }
    print("after: \(after.text)")
    after.disappear()
    new.states.close()
}

let client = QuoteClient()
for try await author in Before(client: client).authors(of: [1, 2, 3]).elements(buffering: .bounded(capacity: 4)) {
    print(author)
}
print(try await After(client: client).authors(of: [1, 2, 3]))
let ids = [1, 3].publisher.setFailureType(to: (any Error).self)
for try await quote in ids.asyncMap({ try await client.quote(id: $0) }).elements(buffering: .bounded(capacity: 4)) {
    print(quote.author)
}
await screens()
try await future(client: client)
print(try await firstAuthor(client.quotePublisher(id: 1)))
let store = Store()
try await archive(client.quotePublisher(id: 3), store)
print(await store.count)

// snippet.hide
// MARK: - Stand-ins

struct Quote: Sendable {
    let author: String
}

struct QuoteClient: Sendable {
    func quote(id: Int) async throws -> Quote { Quote(author: id < 3 ? "Aristotle" : "Ovid") }

    func fetchQuote(id: Int, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) {
        completion(.success(Quote(author: "Aristotle")))
    }

    func quotePublisher(id: Int) -> AnyPublisher<Quote, any Error> {
        TaskPublisher { try await self.quote(id: id) }.eraseToAnyPublisher()
    }
}

actor Store {
    private(set) var count = 0

    func save(_ quote: Quote) { self.count += 1 }
}
#endif
