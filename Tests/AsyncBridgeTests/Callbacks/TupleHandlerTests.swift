// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("Handlers of several values", .timeLimit(.minutes(10)))
struct TupleHandlerTests {
    typealias Failure = (any Error)?

    /// Which values an API leaves out, and whether it reports an error.
    enum Case: CaseIterable {
        case all
        case allAndError
        case firstMissing
        case lastMissing
        case lastMissingAndError
        case errorOnly
        case nothing

        func first<Value>(_ value: Value) -> Value? {
            self == .firstMissing || self == .errorOnly || self == .nothing ? nil : value
        }
        func middle<Value>(_ value: Value) -> Value? { self == .errorOnly || self == .nothing ? nil : value }
        func last<Value>(_ value: Value) -> Value? {
            switch self {
            case .lastMissing, .lastMissingAndError, .errorOnly, .nothing: nil
            case .all, .allAndError, .firstMissing: value
            }
        }

        var error: Failure {
            switch self {
            case .allAndError, .lastMissingAndError, .errorOnly: HandlerTests.error
            case .all, .firstMissing, .lastMissing, .nothing: nil
            }
        }

        func answer(_ value: String, _ policy: ValueAndErrorPolicy = .errorWins) -> Answer<String> {
            switch self {
            case .all: .value(value)
            case .allAndError: policy == .valueWins ? .value(value) : .error(5)
            case .lastMissingAndError, .errorOnly: .error(5)
            case .firstMissing, .lastMissing: .fault(.valueMissing)
            case .nothing: .fault(.noResult)
            }
        }
    }

    /// Answers in start and describes the tuple, which is not `Equatable`.
    private func answer<Value>(_ body: (Callback<Value, any Error>) -> Void) async -> Answer<String> {
        do {
            let value = try await withCallback(of: Value.self, body)
            return .value("\(value)")
        } catch {
            return .of(error)
        }
    }

    static let policies: [ValueAndErrorPolicy] = [.errorWins, .valueWins]

    @Test(arguments: Case.allCases, policies)
    func `two values and an error`(_ it: Case, _ policy: ValueAndErrorPolicy) async {
        let answer = await self.answer { (callback: Callback<(Int, String), any Error>) in
            let handler: @Sendable (Int?, String?, Failure) -> Void = callback.handler(both: policy)
            handler(it.first(1), it.last("b"), it.error)
        }
        #expect(answer == it.answer(#"(1, "b")"#, policy))
    }

    @Test(arguments: Case.allCases, policies)
    func `three values and an error`(_ it: Case, _ policy: ValueAndErrorPolicy) async {
        let answer = await self.answer { (callback: Callback<(Int, String, Bool), any Error>) in
            let handler: @Sendable (Int?, String?, Bool?, Failure) -> Void = callback.handler(both: policy)
            handler(it.first(1), it.middle("b"), it.last(true), it.error)
        }
        #expect(answer == it.answer(#"(1, "b", true)"#, policy))
    }

    @Test(arguments: Case.allCases, policies)
    func `four values and an error`(_ it: Case, _ policy: ValueAndErrorPolicy) async {
        let answer = await self.answer { (callback: Callback<(Int, Int, Int, Int), any Error>) in
            let handler: @Sendable (Int?, Int?, Int?, Int?, Failure) -> Void = callback.handler(both: policy)
            handler(it.first(1), it.middle(2), it.middle(3), it.last(4), it.error)
        }
        #expect(answer == it.answer("(1, 2, 3, 4)", policy))
    }

    @Test(arguments: Case.allCases, policies)
    func `five values and an error`(_ it: Case, _ policy: ValueAndErrorPolicy) async {
        let answer = await self.answer { (callback: Callback<(Int, Int, Int, Int, Int), any Error>) in
            let handler: @Sendable (Int?, Int?, Int?, Int?, Int?, Failure) -> Void = callback.handler(both: policy)
            handler(it.first(1), it.middle(2), it.middle(3), it.middle(4), it.last(5), it.error)
        }
        #expect(answer == it.answer("(1, 2, 3, 4, 5)", policy))
    }

    @Test(arguments: Case.allCases, policies)
    func `six values and an error`(_ it: Case, _ policy: ValueAndErrorPolicy) async {
        let answer = await self.answer { (callback: Callback<(Int, Int, Int, Int, Int, Int), any Error>) in
            let handler: @Sendable (Int?, Int?, Int?, Int?, Int?, Int?, Failure) -> Void =
                callback.handler(both: policy)
            handler(it.first(1), it.middle(2), it.middle(3), it.middle(4), it.middle(5), it.last(6), it.error)
        }
        #expect(answer == it.answer("(1, 2, 3, 4, 5, 6)", policy))
    }

    @Test(arguments: Case.allCases, policies)
    func `an error and two values`(_ it: Case, _ policy: ValueAndErrorPolicy) async {
        let answer = await self.answer { (callback: Callback<(Int, String), any Error>) in
            let handler: @Sendable (Failure, Int?, String?) -> Void = callback.handler(both: policy)
            handler(it.error, it.first(1), it.last("b"))
        }
        #expect(answer == it.answer(#"(1, "b")"#, policy))
    }

    @Test(arguments: Case.allCases, policies)
    func `an error and four values`(_ it: Case, _ policy: ValueAndErrorPolicy) async {
        let answer = await self.answer { (callback: Callback<(Int, String, Bool, Double), any Error>) in
            let handler: @Sendable (Failure, Int?, String?, Bool?, Double?) -> Void = callback.handler(both: policy)
            handler(it.error, it.first(1), it.middle("b"), it.middle(true), it.last(0.5))
        }
        #expect(answer == it.answer(#"(1, "b", true, 0.5)"#, policy))
    }

    @Test(arguments: Case.allCases, policies)
    func `an error and six values`(_ it: Case, _ policy: ValueAndErrorPolicy) async {
        let answer = await self.answer { (callback: Callback<(Int, Int, Int, Int, Int, Int), any Error>) in
            let handler: @Sendable (Failure, Int?, Int?, Int?, Int?, Int?, Int?) -> Void =
                callback.handler(both: policy)
            handler(it.error, it.first(1), it.middle(2), it.middle(3), it.middle(4), it.middle(5), it.last(6))
        }
        #expect(answer == it.answer("(1, 2, 3, 4, 5, 6)", policy))
    }

    @Test(arguments: Case.allCases)
    func `callAsFunction with two values`(_ it: Case) async {
        let answer = await self.answer { (callback: Callback<(Int, String), any Error>) in
            #expect(callback(it.first(1), it.last("b"), error: it.error))
            #expect(!callback(1, "b", error: nil))
        }
        #expect(answer == it.answer(#"(1, "b")"#))
    }

    @Test(arguments: Case.allCases)
    func `callAsFunction with four values`(_ it: Case) async {
        let answer = await self.answer { (callback: Callback<(Int, String, Bool, Double), any Error>) in
            #expect(callback(it.first(1), it.middle("b"), it.middle(true), it.last(0.5), error: it.error))
        }
        #expect(answer == it.answer(#"(1, "b", true, 0.5)"#))
    }

    /// As an API declares it: the compiler picks the handler.
    @Test func `fit an API's parameter`() async throws {
        func old(_ completion: @escaping @Sendable (Int?, String?, (any Error)?) -> Void) { completion(1, "b", nil) }
        let (number, text) = try await withCallback { callback in old(callback.handler()) }
        #expect(number == 1)
        #expect(text == "b")
    }

    @Test(arguments: [false, true])
    func `release the values that they refuse`(isRefused: Bool) {
        let lifetimes = Lifetimes()
        do {
            let exchange = Exchange<(Lifetimes.Probe, Lifetimes.Probe)>.parked()
            if isRefused { exchange.cancel() }
            // The log of the exchange would keep what was refused.
            #expect(exchange.callback.value?(lifetimes.probe(), nil, error: nil) == !isRefused)
            exchange.wait.turn()
            // The fault has the value, if the wait has ended with it.
            #expect(lifetimes.alive == (isRefused ? 0 : 1))
        }
        #expect(lifetimes.alive == 0)
    }
}
