// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Futures and channels".

import Coroutines
import Dispatch
import Synchronization

func inACoroutine(quote: CoFuture<String>) -> CoroutineHandle {
    // snippet.AWAIT
    DispatchQueue.main.startCoroutine { print(try quote.await()) }
    // snippet.end
}

func inATask(quote: CoFuture<String>) async throws {
    // snippet.VALUE
    print(try await quote.value)
    // snippet.end
}

func observed(quote: CoFuture<String>) {
    // snippet.OBSERVE
    quote.whenComplete { result in print(result) }
    // snippet.end
}

func fromATask(client: QuoteClient) -> CoFuture<String> {
    // snippet.OPERATION
    let quote = CoFuture { try await client.quote() }
    // snippet.end
    return quote
}

func policies(upload: CoFuture<Int>) async throws -> Int {
    // snippet.POLICY
    let size = try await upload.value(onCancel: .propagate)
    // snippet.end
    return size
}

func chain(quote: CoFuture<String>, client: QuoteClient) -> CoFuture<String> {
    // snippet.CHAIN
    let line =
        quote
        .flatMap { quote in client.author(of: quote).map { "\(quote) (\($0))" } }
        .recover { error in "no quote: \(error)" }
    // snippet.end
    return line
}

func all(ids: [Int], client: QuoteClient) async throws -> [String] {
    // snippet.ALL
    let quotes = try await CoFuture.all(ids.map { client.quote(id: $0) }).value
    // snippet.end
    return quotes
}

func firstAnswer(servers: [QuoteClient]) async throws -> String {
    // snippet.ANY
    let first = try await CoFuture.any(servers.map { $0.quote(id: 1) }).value
    // snippet.end
    return first
}

func halves() -> CoChannel<Int>.Receiver {
    // snippet.HALVES
    let (receiver, sender) = CoChannel<Int>(capacity: 8).pair

    DispatchQueue.global().startCoroutine {
        for number in 0..<100 { try sender.awaitSend(number) }
        sender.close()
    }
    // snippet.end
    return receiver
}

func files() -> CoChannel<File> {
    // snippet.UNDELIVERED
    let files = CoChannel<File>(capacity: 4, onUndelivered: { file in file.close() })
    // snippet.end
    return files
}

func sendOrGiveUp(number: Int, channel: CoChannel<Int>) async throws -> Bool {
    // snippet.SENDORNOT
    let isSent = try await select(
        .send(number, to: channel) { true },
        .after(.seconds(1)) { false }
    )
    // snippet.end
    return isSent
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

func timeout(quote: CoFuture<String>) async throws -> String {
    // snippet.TIMEOUT
    let text = try await select(
        .value(of: quote) { $0 },
        .after(.seconds(5)) { throw CoFutureError.timeout }
    )
    // snippet.end
    return text
}

// snippet.RETRY
func quoteAtLast(_ client: QuoteClient) async throws -> String {
    var pause = Duration.milliseconds(100)
    for _ in 1..<5 {
        do { return try await client.quote() } catch is CancellationError { throw CancellationError() } catch {}
        try await Task.sleep(for: pause * Double.random(in: 0.5...1))
        pause *= 2
    }
    return try await client.quote()
}
// snippet.end

// snippet.DEBOUNCE
func whenQuiet(_ texts: CoChannel<String>) async throws -> String {
    var newest = try await texts.receive()
    // The end of the channel is no error here: what came before counts.
    while let next = try await select(.result(from: texts) { try? $0.get() }, .after(.milliseconds(300)) { nil }) {
        newest = next
    }
    return newest
}
// snippet.end

let client = QuoteClient()
let quote = CoPromise<String>()
let end = CoFuture<Void>(promise: { done in inACoroutine(quote: quote).whenComplete { done(.success(())) } })
observed(quote: quote)
quote.success("Well begun is half done.")
try await end.value
try await inATask(quote: quote)
let ofATask = try await fromATask(client: client).value
precondition(ofATask == "quote")
let size = try await policies(upload: CoFuture(result: .success(1)))
precondition(size == 1)
let line = try await chain(quote: quote, client: client).value
precondition(line == "Well begun is half done. (Aristotle)")
let quotes = try await all(ids: [1, 2, 3], client: client)
precondition(quotes == ["quote 1", "quote 2", "quote 3"])
let first = try await firstAnswer(servers: [client, client])
precondition(first == "quote 1")

var numbers: [Int] = []
for try await number in halves() { numbers.append(number) }
precondition(numbers == Array(0..<100))
let closed = File()
let channel = files()
channel.offer(closed)
channel.cancel()
precondition(closed.isClosed.withLock { $0 })
let isSent = try await sendOrGiveUp(number: 1, channel: CoChannel(capacity: 1))
precondition(isSent)
let several = try await supervised(ids: [1, 2], client: client)
precondition(several == ["quote 1", "quote 2"])
let inTime = try await timeout(quote: quote)
precondition(inTime == "Well begun is half done.")
let atLast = try await quoteAtLast(QuoteClient(failures: 1))
precondition(atLast == "quote")
let texts = CoChannel<String>(bufferType: .conflated)
for text in ["Q", "Qu", "Quo"] { texts.offer(text) }
let typed = try await whenQuiet(texts)
precondition(typed == "Quo")

// snippet.hide
// MARK: - Stand-ins

struct Unavailable: Error {}

final class QuoteClient: Sendable {
    private let failures: Mutex<Int>

    init(failures: Int = 0) { self.failures = Mutex(failures) }

    func quote() async throws -> String {
        let fails = self.failures.withLock { failures in
            failures -= 1
            return failures >= 0
        }
        if fails { throw Unavailable() }
        return "quote"
    }

    func quote(id: Int) -> CoFuture<String> { CoFuture(result: .success("quote \(id)")) }

    func author(of quote: String) -> CoFuture<String> { CoFuture(result: .success("Aristotle")) }
}

final class File: Sendable {
    let isClosed = Mutex(false)

    func close() { self.isClosed.withLock { $0 = true } }
}
