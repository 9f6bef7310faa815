// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Write the bridge for me": macros that write a function's twin in the other style.

#if Macros
import AsyncBridgeMacros

// MARK: One function

extension QuoteClient {
    @Bridged
    func quote(id: Int, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) -> QuoteRequest {
        self.send(id) { completion($0) }
    }
}

// MARK: The other way

struct QuoteStore: Sendable {
    /// The best quote.
    @Bridged
    func best() async throws -> Quote { Quote(text: "the best") }
}

// MARK: What the macro cannot know

typealias QuoteHandler = (Quote?, (any Error)?) -> Void

extension QuoteClient {
    @Bridged(delivers: ((Quote?, (any Error)?) -> Void).self)
    func find(id: Int, completion: @escaping QuoteHandler) { completion(Quote(text: "\(id)"), nil) }

    @Bridged(.cancel { $0.stop() })
    func watch(id: Int, completion: @escaping @Sendable (Quote) -> Void) -> QuoteWatch {
        completion(Quote(text: "\(id)"))
        return QuoteWatch()
    }

    @Bridged(ifInterrupted: 0)
    func count(completion: @escaping @Sendable (Int) -> Void) { completion(1) }

    @Bridged(.unchecked)
    func portrait(completion: @escaping (Image?, (any Error)?) -> Void) { completion(Image(), nil) }

    @Bridged(.cooperative, timeout: .seconds(30))
    func save(_ quote: Quote, completion: @escaping @Sendable ((any Error)?) -> Void) { completion(nil) }
}

// MARK: Whole types and protocols

@BridgedMembers
extension QuoteClient {
    func first(completion: @escaping @Sendable (Quote?, (any Error)?) -> Void) { completion(Quote(text: "first"), nil) }

    func remove(id: Int, completion: @escaping @Sendable ((any Error)?) -> Void) { completion(nil) }
}

@BridgedProtocol
protocol QuoteLoader {
    func load(id: Int, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void)
}

// MARK: Delegates

@DelegateEvents
final class ReceiverEvents: LocationReceiverDelegate, Sendable {
    func receiver(_ receiver: LocationReceiver, didUpdate location: Location)
    func receiver(_ receiver: LocationReceiver, didFail error: any Error)
}

func follow(_ receiver: LocationReceiver) async {
    for await event in ReceiverEvents().events(attach: { receiver.delegate = $0 }) {
        switch event {
        case .didUpdate(let location): print(location.name)
        case .didFail(let error): return print(error)
        }
    }
}

// snippet.hide

struct Quote: Sendable, Equatable {
    let text: String
}

/// Not Sendable.
final class Image {}

final class QuoteRequest: Sendable {
    func cancel() {}
}

final class QuoteWatch: Sendable {
    func stop() {}
}

struct QuoteClient: Sendable {
    func send(_ id: Int, _ completion: (Result<Quote, any Error>) -> Void) -> QuoteRequest {
        completion(.success(Quote(text: "number \(id)")))
        return QuoteRequest()
    }
}

struct Loader: QuoteLoader {
    func load(id: Int, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) {
        completion(.success(Quote(text: "loaded")))
    }
}

struct Location: Sendable {
    let name: String
}

protocol LocationReceiverDelegate: AnyObject, Sendable {
    func receiver(_ receiver: LocationReceiver, didUpdate location: Location)
    func receiver(_ receiver: LocationReceiver, didFail error: any Error)
}

final class LocationReceiver: Sendable {
    var delegate: (any LocationReceiverDelegate)? {
        get { nil }
        set {
            newValue?.receiver(self, didUpdate: Location(name: "Lisbon"))
            newValue?.receiver(self, didFail: CancellationError())
        }
    }
}

let client = QuoteClient()
print(try await client.quote(id: 1).text, try await client.find(id: 2).text, try await client.watch(id: 3).text)
print(await client.count(), try await client.first().text, try await Loader().load(id: 4).text)
_ = try await client.portrait()
try await client.save(Quote(text: "new"))
try await client.remove(id: 5)
let best = try await withCallback { callback in QuoteStore().best(completion: callback.handler()) }
print(best.text)
await follow(LocationReceiver())
#endif
