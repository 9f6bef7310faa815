// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Await a publisher" and "Offer a publisher".

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import Dispatch
import OpenCombineShim

struct Quote: Sendable, Equatable {
    let text: String
}

struct QuoteAPI {
    func quotes() -> AnyPublisher<Quote, any Error> {
        [Quote(text: "one"), Quote(text: "two")].publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }
}

struct QuoteClient: Sendable {
    func quote(id: Int) async throws -> Quote { Quote(text: "number \(id)") }

    func fetchQuote(id: Int, completion: @escaping @Sendable (Quote?, (any Error)?) -> Void) {
        completion(Quote(text: "number \(id)"), nil)
    }

    func watch(onQuote: @escaping @Sendable (Quote) -> Void) -> Watch {
        onQuote(Quote(text: "watched"))
        return Watch()
    }
}

struct Watch: Sendable {
    func stop() {}
}

func show(_ quote: Quote) { print(quote.text) }

// MARK: - Await a publisher

func elements(api: QuoteAPI) async throws {
    // snippet.ELEMENTS
    for try await quote in api.quotes().elements(buffering: .bounded(capacity: 16)) { show(quote) }
    // snippet.end
}

func subject(presses: PassthroughSubject<Int, Never>) async {
    // snippet.SUBJECT
    let pressed = presses.elements(buffering: .unbounded, subscribing: .immediately)
    presses.send(1)
    presses.send(2)
    presses.send(completion: .finished)
    for await button in pressed { print(button) }
    // snippet.end
}

func oneValue(api: QuoteAPI) async throws {
    // snippet.VALUE
    let first = try await api.quotes().firstValue()
    let last = try await api.quotes().lastValue()
    // snippet.end
    show(first)
    show(last)
}

func withoutTry(clicks: CurrentValueSubject<Int, Never>) async {
    // snippet.NEVER
    let count = await clicks.firstValue(ifNone: 0)
    let last = await clicks.firstValueOrNil()
    // snippet.end
    precondition(count == 2 && last == 2)
}

func future(api: QuoteAPI) async throws {
    // snippet.FUTURE
    let future = api.quotes().subscribeCoFuture()
    let quotes = api.quotes().subscribeCoChannel(buffering: .bounded(capacity: 8))
    show(try await future.value)
    for try await quote in quotes { show(quote) }
    // snippet.end
}

// MARK: - Offer a publisher

func task(client: QuoteClient) {
    // snippet.TASK
    func quotePublisher(id: Int) -> AnyPublisher<Quote, any Error> {
        TaskPublisher { try await client.quote(id: id) }.eraseToAnyPublisher()
    }
    // snippet.end
    _ = quotePublisher(id: 1)
}

// snippet.SCREEN
@MainActor
final class QuoteScreen {
    private(set) var text = ""
    private var showing: AnyCancellable?

    func show(_ quote: AnyPublisher<Quote, any Error>) {
        self.showing = quote.receive(on: DispatchQueue.main).sink { _ in
        } receiveValue: { quote in
            self.text = quote.text
        }
    }
}
// snippet.end

@MainActor
func screen(client: QuoteClient) async {
    let screen = QuoteScreen()
    screen.show(offMainQuote(client: client))
    while screen.text == "" { await Task.yield() }
    print("on the screen: \(screen.text)")
}

func offMainQuote(client: QuoteClient) -> AnyPublisher<Quote, any Error> {
    TaskPublisher { try await client.quote(id: 1) }.eraseToAnyPublisher()
}

func eager(client: QuoteClient) {
    // snippet.EAGER
    let quote = Future { try await client.quote(id: 1) }
    // snippet.end
    _ = quote
}

func stream(_ quotes: AsyncStream<Quote>) async {
    // snippet.STREAM
    let cancellable = quotes.publisher(on: MainActor.shared).sink { quote in show(quote) }
    // snippet.end
    cancellable.cancel()
}

func completionHandler(client: QuoteClient) {
    // snippet.COMPLETION
    let quote = TaskPublisher {
        try await withCallback { client.fetchQuote(id: 1, completion: $0.handler()) }
    }
    // snippet.end
    _ = quote
}

func delegate(client: QuoteClient) {
    // snippet.DELEGATE
    let quotes = CallbackSequence<Quote, any Error> { sink in
        let watch = client.watch(onQuote: sink.handler())
        return { watch.stop() }
    }
    .publisher()
    // snippet.end
    _ = quotes
}

func ofFuture(_ future: CoFuture<Quote>) {
    // snippet.PROMISE
    let publisher = future.publisher()
    // snippet.end
    _ = publisher
}

try await elements(api: QuoteAPI())
await subject(presses: PassthroughSubject())
try await oneValue(api: QuoteAPI())
await withoutTry(clicks: CurrentValueSubject(2))
try await future(api: QuoteAPI())
task(client: QuoteClient())
await screen(client: QuoteClient())
eager(client: QuoteClient())
await stream(AsyncStream { $0.finish() })
completionHandler(client: QuoteClient())
delegate(client: QuoteClient())
ofFuture(CoFuture(result: .success(Quote(text: "done"))))
#endif
