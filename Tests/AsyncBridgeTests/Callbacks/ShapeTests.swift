// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// Shapes that few APIs have; the usual ones are in ``HandlerTests``.
@Suite("Handlers for rarer shapes", .timeLimit(.minutes(10)))
struct ShapeTests {
    static let error = APIError(code: 5)

    static let results: [Result<Int, APIError>] = [.success(1), .failure(error)]

    private func answer(to result: Result<Int, APIError>) -> Answer<Int> {
        switch result {
        case .success(let value): .value(value)
        case .failure(let error): .error(error.code)
        }
    }

    // MARK: Errors of a known type, where any error is expected

    @Test(arguments: results)
    func `resume(with:) takes a result with an error of a known type`(_ result: Result<Int, APIError>) async {
        let answer = await Answer<Int>.of { callback in
            #expect(callback.resume(with: result))
            #expect(!callback.resume(with: result))
        }
        #expect(answer == self.answer(to: result))
    }

    @Test func `resume with known error takes a value that is not sendable`() async throws {
        final class Mutable { var number = 1 }
        let object = try await withCallback(of: Mutable.self) { callback in
            callback.resume(with: Result<Mutable, APIError>.success(Mutable()))
        }
        #expect(object.number == 1)
    }

    @Test func `resume with known error hands back what comes too late`() {
        let exchange = Exchange<Int>.parked()
        exchange.cancel()
        #expect(exchange.callback.value?.resume(with: Result<Int, APIError>.success(2)) == false)
        #expect(exchange.undelivered.all == [2])
        #expect(exchange.place.reports.isEmpty)
    }

    @Test(arguments: results)
    func `(Result<Value, KnownFailure>) -> Void`(_ result: Result<Int, APIError>) async {
        func old(_ completion: @escaping @Sendable (Result<Int, APIError>) -> Void) { completion(result) }
        #expect(await Answer<Int>.of { callback in old(callback.handler()) } == self.answer(to: result))
    }

    /// As an API declares it: the compiler picks the handler.
    @Test func `handlers of results fit an API's parameter`() async throws {
        func anyError(_ completion: @escaping (Result<String, any Error>) -> Void) { completion(.success("x")) }
        func known(_ completion: @escaping (Result<String, APIError>) -> Void) { completion(.success("y")) }
        #expect(try await withCallback { callback in anyError(callback.handler()) } == "x")
        #expect(try await withCallback { callback in known(callback.handler()) } == "y")
        #expect(try await withCallback { callback in known { callback.resume(with: $0) } } == "y")
        #expect(try await withCallback(throwing: APIError.self) { callback in known(callback.handler()) } == "y")
    }

    // MARK: No value at all

    @Test func `void handler is success`() async throws {
        func old(_ completion: @escaping @Sendable () -> Void) { completion() }
        try await withCallback { callback in old(callback.handler()) }
        await withCallback(ifInterrupted: { _ in }) { callback in old(callback.handler()) }
        try await withCallback(throwing: APIError.self) { callback in old(callback.handler()) }
    }

    @Test func `second call of a void handler is reported with the place where it was made`() {
        let exchange = Exchange<Void>(start: { callback in
            let handler: @Sendable () -> Void = callback.handler(line: 78)
            handler()
            handler()
        })
        exchange.wait.turn()
        #expect(exchange.place.reports.map { $0.involved.map(\.line) } == [[78, 78]])
    }

    // MARK: nil is an answer

    struct Find: Sendable, CustomTestStringConvertible {
        var value: Int?
        var fails: Bool
        var policy: ValueAndErrorPolicy
        var answer: Answer<Int?>

        var testDescription: String { "\(self.value as Any), error \(self.fails), \(self.policy)" }
    }

    static let finds: [Find] = [
        Find(value: 1, fails: false, policy: .errorWins, answer: .value(1)),
        Find(value: 1, fails: false, policy: .valueWins, answer: .value(1)),
        Find(value: nil, fails: false, policy: .errorWins, answer: .value(nil)),
        Find(value: nil, fails: false, policy: .valueWins, answer: .value(nil)),
        Find(value: nil, fails: true, policy: .errorWins, answer: .error(5)),
        Find(value: nil, fails: true, policy: .valueWins, answer: .error(5)),
        Find(value: 1, fails: true, policy: .errorWins, answer: .error(5)),
        Find(value: 1, fails: true, policy: .valueWins, answer: .value(1)),
    ]

    @Test(arguments: finds)
    func `(Wrapped?, Error?) -> Void, where nil is an answer`(_ find: Find) async {
        let answer = await Answer<Int?>.of { callback in
            let handler: @Sendable (Int?, (any Error)?) -> Void = callback.optionalHandler(both: find.policy)
            handler(find.value, find.fails ? Self.error : nil)
        }
        #expect(answer == find.answer)
    }

    @Test func `optional handler fits an API's parameter`() async throws {
        func old(_ completion: @escaping @Sendable (String?, (any Error)?) -> Void) { completion(nil, nil) }
        let value = try await withCallback { callback in old(callback.optionalHandler()) }
        #expect(value == nil)
    }

    // MARK: One handler for success, another for failure

    @Test(arguments: results)
    func `success:failure:`(_ result: Result<Int, APIError>) async {
        func old(success: @escaping @Sendable (Int) -> Void, failure: @escaping @Sendable (APIError) -> Void) {
            switch result {
            case .success(let value): success(value)
            case .failure(let error): failure(error)
            }
        }
        let untyped = await Answer<Int>.of { callback in
            old(success: callback.valueHandler(), failure: callback.errorHandler())
        }
        #expect(untyped == self.answer(to: result))
        let typed = await asResult { () async throws(BridgeError<APIError>) in
            try await withCallback(throwing: APIError.self) { callback in
                old(success: callback.valueHandler(), failure: callback.errorHandler())
            }
        }
        #expect(typed.mapError { $0.failure { _ in APIError(code: -1) } } == result)
    }

    @Test func `second of two handlers is reported with both places`() {
        let exchange = Exchange<Int>(start: { callback in
            let (success, failure) = (callback.valueHandler(line: 1), callback.errorHandler(line: 2))
            success(1)
            failure(Self.error)
        })
        exchange.wait.turn()
        #expect(exchange.place.reports.map { $0.involved.map(\.line) } == [[1, 2]])
    }

    // MARK: A result in a response

    struct Response: Sendable {
        var result: Result<Int, APIError>
        var metrics = "12 ms"
    }

    @Test(arguments: results)
    func `a response, by the path to its result`(_ result: Result<Int, APIError>) async {
        func old(_ completion: @escaping @Sendable (Response) -> Void) { completion(Response(result: result)) }
        let untyped = await Answer<Int>.of { callback in old(callback.resultHandler(\.result)) }
        #expect(untyped == self.answer(to: result))
        let typed = await asResult { () async throws(BridgeError<APIError>) in
            try await withCallback(throwing: APIError.self) { callback in
                old(callback.resultHandler(\.result))
            }
        }
        #expect(typed.mapError { $0.failure { _ in APIError(code: -1) } } == result)
    }
}
