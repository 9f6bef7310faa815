// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import AsyncTwins
import ExactlyOnce
import Testing

/// Handlers whose types are aliases.
@Suite(.timeLimit(.minutes(10))) struct `Aliases are looked up in the package` {
    @Test func `in the file, in the type, in the types around, in another file`() {
        let package = PlannedPackage([
            "a.swift": """
            public typealias Done = (Int) -> Void
            public struct A {
                public typealias Handler = (Result<String, any Error>) -> Void
                public struct B {
                    public func a(completion: @escaping Handler) {}
                    public func b(completion: @escaping Done) { completion(1) }
                }
            }

            """,
            "b.swift": "extension A { public func c(completion: Handler?) { completion?(.success(\"\")) } }\n",
        ])
        #expect(package.twins["A.B.b(completion:)"] == "b()")
        #expect(package.twins["A.c(completion:)"] == "c()")
        #expect(package.plan.functions.map(\.shape) == [.result, .value, .result])
    }

    @Test func `with arguments`() throws {
        let package = PlannedPackage(
            """
            public typealias Completion<T, E: Error> = (Result<[T], E>) -> Void
            public func load(completion: @escaping Completion<Int, MyError>) { completion(.success([])) }

            """
        )
        let overlay = try #require(package.overlay())
        #expect(overlay.contains("public func load() async throws -> [Int] {"))
    }

    @Test func `of what a handler gets`() throws {
        let package = PlannedPackage(
            """
            public typealias Answer = Result<Int, any Error>
            public func load(completion: @escaping (Answer) -> Void) { completion(.success(1)) }

            """
        )
        #expect(package.plan.functions.map(\.shape) == [.result])
        #expect(try #require(package.overlay()).contains("async throws -> Int {"))
    }

    @Test func `of another type, whose own types get their full names`() throws {
        let package = PlannedPackage(
            """
            public struct Api {
                public struct User {}
                public typealias Handler = (Result<User, any Error>) -> Void
            }
            public struct Client {
                public func load(completion: @escaping Api.Handler) { completion(.success(.init())) }
            }

            """
        )
        #expect(try #require(package.overlay()).contains("async throws -> Api.User {"))
    }

    @Test func `of another module of the package`() {
        let package = PlannedPackage([
            "Kit/a.swift": "public typealias Handler = (Int) -> Void\n",
            "App/b.swift": "public func load(completion: @escaping Handler) { completion(1) }\n",
        ])
        #expect(package.twins == ["load(completion:)": "load()"])
    }

    /// Two protocols have one of that name, so the last part of it does not tell which is meant.
    @Test func `of a protocol that the type conforms to, by way of another one`() throws {
        let package = PlannedPackage([
            "a.swift": """
            public protocol Serving {
                typealias Handler = (Result<Int, any Error>) -> Void
            }
            public protocol OtherServing { typealias Handler = (String) -> Void }
            public protocol TestServing: Serving {}
            public final class Service: TestServing, Sendable {
                public func load(completion: @escaping Handler) { completion(.success(1)) }
            }

            """,
            "b.swift": """
            extension Service {
                public func again(completion: @escaping Handler) { completion(.success(2)) }
            }

            """,
        ])
        #expect(package.plan.functions.map(\.shape) == [.result, .result])
        #expect(try #require(package.overlay()).contains("async throws -> Int {"))
    }

    @Test func `but not of two protocols that differ`() {
        let package = PlannedPackage(
            """
            public protocol One { typealias Handler = (Int) -> Void }
            public protocol Two { typealias Handler = (String) -> Void }
            public struct Both: One, Two {
                public func load(completion: @escaping Handler) {}
            }

            """
        )
        #expect(package.twins == [:])
    }

    @Test(.timeLimit(.minutes(5)))
    func `but not for ever, if one seems to stand for itself`() {
        let package = PlannedPackage(
            """
            public struct A {
                public typealias Handler = Kit.A.Handler
                public func load(completion: @escaping Handler) { completion(1) }
            }

            """
        )
        #expect(package.states == ["A.load(completion:)": "refused"])
    }

    @Test func `but not one that means two things`() {
        let package = PlannedPackage(
            """
            #if os(Linux)
            public typealias Handler = (Int) -> Void
            #else
            public typealias Handler = (String) -> Void
            #endif
            public func load(completion: @escaping Handler) { completion(1) }

            """
        )
        #expect(package.states == ["load(completion:)": "refused"])
    }
}
