// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// That an element which is declared optional may be missing, in an API that loads a page of quotes and a cursor.
@Suite("Handlers of several values of which some may be nil", .timeLimit(.minutes(10)))
struct OptionalElementTests {
    typealias Failure = (any Error)?

    private static let error = HandlerTests.error

    private func describe<Value>(_ load: () async throws -> Value) async -> Answer<String> {
        do { return .value("\(try await load())") } catch { return .of(error) }
    }

    // MARK: The type of the answer, as callers write it

    /// Loads a page: the API's own words.
    private func page(_ quotes: [Int]?, _ cursor: String?, _ error: Failure = nil) -> Page {
        Page(quotes: quotes, cursor: cursor, error: error)
    }

    struct Page {
        let quotes: [Int]?
        let cursor: String?
        let error: Failure

        func load(_ completion: @escaping (_ quotes: [Int]?, _ cursor: String?, Failure) -> Void) {
            completion(self.quotes, self.cursor, self.error)
        }

        func loadErrorFirst(_ completion: @escaping (Failure, _ quotes: [Int]?, _ cursor: String?) -> Void) {
            completion(self.error, self.quotes, self.cursor)
        }

        /// The type that a function returns.
        func lastMayBeNil() async throws -> (quotes: [Int], cursor: String?) {
            try await withCallback { callback in self.load(callback.handler()) }
        }

        func firstMayBeNil() async throws -> ([Int]?, String) {
            try await withCallback { callback in self.load(callback.handler()) }
        }

        func bothMayBeNil() async throws -> ([Int]?, String?) {
            try await withCallback { callback in self.load(callback.handler()) }
        }

        func errorFirstAndLastMayBeNil() async throws -> ([Int], String?) {
            try await withCallback { callback in self.loadErrorFirst(callback.handler()) }
        }

        func errorFirstAndFirstMayBeNil() async throws -> ([Int]?, String) {
            try await withCallback { callback in self.loadErrorFirst(callback.handler()) }
        }

        func errorFirstAndBothMayBeNil() async throws -> ([Int]?, String?) {
            try await withCallback { callback in self.loadErrorFirst(callback.handler()) }
        }
    }

    @Test func `the last page of a function that returns an optional cursor`() async throws {
        let (quotes, cursor) = try await self.page([1], nil).lastMayBeNil()
        #expect(quotes == [1])
        #expect(cursor == nil)
        #expect(
            await self.describe(self.page([1], "x").lastMayBeNil) == .value(#"(quotes: [1], cursor: Optional("x"))"#)
        )
    }

    @Test func `a value that is not declared optional is wanted`() async {
        #expect(await self.describe(self.page(nil, "x").lastMayBeNil) == .fault(.valueMissing))
        #expect(await self.describe(self.page([1], nil).firstMayBeNil) == .fault(.valueMissing))
        #expect(await self.describe(self.page(nil, nil).lastMayBeNil) == .fault(.noResult))
        #expect(await self.describe(self.page(nil, "x").errorFirstAndLastMayBeNil) == .fault(.valueMissing))
        #expect(await self.describe(self.page([1], nil).errorFirstAndFirstMayBeNil) == .fault(.valueMissing))
    }

    @Test func `other elements may be nil likewise`() async {
        #expect(await self.describe(self.page(nil, "x").firstMayBeNil) == .value(#"(nil, "x")"#))
        #expect(await self.describe(self.page(nil, "x").bothMayBeNil) == .value(#"(nil, Optional("x"))"#))
        #expect(await self.describe(self.page(nil, nil).bothMayBeNil) == .value("(nil, nil)"))
        #expect(await self.describe(self.page([1], nil).errorFirstAndLastMayBeNil) == .value("([1], nil)"))
        #expect(await self.describe(self.page(nil, "x").errorFirstAndFirstMayBeNil) == .value(#"(nil, "x")"#))
        #expect(await self.describe(self.page(nil, nil).errorFirstAndBothMayBeNil) == .value("(nil, nil)"))
    }

    @Test func `an error is thrown, whatever may be nil`() async {
        #expect(await self.describe(self.page(nil, nil, Self.error).bothMayBeNil) == .error(5))
        #expect(await self.describe(self.page([1], nil, Self.error).lastMayBeNil) == .error(5))
    }

    @Test func `a constant's type and of: count as well`() async throws {
        let page = self.page([1], nil)
        let constant: ([Int], String?) = try await withCallback { callback in page.load(callback.handler()) }
        #expect(constant.1 == nil)
        let (_, cursor): ([Int], String?) = try await withCallback { callback in page.load(callback.handler()) }
        #expect(cursor == nil)
        let named = try await withCallback(of: ([Int], String?).self) { callback in page.load(callback.handler()) }
        #expect(named.1 == nil)
    }

    /// Where nothing is declared, the values are not optional, as ever: a program must not get other types.
    @Test func `without a declaration all values are wanted`() async throws {
        func length(_ text: String) -> Int { text.count }
        let (quotes, cursor) = try await withCallback { callback in self.page([1], "xy").load(callback.handler()) }
        #expect(quotes.count + length(cursor) == 3)
        let answer = await self.describe {
            let (quotes, cursor) = try await withCallback { callback in self.page([1], nil).load(callback.handler()) }
            return quotes.count + length(cursor)
        }
        #expect(answer == .fault(.valueMissing))
    }

    @Test func `three values`() async {
        func old(_ completion: @escaping (Int?, String?, Bool?, Failure) -> Void) { completion(nil, "b", nil, nil) }
        func load() async throws -> (Int?, String, Bool?) {
            try await withCallback { callback in old(callback.handler()) }
        }
        #expect(await self.describe(load) == .value(#"(nil, "b", nil)"#))
        func strict() async throws -> (Int?, String, Bool) {
            try await withCallback { callback in old(callback.handler()) }
        }
        #expect(await self.describe(strict) == .fault(.valueMissing))
        func first() async throws -> (Int, String?, Bool?) {
            try await withCallback { callback in old(callback.handler()) }
        }
        #expect(await self.describe(first) == .fault(.valueMissing))
        func all() async throws -> (Int?, String?, Bool?) {
            try await withCallback { callback in old(callback.handler()) }
        }
        #expect(await self.describe(all) == .value(#"(nil, Optional("b"), nil)"#))
    }

    @Test func `an error and three values`() async throws {
        func old(_ completion: @escaping (Failure, Int?, String?, Bool?) -> Void) { completion(nil, 1, nil, nil) }
        func lastTwo() async throws -> (number: Int, text: String?, isLast: Bool?) {
            try await withCallback { callback in old(callback.handler()) }
        }
        #expect(await self.describe(lastTwo) == .value("(number: 1, text: nil, isLast: nil)"))
        func strict() async throws -> (Int, String?, Bool) {
            try await withCallback { callback in old(callback.handler()) }
        }
        #expect(await self.describe(strict) == .fault(.valueMissing))
        func outer() async throws -> (Int?, String, Bool?) {
            try await withCallback { callback in old(callback.handler()) }
        }
        #expect(await self.describe(outer) == .fault(.valueMissing))
        func all() async throws -> (Int?, String?, Bool?) {
            try await withCallback { callback in old(callback.handler()) }
        }
        #expect(await self.describe(all) == .value("(Optional(1), nil, nil)"))
        func complete(_ completion: @escaping (Failure, Int?, String?, Bool?) -> Void) { completion(nil, 1, "b", true) }
        let (number, text, isLast) = try await withCallback { callback in complete(callback.handler()) }
        #expect(number + text.count == 2 && isLast)
    }

    /// With more values the type is given by `of:`.
    @Test func `six values with their type`() async {
        func old(_ completion: @escaping (Int?, Int?, Int?, Int?, Int?, Int?, Failure) -> Void) {
            completion(1, nil, 3, nil, 5, nil, nil)
        }
        let answer = await self.describe {
            try await withCallback(of: (Int, Int?, Int, Int?, Int, Int?).self) { callback in old(callback.handler()) }
        }
        #expect(answer == .value("(1, nil, 3, nil, 5, nil)"))
    }

    @Test func `an error and four values with their type`() async {
        func old(_ completion: @escaping (Failure, Int?, Int?, Int?, Int?) -> Void) { completion(nil, 1, nil, 3, nil) }
        let answer = await self.describe {
            try await withCallback(of: (Int, Int?, Int, Int?).self) { callback in old(callback.handler()) }
        }
        #expect(answer == .value("(1, nil, 3, nil)"))
    }

    @Test func `callAsFunction`() async {
        let answer = await self.describe {
            try await withCallback(of: (Int, Int?, Int?).self) { callback in callback(1, nil, nil, error: nil) }
        }
        #expect(answer == .value("(1, nil, nil)"))
        let missing = await self.describe {
            let (one, two, three): (Int?, Int?, Int?) = (1, 2, nil)
            return try await withCallback(of: (Int, Int?, Int).self) { callback in
                callback(one, two, three, error: nil)
            }
        }
        #expect(missing == .fault(.valueMissing))
    }

    // MARK: What is refused

    @Test func `the fault holds the values that came`() async throws {
        let fault = await #expect(throws: BridgeFault.self) {
            try await withCallback(of: ([Int], String).self) { callback in
                self.page([1, 2], nil).load(callback.handler())
            }
        }
        #expect(fault?.code == .valueMissing)
        #expect(fault?.values.count == 2)
        #expect(fault?.values.first as? [Int] == [1, 2])
        #expect(fault?.values.last.map { $0 == nil } == true)
        #expect(fault?.description.contains("Missing: 2 of 2. If a value may be missing, declare it optional") == true)
    }

    @Test func `a value that is declared optional and nil counts as missing in the fault`() async throws {
        let fault = await #expect(throws: BridgeFault.self) {
            try await withCallback(of: (Int?, Int, Int).self) { callback in callback(nil, 2, nil, error: nil) }
        }
        #expect(fault?.values.map { $0 == nil } == [true, false, true])
    }

    /// Values and errors that an API calls back with, and what becomes of the values.
    struct Refusal: Sendable {
        var value: Int?
        var policy = ValueAndErrorPolicy.errorWins
        var undelivered: [Int]
    }

    @Test(arguments: [
        Refusal(value: 1, undelivered: [1]),
        Refusal(value: nil, undelivered: []),
        Refusal(value: 1, policy: .valueWins, undelivered: []),
    ])
    func `a value beside an error goes to onUndelivered`(_ it: Refusal) {
        for isErrorFirst in [false, true] {
            let exchange = Exchange<Int>(start: { callback in
                if isErrorFirst {
                    let handler: @Sendable (Failure, Int?) -> Void = callback.handler(both: it.policy)
                    handler(Self.error, it.value)
                } else {
                    let handler: @Sendable (Int?, Failure) -> Void = callback.handler(both: it.policy)
                    handler(it.value, Self.error)
                }
            })
            exchange.wait.turn()
            #expect(exchange.undelivered.all == it.undelivered)
        }
    }

    @Test func `an optional value beside an error goes to onUndelivered`() {
        for value in [nil, 1] {
            let exchange = Exchange<Int?>(start: { $0.optionalHandler()(value, Self.error) })
            exchange.wait.turn()
            #expect(exchange.undelivered.all == (value.map { [$0] } ?? []))
        }
    }

    @Test func `values beside an error go to onUndelivered if they are an answer`() {
        func undelivered(_ quotes: Int?, _ cursor: String?) -> Int {
            let exchange = Exchange<(Int, String?)>(start: { $0.handler()(quotes, cursor, Self.error) })
            exchange.wait.turn()
            return exchange.undelivered.count
        }
        #expect(undelivered(1, "x") == 1)
        #expect(undelivered(1, nil) == 1)
        #expect(undelivered(nil, "x") == 0)
        #expect(undelivered(nil, nil) == 0)
    }

    @Test func `if all values may be nil, some of them beside an error go to onUndelivered, too`() {
        func undelivered(_ quotes: Int?, _ cursor: String?) -> [String] {
            let exchange = Exchange<(Int?, String?)>(start: { $0.handler()(quotes, cursor, Self.error) })
            exchange.wait.turn()
            return exchange.undelivered.all.map { "\($0)" }
        }
        #expect(undelivered(1, "x") == [#"(Optional(1), Optional("x"))"#])
        #expect(undelivered(1, nil) == ["(Optional(1), nil)"])
        #expect(undelivered(nil, "x") == [#"(nil, Optional("x"))"#])
        #expect(undelivered(nil, nil).isEmpty)
    }

    /// Both may be `nil`, and both are: there is no value that could win.
    @Test func `an error wins over nothing`() async {
        let answer = await self.describe {
            try await withCallback(of: (Int?, String?).self) { callback in
                let handler: @Sendable (Int?, String?, Failure) -> Void = callback.handler(both: .valueWins)
                handler(nil, nil, Self.error)
            }
        }
        #expect(answer == .error(5))
    }
}
