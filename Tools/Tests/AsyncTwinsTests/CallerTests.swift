// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Foundation
import Testing

/// Calls of functions that have twins, as they are written afterwards.
@Suite(.timeLimit(.minutes(10))) struct `Calls become calls of twins` {
    static let api = """
        public final class Api {
            public func user(_ id: Int, completion: @escaping (Result<User, any Error>) -> Void) { completion(.success(User())) }
            public func ping(completion: @escaping (Result<Void, any Error>) -> Void) { completion(.success(())) }
            public func name(of id: Int, retries: Int = 3, completion: @escaping (String?, (any Error)?) -> Void) {
                completion("", nil)
            }
            public func save(_ user: User, done: @escaping ((any Error)?) -> Void) { done(nil) }
            public func size(completion: @escaping (Int) -> Void) { completion(1) }
        }

        """

    private func sites(_ caller: String, api: String = Self.api) -> (SourceFile, [CallerSite]) {
        let package = PlannedPackage(["App/Api.swift": api])
        let file = SourceFile(path: "App/Caller.swift", source: caller)
        return (file, CallerRewriter(TwinCalls(package.plan)).sites(in: file))
    }

    /// The code with its calls rewritten.
    private func rewritten(_ caller: String, api: String = Self.api) -> String {
        let (file, sites) = sites(caller, api: api)
        return CallerRewriter.text(of: file, sites).text
    }

    private func reasons(_ caller: String, api: String = Self.api) -> [CallerSite.Reason?] {
        sites(caller, api: api).1.map(\.reason)
    }

    @Test func `a function that shares a twin with another one keeps its callers`() {
        let api = """
            public final class Api {
                public func flush(completion: @escaping (Result<Void, any Error>) -> Void) { completion(.success(())) }
                public func flush(then: @escaping (Result<Void, any Error>) -> Void) { then(.success(())) }
            }

            """
        let table = PlannedPackage(["App/Api.swift": api]).plan.table
        #expect(table.contains("  Api.flush(then:)        has the twin of Api.flush(completion:)\n"), "\(table)")
        let closure = "{ switch $0 { case .success: a() case .failure: b() } }"
        let call = "func f(_ api: Api) async { api.flush(then: \(closure)) }"
        #expect(rewritten(call, api: api) == call)
        #expect(rewritten(call.replacing("then", with: "completion"), api: api).contains("try await api.flush()"))
    }

    @Test(arguments: [
        "api.vote(1, success: { _ in }, failure: { _ in })",
        "api.vote(1) { _ in } failure: { _ in }",
        "api.vote(1, success: { _ in }) { _ in }",
    ])
    func `a call with a handler for each answer stays, and is counted`(call: String) {
        let api = """
            public final class Api {
                public func vote(
                    _ id: Int,
                    success: @escaping (Int) -> Void,
                    failure: @escaping (any Error) -> Void
                ) {
                    success(id)
                }
            }

            """
        #expect(PlannedPackage(["App/Api.swift": api]).plan.functions.map(\.isTwin) == [true])
        #expect(reasons("func f(_ api: Api) async { \(call) }", api: api) == [.severalHandlers])
        #expect(reasons("func f(_ api: Api) { \(call) }", api: api) == [.notAsync])
        #expect(reasons("func f(_ api: Api) async { api.vote(1) }", api: api) == [])
    }

    // MARK: What is rewritten

    @Test func `a switch over a Result`() {
        let text = rewritten(
            """
            func show(_ api: Api) {
                Task {
                    api.user(3) { result in
                        switch result {
                        case .success(let user):
                            // Now it is there.
                            print(user)

                            title = user.name
                        case .failure(let error):
                            show(error)
                        }
                    }
                }
            }

            """
        )
        #expect(
            text == """
                func show(_ api: Api) {
                    Task {
                        do {
                            let user = try await api.user(3)
                            // Now it is there.
                            print(user)

                            title = user.name
                        } catch {
                            show(error)
                        }
                    }
                }

                """
        )
    }

    @Test(
        arguments: [
            // Other ways to write the cases.
            (
                "api.user(1) { switch $0 { case let .failure(e): log(e); case let .success(u): use(u) } }",
                "do {\n    let u = try await api.user(1)\n    use(u)\n} catch let e {\n    log(e)\n}"
            ),
            (
                "api.user(1, completion: { r in switch r { case .success: done()\ncase .failure: break } })",
                "do {\n    _ = try await api.user(1)\n    done()\n} catch {}"
            ),
            (
                "api.ping { r in switch r { case .success: done()\ndefault: log(error) } }",
                "do {\n    try await api.ping()\n    done()\n} catch _ {\n    log(error)\n}"
            ),
            (
                "api.user(1) { r in\n    guard case .success(let u) = r else { return fail() }\n    use(u)\n}",
                "do {\n    let u = try await api.user(1)\n    use(u)\n} catch {\n    return fail()\n}"
            ),
            (
                "api.user(1) { r in\n    if case .failure(let error) = r {\n        log(error)\n        return\n    }\n    done()\n}",
                "do {\n    _ = try await api.user(1)\n    done()\n} catch {\n    log(error)\n}"
            ),
            (
                "api.user(1) { r in\n    do {\n        let u = try r.get()\n        use(u)\n    } catch {\n        log(error)\n    }\n}",
                "do {\n    let u = try await api.user(1)\n    use(u)\n} catch {\n    log(error)\n}"
            ),
            // A value and an error.
            (
                "api.name(of: 1) { name, error in\n    guard let name else {\n        log(error!)\n        return\n    }\n    use(name)\n}",
                "do {\n    let name = try await api.name(of: 1)\n    use(name)\n} catch {\n    log(error)\n}"
            ),
            (
                "api.name(of: 1, retries: 2) { name, failure in\n    if let failure { log(failure); return }\n    use(name!.count, name?.first)\n}",
                "do {\n    let name = try await api.name(of: 1, retries: 2)\n    use(name.count, name.first)\n} catch let failure {\n    log(failure)\n}"
            ),
            (
                "api.name(of: 1) { (name: String?, error: (any Error)?) in\n    if let name = name { use(name) } else { log(error?.localizedDescription) }\n}",
                "do {\n    let name = try await api.name(of: 1)\n    use(name)\n} catch {\n    log(error.localizedDescription)\n}"
            ),
            (
                "api.name(of: 1) { if let n = $0 { use(n) } else if let e = $1 { log(e) } }",
                "do {\n    let n = try await api.name(of: 1)\n    use(n)\n} catch let e {\n    log(e)\n}"
            ),
            (
                "api.name(of: 1) { guard $1 == nil else { return log($1!) }\n    use($0!) }",
                "do {\n    let value = try await api.name(of: 1)\n    use(value)\n} catch {\n    return log(error)\n}"
            ),
            (
                "api.name(of: 1) { name, error in\n    if let error { return log(error) }\n    guard let text = name else { return log(0) }\n    use(text)\n}",
                nil
            ),
            (
                "api.name(of: 1) { name, error in\n    if let error {\n        log(error)\n        return\n    }\n    guard let text = name else { return }\n    use(text)\n}",
                "do {\n    let text = try await api.name(of: 1)\n    use(text)\n} catch {\n    log(error)\n}"
            ),
            // An error alone.
            (
                "_ = api.save(user) { error in if let error { log(error) } else { done() } }",
                "do {\n    try await api.save(user)\n    done()\n} catch {\n    log(error)\n}"
            ),
            // Text that must not be moved apart.
            (
                "api.save(user) { error in\n    guard error == nil else { return }\n    print(\"\"\"\n        one\n          two\n        \"\"\")\n}",
                "do {\n    try await api.save(user)\n    print(\"\"\"\n        one\n          two\n        \"\"\")\n} catch {}"
            ),
        ] as [(String, String?)]
    )
    func `other ways to look at an answer`(call: String, expected: String?) {
        let around = { (code: String) in
            let lines = code.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
            return "func f(_ api: Api) async {\n\(lines)\n}\n"
        }
        #expect(rewritten(around(call)) == around(expected ?? call))
        if expected == nil { #expect(reasons(around(call)) == [.otherClosure]) }
    }

    @Test func `in a task on one line`() {
        let text = rewritten(
            """
            func f() {
                Task { @MainActor in api.user(1) { r in
                    switch r {
                    case .success(let u): use(u)
                    case .failure: fail()
                    }
                } }
            }

            """
        )
        #expect(
            text == """
                func f() {
                    Task { @MainActor in
                        do {
                            let u = try await api.user(1)
                            use(u)
                        } catch {
                            fail()
                        }
                    }
                }

                """
        )
    }

    @Test func `the last statement of branches`() {
        let text = rewritten(
            """
            func f(_ id: Int?) async {
                begin()
                if let id {
                    api.user(id) { r in
                        switch r {
                        case .success(let u): use(u)
                        case .failure: fail()
                        }
                    }
                } else {
                    switch kind {
                    case .a: api.save(x) { if let e = $0 { log(e) } else { done() } }
                    default: break
                    }
                }
            }

            """
        )
        #expect(text.contains("        do {\n            let u = try await api.user(id)\n"))
        #expect(text.contains("        case .a:\n            do {\n                try await api.save(x)\n"))
    }

    @Test func `the example of the guide`() throws {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        let guide = folder.appending(path: "Sources/AsyncBridge/AsyncBridge.docc/Guides/WrappingAPackage.md")
        let text = try String(contentsOf: guide, encoding: .utf8)
        let section = try #require(text.split(separator: "### Callers, too\n").last)
        let blocks = section.split(separator: "```", omittingEmptySubsequences: false)
        for (index, start) in [(1, "Task {\n"), (5, "let user: User =")] {
            let (before, after) = (blocks[index].dropFirst("text\n".count), blocks[index + 2].dropFirst("text\n".count))
            #expect(before.hasPrefix(start))
            #expect(rewritten(String(before)) == after)
        }
    }

    // MARK: A weak self

    @Test func `a weak self is strong in a method`() {
        let text = rewritten(
            """
            func load() async {
                api.user(1) { [weak self] result in
                    guard let strongSelf = self else { return }
                    switch result {
                    case .success(let user): strongSelf.use(user)
                    case .failure(let error): self?.show(error)
                    }
                }
            }

            """
        )
        #expect(
            text == """
                func load() async {
                    do {
                        let user = try await api.user(1)
                        self.use(user)
                    } catch {
                        self.show(error)
                    }
                }

                """
        )
    }

    @Test func `a weak self stays weak in a task that has it weak`() {
        let text = rewritten(
            """
            func load() {
                Task { [weak self] in
                    api.user(1) { [weak self] result in
                        switch result {
                        case .success(let user): self?.use(user)
                        case .failure: break
                        }
                    }
                }
            }

            """
        )
        #expect(text.contains("            self?.use(user)\n        } catch {}\n"))
    }

    // MARK: What stays

    @Test(
        arguments: [
            ("func f() { api.user(1) { r in switch r { case .success: a()\ncase .failure: b() } } }", .notAsync),
            (
                "func f() async { api.user(1) { r in switch r { case .success: a()\ncase .failure: b() } }\nc() }",
                .codeFollows
            ),
            (
                "func f() async { if x { api.user(1) { r in switch r { case .success: a()\ncase .failure: b() } } }\nc() }",
                .codeFollows
            ),
            ("func f() { if x { api.user(1) { r in } }\nc() }", .notAsync),
            ("func f() async { for i in 1...3 { api.user(i) { r in use(r) } } }", .inLoop),
            ("func f() async { defer { api.user(1) { r in use(r) } } }", .codeFollows),
            ("func f() async { let t = api.user(1) { r in use(r) } }", .resultIsUsed),
            ("func f() async { return api.user(1) { r in use(r) } }", .resultIsUsed),
            (
                "func f() async { api?.user(1) { r in switch r { case .success: a()\ncase .failure: b() } } }",
                .mayNotBeCalled
            ),
            ("func f() async { api.user(1, completion: handler) }", .noClosure),
            ("func f() async { api.user(1) { r in use(r) } }", .otherClosure),
            ("func f() async { api.size { n in use(n) } }", .otherAnswer),
            (
                "func f() async { api.user(1) { r in DispatchQueue.main.async { switch r { case .success: a()\ncase .failure: b() } } } }",
                .otherClosure
            ),
            (
                "func f() async { api.user(1) { [x = y] r in switch r { case .success: a()\ncase .failure: b() } } }",
                .captures
            ),
            (
                "func f() async { api.user(1) { r in switch r { case .success: if x { break }\na()\ncase .failure: b() } } }",
                .leavesSwitch
            ),
            (
                "func f() async { api.user(1) { r in switch r { case .success: a(r)\ncase .failure: b() } } }",
                .readsOtherSide
            ),
            (
                "func f() async { api.name(of: 1) { n, e in if let e { log(e, n) } else { use(n) } } }", .readsOtherSide
            ),
            (
                "func f() async { api.user(1) { r in switch r /* why */ { case .success: a()\ncase .failure: b() } } }",
                .losesComment
            ),
            (
                "func f() async { queue.sync { api.user(1) { r in switch r { case .success: a()\ncase .failure: b() } } } }",
                .notAsync
            ),
        ] as [(String, CallerSite.Reason)]
    )
    func `calls that cannot wait, or are not understood`(code: String, reason: CallerSite.Reason) {
        #expect(reasons(code) == [reason])
        #expect(rewritten(code) == code)
    }

    @Test func `a function of the same name without a twin`() {
        let api =
            Self.api + """
                public final class Other {
                    public func user(_ id: Int, completion: @escaping (User) -> Bool) {}
                    public func user(_ id: Int, name: String, completion: @escaping (User) -> Void) { completion(User()) }
                }

                """
        let call = "{ r in switch r { case .success: a()\ncase .failure: b() } }"
        #expect(reasons("func f() async { api.user(1) \(call) }", api: api) == [.otherFunctions])
        #expect(reasons("func f() async { api.ping \(call) }", api: api) == [nil])
    }

    @Test func `twins that differ only in what they return`() {
        let api = """
            public protocol Model {
                static func all<I: Hashable>(_ done: @escaping ([(I, Self)]?, (any Error)?) -> Void)
                static func all<I: Hashable>(_ done: @escaping ([I: Self]?, (any Error)?) -> Void)
            }

            """
        let call = """
            Dog.all { (all: [Int: Dog]?, error: (any Error)?) in
                if let error { report(error) } else if let all { use(all) }
            }
            """
        #expect(reasons("func f() async { \(call) }", api: api) == [.noTwin])
    }

    @Test func `calls of functions without handlers are no calls of twins`() {
        #expect(
            reasons("func f() async { other.forEach { r in use(r) }\nwhat(1) { r in }\napi.user(x: 1) { r in } }") == []
        )
    }

    @Test func `line ends stay as they are`() {
        let code = "func f() async {\n    api.save(x) { if let e = $0 { log(e) } else { done() } }\n}\n"
        #expect(rewritten(code.replacing("\n", with: "\r\n")) == rewritten(code).replacing("\n", with: "\r\n"))
    }
}
