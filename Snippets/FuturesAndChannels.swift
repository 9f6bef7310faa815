// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Futures and channels": what needs no coroutine. `Coroutines` is not imported here, so that none of it needs that.

import AsyncBridgeFutures
import Synchronization

func fromATask(client: QuoteClient) async throws {
    // snippet.OPERATION
    let quote = CoFuture { try await client.quote() }

    quote.whenSuccess { print($0) }
    print(try await quote.value)
    // snippet.end
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
    client.fetchQuote(completion: promise.handler { try $0.get() })
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

func typed(client: QuoteClient) -> CoFuture<Int> {
    // snippet.TYPED
    let rating = CoPromise<Int>()
    client.fetchRating(completion: rating.handler { try $0.get() })  // A Result<Int, Unavailable>.
    // snippet.end
    return rating.future
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

// snippet.MAINACTOR
@MainActor
final class QuoteLabel {
    private(set) var text = ""

    func show(_ quote: CoFuture<String>) async {
        do { self.text = try await quote.value } catch { self.text = "no quote: \(error)" }
    }

    func showLater(_ quote: CoFuture<String>) {
        quote.whenSuccess { text in
            Task { @MainActor in self.text = text }
        }
    }
}
// snippet.end

func policies(upload: CoFuture<Int>) async throws -> Int {
    // snippet.POLICY
    let size = try await upload.value(cancellation: .propagate)
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

func senderAndReceiver() async throws {
    // snippet.CHANNEL
    let channel = CoChannel<Int>(buffering: .bounded(capacity: 1))

    Task {
        for number in 0..<10 { try await channel.send(number) }
        channel.close()
    }

    for try await number in channel { print(number) }
    // snippet.end
}

func halves() -> CoChannel<Int>.Receiver {
    // snippet.HALVES
    let (receiver, sender) = CoChannel<Int>(buffering: .bounded(capacity: 8)).pair

    Task {
        for number in 0..<100 { try await sender.send(number) }
        sender.close()
    }
    // snippet.end
    return receiver
}

func files() -> CoChannel<File> {
    // snippet.UNDELIVERED
    let files = CoChannel<File>(buffering: .bounded(capacity: 4), onUndelivered: { file in file.close() })
    // snippet.end
    return files
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

func next(urgent: CoChannel<Int>, ordinary: CoChannel<Int>) async throws -> Int {
    // snippet.BIASED
    let next = try await select(
        .receive(from: urgent) { $0 },
        .receive(from: ordinary) { $0 },
        biased: true
    )
    // snippet.end
    return next
}

func nextOfAMember(urgent: CoChannel<Int>, ordinary: CoChannel<Int>) async throws -> Int {
    // snippet.FIRST
    let next = try await SelectBranch.first(.receive(from: urgent) { $0 }, .receive(from: ordinary) { $0 })
    // snippet.end
    return next
}

// snippet.MEMBER
struct Player {
    let messages: CoChannel<String>

    /// A member of that name hides the function.
    func select(_ column: String) -> String { column }

    func message() async throws -> String {
        try await AsyncBridgeFutures.select(
            .receive(from: self.messages) { $0 },
            .after(.seconds(10)) { "no message" }
        )
    }
}
// snippet.end

func broadcast() {
    // snippet.BROADCAST
    let prices = CoBroadcast(of: Int.self, current: 100)
    let screen = prices.subscribe(buffering: .newest(capacity: 1))
    let archive = prices.subscribe(buffering: .unbounded)

    Task { for try await price in screen { print(price) } }
    prices.offer(101)
    // snippet.end
    _ = archive
}

func failing(sensor: Sensor, readings: CoBroadcast<Int>) {
    // snippet.FAILURE
    sensor.onFailure { error in readings.close(throwing: error) }
    // snippet.end
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

func limitedInTime(url: String, downloads: CoSemaphore) async throws -> [UInt8]? {
    // snippet.LOCKTIMEOUT
    do {
        return try await downloads.withPermit(timeout: .seconds(5)) { try await download(url) }
    } catch BridgeFault.timedOut {
        return nil
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

// snippet.SCREEN
final class QuoteScreen: Sendable {
    private let scope = CoScope()

    func appear() {
        CoFuture { [weak self] in
            let quote = try await QuoteClient.shared.quote()
            self?.show(quote)
        }
        .added(to: self.scope)
    }

    func disappear() { self.scope.cancel() }

    func show(_ quote: String) { print(quote) }
}
// snippet.end

func atOnce() {
    // snippet.IMMEDIATE
    ImmediateScheduler().scheduleTask { print("before scheduleTask returns") }
    // snippet.end
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
let promise = CoPromise<String>()
observed(quote: promise)
promise.success("Well begun is half done.")
try await inATask(quote: promise)
try await fromATask(client: client)
let made = [fromACallback(client: client), quote(client), rankedQuote(client)]
let values = try await CoFuture.all(made).value
precondition(values == ["quote", "quote", "1. quote"])
let rating = try await typed(client: client).value
precondition(rating == 5)
let label = QuoteLabel()
await label.show(promise)
precondition(label.text == "Well begun is half done.")
label.showLater(CoFuture(result: .success("later")))
while label.text != "later" { await Task.yield() }
let size = try await policies(upload: CoFuture(result: .success(1)))
precondition(size == 1)
let line = try await chain(quote: promise, client: client).value
precondition(line == "Well begun is half done. (Aristotle)")
let quotes = try await all(ids: [1, 2, 3], client: client)
precondition(quotes == ["quote 1", "quote 2", "quote 3"])
let first = try await firstAnswer(servers: [client, client])
precondition(first == "quote 1")

try await senderAndReceiver()
var numbers: [Int] = []
for try await number in halves() { numbers.append(number) }
precondition(numbers == Array(0..<100))
let closed = File()
let channel = files()
channel.offer(closed)
channel.cancel()
precondition(closed.isClosed.withLock { $0 })
let isSent = try await sendOrGiveUp(number: 1, channel: CoChannel(buffering: .bounded(capacity: 1)))
precondition(isSent)
let message = CoChannel<String>(buffering: .bounded(capacity: 1))
message.offer("hello")
let news = try await newsOf(messages: message, weather: CoPromise<String>())
precondition(news == "message: hello")
message.offer("hello")
let played = try await Player(messages: message).message()
precondition(played == "hello")
let urgent = CoChannel<Int>(buffering: .bounded(capacity: 1))
urgent.offer(1)
let chosen = try await next(urgent: urgent, ordinary: urgent)
precondition(chosen == 1)
broadcast()
try await transfer(bank: Bank())
let data = try await limited(url: "url")
let dataInTime = try await limitedInTime(url: "url", downloads: CoSemaphore(permits: 1))
precondition(dataInTime == data)
precondition(data == Array("url".utf8))
let screen = QuoteScreen()
screen.appear()
screen.disappear()
atOnce()
let inTime = try await timeout(quote: promise)
precondition(inTime == "Well begun is half done.")
let atLast = try await quoteAtLast(QuoteClient(failures: 1))
precondition(atLast == "quote")
let texts = CoChannel<String>(buffering: .newest(capacity: 1))
for text in ["Q", "Qu", "Quo"] { texts.offer(text) }
let quiet = try await whenQuiet(texts)
precondition(quiet == "Quo")

// snippet.hide
// MARK: - Stand-ins

struct Unavailable: Error {}

struct Sensor {
    func onFailure(_ handler: @escaping @Sendable (any Error) -> Void) {}
}

final class QuoteClient: Sendable {
    static let shared = QuoteClient()

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

    func fetchQuote(completion: @escaping @Sendable (Result<String, any Error>) -> Void) {
        completion(.success("quote"))
    }

    /// Annotated with nothing, as before Swift 6.
    func ranked(completion: @escaping (_ text: String?, _ rank: Int, (any Error)?) -> Void) {
        completion("quote", 1, nil)
    }

    func fetchRating(completion: @escaping @Sendable (Result<Int, Unavailable>) -> Void) { completion(.success(5)) }
}

struct Bank: Sendable {
    func allows(_ amount: Int) async throws -> Bool { amount > 0 }
}

func download(_ url: String) async throws -> [UInt8] { Array(url.utf8) }

final class File: Sendable {
    let isClosed = Mutex(false)

    func close() { self.isClosed.withLock { $0 = true } }
}
