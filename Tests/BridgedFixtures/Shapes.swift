// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

struct Quote: Sendable, Equatable {
    var text: String
}

struct ParseError: Error, Equatable {
    var column: Int
}

/// An old API with a handler of every shape.
final class Client: Sendable {
    // MARK: One result

    @Bridged
    func quote(_ id: Int, retries: Int = 3, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) {
        completion(.success(Quote(text: "\(id), \(retries)")))
    }

    @Bridged
    func parse(_ text: String, completionHandler: @escaping (Result<Int, ParseError>) -> Void) {
        completionHandler(Int(text).map { .success($0) } ?? .failure(ParseError(column: 1)))
    }

    @Bridged
    func save(completion: @escaping (Result<Void, Error>) -> Void) { completion(.success(())) }

    // MARK: A value and an error

    @Bridged
    func find(_ id: Int, completion: @escaping (Quote?, (any Error)?) -> Void) {
        completion(id < 0 ? nil : Quote(text: "\(id)"), id < 0 ? ParseError(column: id) : nil)
    }

    @Bridged
    func errorFirst(completion: @escaping (Error?, Quote?) -> Void) { completion(nil, Quote(text: "first")) }

    @Bridged
    func data(completion: @escaping (_ data: String?, _ status: Int?, Swift.Error?) -> Void) {
        completion("data", 200, nil)
    }

    @Bridged
    func labelled(completion: @escaping (_ data: String?, _ status: Int?, _ error: ParseError?) -> Void) {
        completion("labelled", 201, nil)
    }

    @Bridged
    func errorBetween(completion: @escaping (_ id: Int?, String?, ParseError?, Bool) -> Void) {
        completion(1, "two", nil, true)
    }

    @Bridged
    func errorInTheMiddle(completion: @escaping (Int?, (any Error)?, Bool) -> Void) {
        completion(nil, ParseError(column: -6), false)
    }

    @Bridged
    func perhaps(_ result: Result<Int, ParseError>?, completion: @escaping (Result<Int, ParseError>?) -> Void) {
        completion(result)
    }

    @Bridged
    func remove(completion: @escaping ((any Error)?) -> Void) { completion(nil) }

    @Bridged
    func exists(completion: @escaping (Bool, Error?) -> Void) { completion(false, nil) }

    @Bridged
    func count(completion: @escaping (Int, Error?) -> Void) { completion(7, nil) }

    // MARK: Nothing that fails

    @Bridged
    func ready(done: @escaping () -> Void) { done() }

    @Bridged
    func version(callback: @escaping (Int) -> Void) { callback(1) }

    @Bridged
    func maybe(callback: @escaping (Int?) -> Void) { callback(nil) }

    @Bridged
    func position(completion: @escaping (_ line: Int, _ column: Int) -> Void) { completion(1, 2) }

    @Bridged
    func three(completion: @escaping (Int, String, [Int]) -> Void) { completion(1, "2", [3]) }

    @Bridged
    func many(completion: @escaping (Int, Int, Int?, any Sendable, [Int], Int, Int, (Int, Int)) -> Void) {
        completion(1, 2, 3, 4, [5], 6, 7, (8, 9))
    }

    // MARK: A handler each for success and failure

    @Bridged
    func vote(for id: Int, success: @escaping (Quote) -> Void, failure: @escaping (Error) -> Void) {
        if id < 0 { failure(ParseError(column: id)) } else { success(Quote(text: "voted")) }
    }

    @Bridged
    func erase(onSuccess: @escaping () -> Void, onFailure: @escaping (ParseError?) -> Void) { onFailure(nil) }

    // MARK: Wrapped

    @Bridged
    func optional(completion: ((Result<Int, Error>) -> Void)?) { completion?(.success(8)) }

    @Bridged
    func completionFirst(completion: @escaping (Int) -> Void, progress: @escaping (Double) -> Void) {
        progress(0.5)
        completion(9)
    }

    @Bridged
    func trailing(_ body: () -> Int, then done: @escaping @MainActor @Sendable (Int) -> Void) {
        let value = body()
        Task { await done(value) }
    }
}

extension Client {
    static func results() async throws -> [String] {
        let client = Client()
        var results = [
            "\(try await client.quote(1))", "\(try await client.parse("2"))", "\(try await client.find(3))",
            "\(try await client.errorFirst())", "\(try await client.data())", "\(try await client.labelled())",
            "\(try await client.exists())", "\(try await client.count())", "\(try await client.version())",
            "\(String(describing: try await client.maybe()))", "\(try await client.position())",
            "\(try await client.three())", "\(try await client.vote(for: 1))", "\(try await client.optional())",
            "\(try await client.completionFirst { _ in })", "\(try await client.trailing { 10 })",
        ]
        results.append("\(try await client.many().7)")
        results += ["\(try await client.errorBetween())", "\(try await client.perhaps(.success(11)))"]
        try await client.save()
        try await client.remove()
        try await client.ready()
        do { _ = try await client.parse("x") } catch let error as ParseError { results.append("\(error.column)") }
        do { _ = try await client.find(-4) } catch let error as ParseError { results.append("\(error.column)") }
        do { _ = try await client.vote(for: -5) } catch let error as ParseError { results.append("\(error.column)") }
        do { try await client.erase() } catch let error as BridgeFault { results.append("\(error.code)") }
        do { _ = try await client.errorInTheMiddle() } catch let error as ParseError {
            results.append("\(error.column)")
        }
        do {
            _ = try await client.perhaps(.failure(ParseError(column: -7)))
        } catch let error as ParseError { results.append("\(error.column)") }
        do { _ = try await client.perhaps(nil) } catch let error as BridgeFault { results.append("\(error.code)") }
        return results
    }
}
#endif
