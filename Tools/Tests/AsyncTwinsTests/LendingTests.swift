// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Testing

/// What an API of another module only lends to a closure is not returned by a twin.
@Suite(.timeLimit(.minutes(5))) struct `What other modules lend` {
    /// What becomes of functions with a handler `completion`, each with one of these bodies.
    private func states(_ bodies: [String], apis: APITable = .standard) -> [String] {
        let functions = bodies.indices.map {
            "public func f\($0)(completion: @escaping (Result<V, any Error>) -> Void) { \(bodies[$0]) }\n"
        }
        let plan = PlannedPackage(["a.swift": functions.joined()], apis: apis).plan
        return plan.functions.map { function in
            if case .refused(let reason, _) = function.decision { reason } else { function.decision.word }
        }
    }

    @Test func `passing it on is refused, under whatever name`() {
        let bodies = [
            "pool.asyncRead { completion($0) }",
            "pool.asyncRead(completion)",
            "pool.asyncRead { db in let db = try! db.get(); queue.async { completion(.success(db)) } }",
            "pool.asyncRead { switch $0 { case .success(let db): completion(.success(db)) default: break } }",
            "pool.asyncRead { if case .success(let db) = $0 { completion(.success(db)) } }",
            "self.dbQueue.read { db in completion(.success(db)) }",
            "data.withUnsafeBytes { completion(.success($0)) }",
            "try? pool.inDatabase { db in guard let own = db else { return }; completion(.success(own)) }",
        ]
        #expect(states(bodies) == bodies.map { _ in "lentValue" })
    }

    @Test func `what is made of it is a copy`() {
        let bodies = [
            "pool.asyncRead { db in completion(Result { try Row.all(db.get()) }) }",
            "pool.asyncWrite { db in try save(db) } completion: { _, result in queue.async { completion(result) } }",
            "data.withUnsafeBytes { completion(.success(Data($0))) }",
            "pool.asyncRead { rows.forEach { completion2($0) }; completion(.success(1)) }",
            "file.read { text in completion(.success(text)) }",
            "pool.asyncRead { switch $0 { case .failure(let error): completion(.failure(error)) default: ok() } }",
        ]
        #expect(states(bodies) == bodies.map { _ in "twin" })
    }

    @Test func `users name the functions that lend, and those that do not`() throws {
        var apis = APITable.standard
        try apis.add("lends borrow Store.take\nlends open(then:) # ours\ngives asyncRead\n")
        let bodies = [
            "borrow { completion($0) }",
            "take { completion($0) }",
            "file.open(then: { completion($0) })",
            "file.open(other: { completion($0) })",
            "pool.asyncRead { completion($0) }",
        ]
        #expect(states(bodies, apis: apis) == ["lentValue", "twin", "lentValue", "twin", "twin"])
        #expect(states(bodies) == ["twin", "twin", "twin", "twin", "lentValue"])
    }

    @Test func `a function in the table gets no twin itself`() throws {
        var apis = APITable.standard
        try apis.add("lends Store.take\n")
        let source = """
            public struct Store { public func take(completion: @escaping (Int) -> Void) { completion(1) } }
            public struct Shop { public func take(completion: @escaping (Int) -> Void) { completion(1) } }

            """
        let package = PlannedPackage(["a.swift": source], apis: apis)
        #expect(package.states == ["Store.take(completion:)": "refused", "Shop.take(completion:)": "twin"])
        let decisions = package.plan.functions.map(\.decision)
        guard case .refused("lentValue", let message) = decisions[0] else {
            Issue.record("\(decisions)")
            return
        }
        #expect(
            message.hasPrefix("'Store.take(completion:)' is among the APIs that lend what their closures get, and a")
        )
    }
}
