// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The examples in the documentation of AsyncBridgeCombine.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import Coroutines
import Dispatch
import OpenCombineShim

struct Contact: Sendable {
    let name: String
}

@MainActor
final class Map {
    func show(_ location: Int) { print(location) }
    func hidePointer() { print("hidden") }
}

struct ContactsAPI: Sendable {
    func fetchContacts() async throws -> [Contact] { [Contact(name: "Ada")] }

    // snippet.TASK
    func fetchContacts() -> AnyPublisher<[Contact], any Error> {
        TaskPublisher { try await self.fetchContacts() }.eraseToAnyPublisher()
    }
    // snippet.end

    func eager() {
        // snippet.EAGER
        let contacts = Future { try await self.fetchContacts() }
        // snippet.end
        _ = contacts
    }
}

func show(_ text: String) { print(text) }

func elements(quotes: AnyPublisher<String, any Error>) async throws {
    // snippet.ELEMENTS
    for try await quote in quotes.elements(buffering: .bounded(capacity: 16)) { show(quote) }
    // snippet.end
}

func sequence() async {
    // snippet.SEQUENCE
    let numbers = [1, 2, 3].publisher
    for await number in numbers.elements(buffering: .bounded(capacity: 8)) { print(number) }
    // snippet.end
}

func hot(presses: PassthroughSubject<Int, Never>) async {
    // snippet.HOT
    let pressed = presses.elements(buffering: .unbounded, subscribing: .immediately)
    let task = Task {
        for await button in pressed { print(button) }
    }
    // snippet.end
    presses.send(1)
    presses.send(completion: .finished)
    await task.value
}

func never(clicks: CurrentValueSubject<Int, Never>) async {
    // snippet.NEVER
    let count = await clicks.firstValue(ifNone: 0)
    // snippet.end
    print(count)
}

@MainActor
func publisher(locations: AsyncStream<Int>, map: Map) {
    // snippet.PUBLISHER
    let subscription = locations.publisher(on: MainActor.shared).sink { completion in
        map.hidePointer()
    } receiveValue: { location in
        map.show(location)
    }
    // snippet.end
    _ = subscription
}

@MainActor
func callersActor(locations: AsyncStream<Int>, map: Map) {
    var subscriptions: Set<AnyCancellable> = []
    // snippet.TOPUBLISHER
    locations.toPublisher().sink { location in map.show(location) }.store(in: &subscriptions)
    // snippet.end
}

func value(api: ContactsAPI) async throws {
    // snippet.VALUE
    let publisher: AnyPublisher<[Contact], any Error> = api.fetchContacts()
    let contacts = try await publisher.firstValue()
    // snippet.end
    show("\(contacts.count)")
}

func future(publisher: AnyPublisher<String, any Error>) throws {
    // snippet.FUTURE
    let future = publisher.map(\.count).subscribeCoFuture()
    let count = try future.await()
    // snippet.end
    show("\(count)")
}

func channel(publisher: AnyPublisher<String, any Error>) async throws {
    // snippet.CHANNEL
    let quotes = publisher.subscribeCoChannel(buffering: .bounded(capacity: 16))
    for try await quote in quotes { show(quote) }
    // snippet.end
}

func result(future: CoFuture<String>) {
    // snippet.RESULT
    let subscription = future.publisher().map(\.count).sink { completion in
        print(completion)
    } receiveValue: { count in
        print(count)
    }
    // snippet.end
    _ = subscription
}

func scheduler(publisher: AnyPublisher<String, Never>, workers: DispatchQueue) {
    // snippet.SCHEDULER
    let subscription = publisher.receive(on: workers.forPublishers).sink { show($0) }
    // snippet.end
    _ = subscription
}

let quotes = ["a", "b"].publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
try await elements(quotes: quotes)
await sequence()
await hot(presses: PassthroughSubject())
await never(clicks: CurrentValueSubject(2))
publisher(locations: AsyncStream { $0.finish() }, map: Map())
callersActor(locations: AsyncStream { $0.finish() }, map: Map())
try await value(api: ContactsAPI())
ContactsAPI().eager()
try await withCoroutine { try future(publisher: quotes) }
try await channel(publisher: quotes)
result(future: CoFuture(result: .success("done")))
scheduler(publisher: Just("scheduled").eraseToAnyPublisher(), workers: DispatchQueue(label: "workers"))
#endif
