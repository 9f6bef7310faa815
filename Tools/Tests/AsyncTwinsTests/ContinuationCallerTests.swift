// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Testing

/// Continuations that wait for nothing but a function with a twin.
@Suite(.timeLimit(.minutes(10))) struct `Continuations become calls of twins` {
    private static let api =
        `Calls become calls of twins`.api + """
            extension Api {
                public func begin(completion: @escaping () -> Void) { completion() }
                public func pair(completion: @escaping (Int, String) -> Void) { completion(1, "") }
                public func count(completion: @escaping (Int, (any Error)?) -> Void) { completion(1, nil) }
                public func first(done: @escaping ((any Error)?, String?) -> Void) { done(nil, "") }
                public func load(then: @escaping (Result<User, any Error>) -> Void, on queue: Int) {
                    then(.success(User()))
                }
                public func old(completion: @escaping (Result<User, any Error>) -> Void) { completion(.success(User())) }
                public func old() async throws -> User {
                    try await withCheckedThrowingContinuation { c in old { c.resume(with: $0) } }
                }
                public func near(queue: Int, completion: @escaping (Result<User, any Error>) -> Void) {
                    completion(.success(User()))
                }
                public func near() async throws -> User { User() }
                public func plain(completion: @escaping (Int) -> Void) { completion(1) }
                public func plain() async -> Int { await withCheckedContinuation { plain(completion: $0.resume) } }
                public func round(completion: @escaping (Int) -> Void) { completion(1) }
                public func round() async -> Int { await roundAsync() }
                public func other(completion: @escaping (Result<User, any Error>) -> Void) { completion(.success(User())) }
                public func other() async throws -> User? { nil }
            }
            public protocol Loader { func fetch(completion: @escaping (Result<User, any Error>) -> Void) }
            public class Base: Loader {
                public func fetch(completion: @escaping (Result<User, any Error>) -> Void) { completion(.success(User())) }
                public func go(completion: @escaping (Int) -> Void) { completion(1) }
            }
            public class Derived: Base {
                public override func go(completion: @escaping (Int) -> Void) { completion(1) }
            }

            """

    private func sites(_ caller: String, _ more: String = "") -> (SourceFile, [CallerSite]) {
        let package = PlannedPackage(["App/Api.swift": Self.api + more])
        let file = SourceFile(path: "App/Caller.swift", source: caller)
        return (file, CallerRewriter(TwinCalls(package.plan)).sites(in: file))
    }

    private func rewritten(_ caller: String) -> String {
        let (file, sites) = sites(caller)
        return CallerRewriter.text(of: file, sites).text
    }

    @Test(
        arguments: [
            // A `Result`.
            ("throwing { c in api.user(1, completion: c.resume) }", "api.user(1)"),
            ("throwing { api.user(1, completion: $0.resume(with:)) }", "api.user(1)"),
            ("throwing({ c in api.user(1) { c.resume(with: $0) } })", "api.user(1)"),
            ("throwing { c in api.user(1, completion: { [c] r in return c.resume(with: r) }) }", "api.user(1)"),
            ("throwing { [self] c in _ = api.user(1) { r in c.resume(with: r) } }", "api.user(1)"),
            (
                "throwing { c in api.user(1) { r in switch r { case .success(let u): c.resume(returning: u)\ncase .failure(let e): c.resume(throwing: e) } } }",
                "api.user(1)"
            ),
            (
                "throwing { c in api.user(1) { r in do { c.resume(returning: try r.get()) } catch { c.resume(throwing: error) } } }",
                "api.user(1)"
            ),
            (
                "throwing { c in api.ping { r in switch r { case .success: c.resume()\ncase .failure(let e): c.resume(throwing: e) } } }",
                "api.ping()"
            ),
            ("throwing { c in api.load(then: c.resume, on: 2) }", "api.load(on: 2)"),
            ("throwing { c in api.load(then: c.resume,\n        on: 2) }", "api.load(on: 2)"),
            // A value and an error.
            (
                "throwing { c in api.name(of: 1) { value, error in if let error { c.resume(throwing: error) } else { c.resume(returning: value!) } } }",
                "api.name(of: 1)"
            ),
            (
                "throwing { c in api.name(of: 1) { value, error in\nguard let value else { c.resume(throwing: error!)\nreturn }\nc.resume(returning: value) } }",
                "api.name(of: 1)"
            ),
            (
                "throwing { c in api.name(of: 1) { value, error in\nif let e = error { return c.resume(throwing: e) }\nif let v = value { c.resume(returning: v) } } }",
                "api.name(of: 1)"
            ),
            (
                "throwing { c in api.count { n, e in if let e { c.resume(throwing: e) } else { c.resume(returning: n) } } }",
                "api.count()"
            ),
            (
                "throwing { c in api.first { error, name in if let error { c.resume(throwing: error) } else { c.resume(returning: name!) } } }",
                "api.first()"
            ),
            // An error alone.
            (
                "throwing { c in api.save(u) { if let e = $0 { c.resume(throwing: e) } else { c.resume(returning: ()) } } }",
                "api.save(u)"
            ),
            // What cannot fail.
            ("throwing { c in api.size(completion: c.resume(returning:)) }", "api.size()"),
            ("throwing { c in api.size { c.resume(returning: $0) } }", "api.size()"),
            ("throwing { c in api.begin { c.resume() } }", "api.begin()"),
            ("throwing { c in api.begin(completion: c.resume) }", "api.begin()"),
            ("throwing { c in api.pair { n, s in c.resume(returning: (n, s)) } }", "api.pair()"),
            // What is written in the closure's type.
            (
                "throwing { (c: CheckedContinuation<User, any Error>) in api.user(1, completion: c.resume) }",
                "api.user(1)"
            ),
            (
                "throwing { (c: CheckedContinuation<Void, any Error>) -> Void in api.ping(completion: c.resume) }",
                "api.ping()"
            ),
            (
                "throwing { (c: CheckedContinuation<Any, any Error>) in api.user(1, completion: c.resume) }",
                "api.user(1) as Any"
            ),
            // Async functions that are there, or those of requirements and superclasses.
            ("throwing { c in api.old(completion: c.resume) }", "api.old()"),
            ("throwing { c in base.fetch(completion: c.resume) }", "base.fetch()"),
            ("throwing { c in base.go(completion: c.resume) }", "base.go()"),
        ] as [(String, String)]
    )
    func `a handler that resumes with what it gets`(wrap: String, call: String) {
        let code = { (expression: String) in "func f() async throws {\n    let x = try await \(expression)\n}\n" }
        let whole = wrap.replacing(/^throwing/, with: "withCheckedThrowingContinuation")
        #expect(rewritten(code(whole)) == code(call))
        let unsafe = wrap.replacing(/^throwing/, with: "withUnsafeThrowingContinuation")
        #expect(rewritten(code(unsafe)) == code(call))
    }

    @Test func `what is around stays as it is`() {
        let text = rewritten(
            """
            func f() async throws -> User {
                let size: Int = await withCheckedContinuation { api.plain(completion: $0.resume) }
                async let one: User = withCheckedThrowingContinuation { c in
                    api.user(
                        names.first { name in
                            name.isEmpty
                        },
                        completion: c.resume
                    )
                }
                use(try await withCheckedThrowingContinuation { (c: CheckedContinuation<User?, Error>) in
                    self.api.user(1, completion: c.resume)
                })
                return try await withCheckedThrowingContinuation { c in
                    self.api.user(size, completion: c.resume)
                }  // Waits.
            }

            """
        )
        #expect(
            text == """
                func f() async throws -> User {
                    let size: Int = await api.plain()
                    async let one: User = api.user(
                        names.first { name in
                            name.isEmpty
                        }
                    )
                    use(try await (self.api.user(1) as User?))
                    return try await self.api.user(size)  // Waits.
                }

                """
        )
    }

    @Test(
        arguments: [
            ("try await throwing { c in api.user(1) { r in log(r)\nc.resume(with: r) } }", .otherResume),
            ("try await throwing { c in api.user(1) { c.resume(with: $0.map(\\.name)) } }", .otherResume),
            ("try await throwing { c in api.user(1) { r in d.resume(with: r) } }", .otherResume),
            ("await checked { c in api.user(1) { r in c.resume(returning: r) } }", .otherResume),
            ("try await throwing { c in api.user(c, completion: c.resume) }", .otherResume),
            ("try await throwing { c in api.size { _ in c.resume() } }", .otherResume),
            ("try await throwing { c in api.pair { n, s in c.resume(returning: (s, n)) } }", .otherResume),
            (
                "try await throwing { c in api.name(of: 1) { v, e in if let e { c.resume(throwing: e) } else { c.resume(returning: v) } } }",
                .otherResume
            ),
            (
                "try await throwing { c in api.name(of: 1) { v, e in if let e { c.resume(throwing: Wrapped(e)) } else { c.resume(returning: v!) } } }",
                .otherResume
            ),
            (
                "try await throwing { c in api.name(of: 1) { v, e in if let v { c.resume(returning: v) } else { c.resume(throwing: e ?? Unknown()) } } }",
                .otherResume
            ),
            (
                "try await throwing { c in api.save(u) { [weak self] e in if let e { c.resume(throwing: e) } else { c.resume() } } }",
                .otherResume
            ),
            ("await checked { c in api.size(completion: c.resume) }", .twinThrows),
            ("try await throwing { c in api?.size(completion: c.resume) }", .mayNotBeCalled),
            ("try await throwing { [api = make()] c in api.size(completion: c.resume) }", .captures),
            ("try await throwing { c in /* why */ api.size(completion: c.resume) }", .losesComment),
            ("try await throwing { c in log()\napi.size { c.resume(returning: $0) } }", .inContinuation),
            ("try await throwing { c in if x { api.size { c.resume(returning: $0) } } }", .inContinuation),
            ("try await throwing { c in api.near(queue: 1, completion: c.resume) }", .noTwin),
            ("try await throwing { c in api.other(completion: c.resume) }", .noTwin),
            // Its async function may call the one around.
            ("await checked { c in api.round(completion: c.resume) }", .noTwin),
        ] as [(String, CallerSite.Reason)]
    )
    func `what does something else stays`(wrap: String, reason: CallerSite.Reason) {
        let code = "func f() async { use(\(wrap)) }\n"
            .replacing("throwing {", with: "withCheckedThrowingContinuation {")
            .replacing("checked {", with: "withCheckedContinuation {")
        #expect(sites(code).1.map(\.reason) == [reason])
        #expect(rewritten(code) == code)
    }

    @Test func `no function comes to call itself`() {
        let wrap = { (name: String, arguments: String) in
            "{ try await withCheckedThrowingContinuation { c in self.\(name)(\(arguments)completion: c.resume) } }\n"
        }
        let code = """
            extension Other {
                func old() async throws -> User \(wrap("old", ""))
                func name(of id: Int, verbose: Bool = false) async throws -> String {
                    let inner = \(wrap("old", ""))
                    return try await withCheckedThrowingContinuation { c in
                        self.name(of: id) { v, e in
                            if let e { c.resume(throwing: e) } else { c.resume(returning: v!) }
                        }
                    }
                }
                func old(of id: Int) async throws -> User \(wrap("old", ""))
                func user(_ id: Int) async { self.user(id) { if case .success(let u) = $0 { use(u) } else { fail() } } }
            }

            """
        #expect(sites(code).1.map(\.reason) == [.inTwin, nil, .inTwin, nil, .inTwin])
    }

    @Test func `a method of self is one of the type around`() {
        let other = "public struct B { public func size(completion: @escaping (Int) -> Bool) {} }\n"
        let wrap = "try await withCheckedThrowingContinuation { c in self.size(completion: c.resume) }"
        let code = "extension Api {\n    func a() async throws { use(\(wrap)) }\n}\n"
        #expect(sites(code, other).1.map(\.reason) == [nil])
        #expect(sites(code.replacing("Api", with: "C"), other).1.map(\.reason) == [.otherFunctions])
        #expect(sites(code.replacing("self.", with: "api."), other).1.map(\.reason) == [.otherFunctions])
    }

    @Test func `an error may come first`() {
        let call = "api.first { error, name in if let error { log(error) } else { use(name!) } }"
        let text = rewritten("func f() async {\n    \(call)\n}\n")
        #expect(
            text.contains("let name = try await api.first()\n        use(name)\n    } catch {\n        log(error)\n")
        )
    }
}
