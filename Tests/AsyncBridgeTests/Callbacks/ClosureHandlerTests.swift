// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing
import UnannotatedLibrary

@Suite("Handlers made out of a closure", .timeLimit(.minutes(10)))
struct ClosureHandlerTests {
    static let error = APIError(code: 5)

    // MARK: Any number of values

    @Test func `take any number of values`() async throws {
        func none(_ completion: @escaping () -> Void) { completion() }
        func one(_ completion: @escaping (Int) -> Void) { completion(1) }
        func two(_ completion: @escaping (Int, String?) -> Void) { completion(1, "b") }
        func three(_ completion: @escaping @Sendable (String?, Int, (any Error)?) -> Void) { completion("a", 2, nil) }
        func seven(_ completion: @escaping (Int, Int, Int, Int, Int, Int, Int) -> Void) {
            completion(1, 2, 3, 4, 5, 6, 7)
        }
        #expect(try await withCallback { callback in none(callback.handler { "none" }) } == "none")
        #expect(try await withCallback { callback in one(callback.handler { $0 + 1 }) } == 2)
        #expect(try await withCallback { callback in two(callback.handler { "\($0)\($1 ?? "")" }) } == "1b")
        let (text, rank) = try await withCallback { callback in
            three(
                callback.handler { text, rank, error in
                    if let error { throw error }
                    return (text ?? "", rank)
                }
            )
        }
        #expect(text == "a")
        #expect(rank == 2)
        #expect(
            try await withCallback { callback in seven(callback.handler { $0 + $1 + $2 + $3 + $4 + $5 + $6 }) } == 28
        )
    }

    @Test func `may say nothing`() async throws {
        func none(_ completion: @escaping () -> Void) { completion() }
        let calls = Log<Void>()
        try await withCallback { callback in none(callback.handler { calls(()) }) }
        #expect(calls.count == 1)
    }

    @Test func `take and make values that are not sendable`() async throws {
        let library = OldLibrary()
        let copy = try await withCallback { callback in
            library.record("x", callback.handler { OldLibrary.Record(text: $0.text + "!") })
        }
        copy.text += "!"
        #expect(copy.text == "x!!")
    }

    @Test func `take a function by its name`() async throws {
        @Sendable func decode(_ text: String?, _ error: (any Error)?) throws -> Int {
            guard let text, let number = Int(text) else { throw error ?? Self.error }
            return number
        }
        func old(_ text: String?, _ completion: @escaping (String?, (any Error)?) -> Void) { completion(text, nil) }
        #expect(try await withCallback { callback in old("12", callback.handler(decode)) } == 12)
        await #expect(throws: Self.error) {
            try await withCallback(of: Int.self) { callback in old("x", callback.handler(decode)) }
        }
    }

    // MARK: Errors

    @Test func `throw what the closure throws`() async {
        func old(_ completion: @escaping (Int?, (any Error)?) -> Void) { completion(nil, nil) }
        await #expect(throws: Self.error) {
            try await withCallback(of: Int.self) { callback in
                old(
                    callback.handler { value, _ in
                        guard let value else { throw Self.error }
                        return value
                    }
                )
            }
        }
    }

    @Test(arguments: [nil, error])
    func `throw errors of a known type`(_ error: APIError?) async {
        func old(_ completion: @escaping (Int, APIError?) -> Void) { completion(1, error) }
        let result = await asResult { () async throws(BridgeError<APIError>) in
            try await withCallback(of: Int.self, throwing: APIError.self) { callback in
                old(
                    callback.handler { value, error throws(APIError) in
                        if let error { throw error }
                        return value
                    }
                )
            }
        }
        #expect(
            result.mapError { $0.failure { _ in APIError(code: -1) } } == (error.map { .failure($0) } ?? .success(1))
        )
    }

    @Test func `throw nothing where nothing can fail`() async {
        func old(_ completion: @escaping (Int, Int) -> Void) { completion(1, 2) }
        let sum = await withCallback(ifInterrupted: { _ in -1 }) { callback in old(callback.handler { $0 + $1 }) }
        #expect(sum == 3)
    }

    // MARK: Laws

    @Test func `answer once and hand back the rest`() {
        let exchange = Exchange<Int>(start: { callback in
            let handler: @Sendable (Int) -> Void = callback.handler(line: 79) { number in
                if number == 3 { throw Self.error }
                return number
            }
            for number in 1...3 { handler(number) }
        })
        exchange.wait.turn()
        #expect(exchange.undelivered.all == [2])
        // Each place is reported once.
        #expect(exchange.place.reports.map { $0.involved.map(\.line) } == [[79, 79]])
    }

    @Test func `keep the callback and drop it when they go`() {
        let handler = Slot<@Sendable (Int) -> Void>()
        let exchange = Exchange<Int>(start: { handler.put($0.handler { $0 }) })
        exchange.wait.turn()
        exchange.callback.take()
        exchange.wait.turn()
        #expect(!exchange.wait.hasEnded)
        handler.take()
        exchange.wait.turn()
        #expect(throws: BridgeFault(.callbackDropped, made: exchange.place.site)) { try exchange.wait.get() }
    }
}

/// Against a library that says nothing of its threads, in code of the main actor.
@MainActor
@Suite("Handlers of a library from before Swift 6", .timeLimit(.minutes(10)))
struct UnannotatedLibraryTests {
    private let library = OldLibrary()

    @Test func `await it`() async throws {
        let (text, rank) = try await withCallback { callback in
            self.library.ranked(
                "a",
                nil,
                callback.handler { text, rank, error in
                    if let error { throw error }
                    return (text ?? "", rank)
                }
            )
        }
        #expect(text == "a")
        #expect(rank == 3)
        try await withCallback { callback in self.library.ping(callback.handler()) }
    }

    @Test func `iterate over it`() async throws {
        let (sequence, sink) = CallbackSequence<String, any Error>.makeSequence()
        sink.onTermination { _ in }
        self.library.watch(3, sink.handler { text, number in "\(text) \(number)" }, sink.completionHandler())
        var texts: [String] = []
        for try await text in sequence { texts.append(text) }
        #expect(texts == ["text 0", "text 1", "text 2"])
    }
}
