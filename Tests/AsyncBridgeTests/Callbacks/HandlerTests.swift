// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// What an answer came to, comparable.
enum Answer<Value: Equatable & Sendable>: Equatable, Sendable {
    case value(Value)
    case error(Int)
    case fault(BridgeFault.Code)
    case other(String)

    /// Answers one `withCallback` in its start.
    static func of(_ answer: (Callback<Value, any Error>) -> Void) async -> Self {
        do { return .value(try await withCallback(of: Value.self, answer)) } catch {
            return self.of(error)
        }
    }

    static func of(_ error: any Error) -> Self {
        switch error {
        case let error as APIError: .error(error.code)
        case let fault as BridgeFault: .fault(fault.code)
        default: .other("\(error)")
        }
    }
}

@Suite("Handlers", .timeLimit(.minutes(10)))
struct HandlerTests {
    static let error = APIError(code: 5)

    @Test(arguments: [Result<Int, APIError>.success(1), .failure(error)])
    func `(Result) -> Void`(_ result: Result<Int, APIError>) async {
        let untyped = await Answer<Int>.of { callback in callback.handler()(result.mapError { $0 }) }
        #expect(untyped == ((try? result.get()).map { .value($0) } ?? .error(5)))
        let typed = await asResult { () async throws(BridgeError<APIError>) in
            try await withCallback(throwing: APIError.self) { callback in
                let handler: @Sendable (Result<Int, APIError>) -> Void = callback.handler()
                handler(result)
            }
        }
        #expect(typed.mapError { $0.failure { _ in APIError(code: -1) } } == result)
    }

    @Test func `value handler takes a value`() async {
        #expect(await Answer<Int>.of { $0.valueHandler()(3) } == .value(3))
        #expect(await withCallback(ifInterrupted: { _ in -1 }) { callback in callback.valueHandler()(4) } == 4)
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        var value: Int?
        var fails: Bool
        var policy: ValueAndErrorPolicy?
        var answer: Answer<Int>

        var error: (any Error)? { self.fails ? HandlerTests.error : nil }

        var testDescription: String { "\(self.value as Any), error \(self.fails), \(self.policy as Any)" }
    }

    static let pairs: [Pair] = [
        Pair(value: 1, fails: false, policy: nil, answer: .value(1)),
        Pair(value: nil, fails: true, policy: nil, answer: .error(5)),
        Pair(value: 1, fails: true, policy: nil, answer: .error(5)),
        Pair(value: 1, fails: true, policy: .errorWins, answer: .error(5)),
        Pair(value: 1, fails: true, policy: .valueWins, answer: .value(1)),
        Pair(value: nil, fails: true, policy: .valueWins, answer: .error(5)),
        Pair(value: 1, fails: false, policy: .valueWins, answer: .value(1)),
        Pair(value: nil, fails: false, policy: nil, answer: .fault(.noResult)),
        Pair(value: nil, fails: false, policy: .valueWins, answer: .fault(.noResult)),
    ]

    @Test(arguments: pairs)
    func `(Value?, Error?) -> Void`(_ pair: Pair) async {
        let answer = await Answer<Int>.of { callback in
            let handler: @Sendable (Int?, (any Error)?) -> Void =
                if let policy = pair.policy { callback.handler(both: policy) } else { callback.handler() }
            handler(pair.value, pair.error)
        }
        #expect(answer == pair.answer)
    }

    @Test(arguments: pairs)
    func `(Error?, Value?) -> Void`(_ pair: Pair) async {
        let answer = await Answer<Int>.of { callback in
            let handler: @Sendable ((any Error)?, Int?) -> Void =
                if let policy = pair.policy { callback.handler(both: policy) } else { callback.handler() }
            handler(pair.error, pair.value)
        }
        #expect(answer == pair.answer)
    }

    /// As an API declares it: the compiler picks the handler.
    @Test func `fit an API's parameter`() async throws {
        func old(_ completion: @escaping @Sendable (String?, (any Error)?) -> Void) { completion("x", nil) }
        func older(_ completion: @escaping ((any Error)?, String?) -> Void) { completion(nil, "y") }
        #expect(try await withCallback { callback in old(callback.handler()) } == "x")
        #expect(try await withCallback { callback in older(callback.handler()) } == "y")
    }

    @Test(arguments: [false, true])
    func `(Error?) -> Void`(fails: Bool) async {
        let answer = await Self.ofVoid { callback in
            let handler: @Sendable ((any Error)?) -> Void = callback.handler()
            handler(fails ? Self.error : nil)
        }
        #expect(answer == (fails ? .error(5) : .value(true)))
    }

    @Test(arguments: [false, true], [false, true])
    func `(Bool, Error?) -> Void, where false is failure`(_ succeeded: Bool, fails: Bool) async {
        let answer = await Self.ofVoid { callback in callback.successHandler()(succeeded, fails ? Self.error : nil) }
        #expect(answer == (fails ? .error(5) : succeeded ? .value(true) : .fault(.unsuccessful)))
    }

    @Test(arguments: [false, true])
    func `(Bool) -> Void, where false is failure`(_ succeeded: Bool) async {
        let answer = await Self.ofVoid { callback in
            let handler: @Sendable (Bool) -> Void = callback.successHandler()
            handler(succeeded)
        }
        #expect(answer == (succeeded ? .value(true) : .fault(.unsuccessful)))
    }

    /// As APIs declare it: the compiler picks the handler for success, with nothing else said.
    @Test func `handlers for success fit an API's parameter`() async throws {
        func alone(completion: @escaping (Bool) -> Void) { completion(true) }
        func sendable(completion: @escaping @Sendable (_ done: Bool) -> Void) { completion(false) }
        func withError(completion: @escaping ((Bool, (any Error)?) -> Void)) { completion(false, nil) }
        func optional(completion: ((Bool) -> Void)?) { completion?(false) }
        try await withCallback { alone(completion: $0.successHandler()) }
        let unsuccessful: [(Callback<Void, any Error>) -> Void] = [
            { sendable(completion: $0.successHandler()) }, { withError(completion: $0.successHandler()) },
            { optional(completion: $0.successHandler()) },
        ]
        for start in unsuccessful { #expect(await Self.ofVoid(start) == .fault(.unsuccessful)) }
        await #expect(throws: BridgeFault.self) {
            try await withCallback { callback in optional(completion: callback.successHandler()) }
        }
    }

    /// Where both fit, or nothing says which, it is the one with an error, as before there were two.
    @Test func `the handler for success and an error is preferred`() async {
        struct Client {
            func save(completion: @escaping (Bool) -> Void) { completion(true) }
            func save(completion: @escaping (Bool, (any Error)?) -> Void) { completion(false, HandlerTests.error) }
        }
        #expect(await Self.ofVoid { Client().save(completion: $0.successHandler()) } == .error(5))
        let answer = await Self.ofVoid { callback in
            let handler = callback.successHandler()
            handler(false, Self.error)
        }
        #expect(answer == .error(5))
    }

    @Test(arguments: [false, true], [false, true])
    func `(Bool, Error?) -> Void, where false is a value`(_ value: Bool, fails: Bool) async {
        let answer = await Answer<Bool>.of { callback in
            let handler: @Sendable (Bool, (any Error)?) -> Void = callback.handler()
            handler(value, fails ? Self.error : nil)
        }
        #expect(answer == (fails ? .error(5) : .value(value)))
    }

    @Test func `name the place of the callback in their faults`() async {
        let place = Place()
        await #expect(throws: BridgeFault(.noResult, made: place.site)) {
            try await withCallback(of: Int.self, fileID: Place.fileID, line: place.line) { callback in
                let handler: @Sendable (Int?, (any Error)?) -> Void = callback.handler()
                handler(nil, nil)
            }
        }
    }

    @Test func `name the place of the callback in a fault for success`() async {
        let place = Place()
        await #expect(throws: BridgeFault(.unsuccessful, made: place.site)) {
            try await withCallback(of: Void.self, fileID: Place.fileID, line: place.line) { callback in
                let handler: @Sendable (Bool) -> Void = callback.successHandler()
                handler(false)
            }
        }
    }

    @Test func `report a second call with the place where they were made`() {
        let exchange = Exchange<Int>(start: { callback in
            let handler: @Sendable (Int?, (any Error)?) -> Void = callback.handler(line: 77)
            handler(1, nil)
            handler(2, nil)
        })
        exchange.wait.turn()
        #expect(exchange.place.reports.map { $0.involved.map(\.line) } == [[77, 77]])
        #expect(exchange.undelivered.all == [2])
    }

    private static func ofVoid(_ answer: (Callback<Void, any Error>) -> Void) async -> Answer<Bool> {
        do {
            try await withCallback(of: Void.self, answer)
            return .value(true)
        } catch {
            return .of(error)
        }
    }
}
