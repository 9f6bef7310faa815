// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Futures, channels, and what waits between them".

import Coroutines
import Dispatch

func twoAtOnce() {
    // snippet.FUTURES
    let first = DispatchQueue.global().coroutineFuture { try load("first") }
    let second = DispatchQueue.global().coroutineFuture { try load("second") }

    DispatchQueue.main.startCoroutine {
        let both = try first.await() + second.await()
        print(both)
    }
    // snippet.end
}

func sum(_ first: CoFuture<Int>, _ second: CoFuture<Int>) -> CoFuture<Int> {
    // snippet.COROUTINE
    let sum = DispatchQueue.global().coroutineFuture { try first.await() + second.await() }
    // snippet.end
    return sum
}

func fromACallback(client: QuoteClient) -> CoFuture<String> {
    // snippet.CALLBACK
    let quote = CoFuture(promise: { client.fetchQuote(completion: $0) })
    // snippet.end
    return quote
}

// snippet.PROMISE
func quote(_ client: QuoteClient) -> CoFuture<String> {
    let promise = CoPromise<String>()
    client.fetchQuote(completion: promise.complete)
    return promise.future
}
// snippet.end

// snippet.HANDLER
func rankedQuote(_ client: QuoteClient) -> CoFuture<String> {
    let promise = CoPromise<String>()
    client.ranked(
        completion: promise.handler { text, rank, error in
            if let error { throw error }
            return "\(rank). \(text ?? "")"
        }
    )
    return promise.future
}
// snippet.end

func producerAndConsumer() {
    // snippet.CHANNEL
    let channel = CoChannel<Int>(capacity: 1)

    DispatchQueue.global().startCoroutine {
        for number in 0..<10 { try channel.awaitSend(number) }
        channel.close()
    }

    Task {
        for try await number in channel { print(number) }
    }
    // snippet.end
}

func consumer(channel: CoChannel<Int>) -> CoroutineHandle {
    DispatchQueue.global().startCoroutine {
        // snippet.ITERATOR
        for number in channel.makeIterator() { print(number) }
        // snippet.end
    }
}

func inTurn() {
    // snippet.SERIAL
    let world = SerialScheduler()
    let channel = CoChannel<Int>(bufferType: .none)

    world.startCoroutine {
        for number in 0..<1000 { try channel.awaitSend(number) }
        channel.close()
    }
    world.startCoroutine {
        for number in channel.makeIterator() { print(number) }
    }
    // snippet.end
}

func actors() {
    // snippet.ACTOR
    enum Message: Sendable {
        case increment
        case get(CoPromise<Int>)
    }

    let counter = DispatchQueue.global().actor(of: Message.self) { messages in
        var count = 0
        for message in messages.makeIterator() {
            switch message {
            case .increment: count += 1
            case .get(let promise): promise.success(count)
            }
        }
    }
    counter.offer(.increment)
    // snippet.end
}

func newsOf(messages: CoChannel<String>, weather: CoFuture<String>) async throws -> String {
    // snippet.SELECT
    let news = try await select(
        .receive(from: messages) { "message: \($0)" },
        .value(of: weather) { "weather: \($0)" },
        .after(.seconds(10)) { "no news" }
    )
    // snippet.end
    return news
}

func next(urgent: CoChannel<Int>, ordinary: CoChannel<Int>) throws -> Int {
    // snippet.BIASED
    let next = try select(
        .receive(from: urgent) { $0 },
        .receive(from: ordinary) { $0 },
        biased: true
    )
    // snippet.end
    return next
}

func broadcast() {
    // snippet.BROADCAST
    let prices = CoBroadcast(of: Int.self, current: 100)
    let screen = prices.subscribe(bufferType: .conflated)
    let archive = prices.subscribe(bufferType: .unlimited)

    Task { for try await price in screen { print(price) } }
    prices.offer(101)
    // snippet.end
    _ = archive
}

func structured(client: QuoteClient) async throws -> (String, String) {
    // snippet.SCOPE
    let (quote, author) = try await withCoroutineScope { scope in
        let quote = scope.future(on: DispatchQueue.global()) { try loadQuote() }
        let author = scope.future { try await client.author() }
        return (try await quote.value, try await author.value)
    }
    // snippet.end
    return (quote, author)
}

func transfer(bank: Bank) async throws {
    // snippet.MUTEX
    let account = CoMutex(100)

    try await account.withLock { balance in
        guard try await bank.allows(30) else { return }
        balance -= 30
    }
    // snippet.end
}

func limited(url: String) async throws -> [UInt8] {
    // snippet.SEMAPHORE
    let downloads = CoSemaphore(permits: 4)

    let data = try await downloads.withPermit { try await download(url) }
    // snippet.end
    return data
}

// MARK: - Stand-ins

struct QuoteClient: Sendable {
    func fetchQuote(completion: @escaping @Sendable (Result<String, any Error>) -> Void) { completion(.success("…")) }
    /// Annotated with nothing, as before Swift 6.
    func ranked(completion: @escaping (_ text: String?, _ rank: Int, (any Error)?) -> Void) { completion("…", 1, nil) }
    func author() async throws -> String { "…" }
}

struct Bank: Sendable {
    func allows(_ amount: Int) async throws -> Bool { amount > 0 }
}

func load(_ name: String) throws -> String { name }

func loadQuote() throws -> String { "…" }

func download(_ url: String) async throws -> [UInt8] { Array(url.utf8) }
