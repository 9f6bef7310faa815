// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Futures and channels", in coroutines.

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

func inACoroutine(quote: CoFuture<String>) -> CoroutineHandle {
    // snippet.AWAIT
    DispatchQueue.main.startCoroutine { print(try quote.await()) }
    // snippet.end
}

func producer(channel: CoChannel<Int>) {
    // snippet.CHANNEL
    DispatchQueue.global().startCoroutine {
        for number in 0..<10 { try channel.awaitSend(number) }
        channel.close()
    }
    // snippet.end
}

func consumer(channel: CoChannel<Int>) -> CoroutineHandle {
    DispatchQueue.global().startCoroutine {
        // snippet.ITERATOR
        while let number = try channel.awaitNext() { print(number) }
        // snippet.end
    }
}

func inTurn() {
    // snippet.SERIAL
    let world = SerialScheduler()
    let channel = CoChannel<Int>(buffering: .rendezvous)

    world.startCoroutine {
        for number in 0..<1000 { try channel.awaitSend(number) }
        channel.close()
    }
    world.startCoroutine {
        while let number = try channel.awaitNext() { print(number) }
    }
    // snippet.end
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

func supervised(ids: [Int], client: QuoteClient) async throws -> [String] {
    // snippet.SUPERVISE
    let quotes = try await withCoroutineScope(.supervise) { scope in
        let quotes = ids.map { id in scope.future { try await client.quote(id: id).value } }
        return try await CoFuture.settled(quotes).value.compactMap { try? $0.get() }
    }
    // snippet.end
    return quotes
}

let client = QuoteClient()
let quote = CoPromise<String>()
let coroutine = inACoroutine(quote: quote)
quote.success("Well begun is half done.")
await coroutine.finished()
let channel = CoChannel<Int>(buffering: .bounded(capacity: 1))
producer(channel: channel)
var numbers: [Int] = []
for try await number in channel { numbers.append(number) }
precondition(numbers == Array(0..<10))
let pair = try await structured(client: client)
precondition(pair == ("…", "…"))
let several = try await supervised(ids: [1, 2], client: client)
precondition(several == ["quote 1", "quote 2"])

// snippet.hide
// MARK: - Stand-ins

struct QuoteClient: Sendable {
    func author() async throws -> String { "…" }

    func quote(id: Int) -> CoFuture<String> { CoFuture(result: .success("quote \(id)")) }
}

func load(_ name: String) throws -> String { name }

func loadQuote() throws -> String { "…" }
