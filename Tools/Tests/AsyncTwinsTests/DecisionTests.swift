// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import AsyncTwins
import ExactlyOnce
import Testing

/// Which functions get a twin.
@Suite(.timeLimit(.minutes(10))) struct `Which functions get a twin` {
    @Test func `none of those that may call back more than once`() throws {
        let package = try PlannedPackage(PlannedPackage.declarations("SeveralShots"), takesInternal: true)
        #expect(package.plan.functions.count == 40)
        #expect(package.states.filter { $0.value != "several-shot" } == [:])
    }

    // Each alone: one would hide the other.
    @Test(arguments: [
        ("func forEach(operation: @escaping (Int?, (any Error)?) -> Void) { next(operation) }", "is among the APIs"),
        ("func items(handler: @escaping (Int) -> Void) { each.forEach(handler) }", "passes its handler on to"),
    ])
    func `none that loops, as its name or that of what it calls says`(function: String, reason: String) {
        let functions = PlannedPackage("public \(function)\n").plan.functions
        guard functions.count == 1, case .severalShots(let shots) = functions[0].decision else {
            Issue.record("\(functions.map(\.decision))")
            return
        }
        #expect(shots.words.hasPrefix(reason), "\(shots.words)")
    }

    @Test func `all that only look like those`() throws {
        let package = try PlannedPackage(PlannedPackage.declarations("SingleShots"), takesInternal: true)
        #expect(package.plan.functions.count == 13)
        #expect(package.states.filter { $0.value != "twin" } == [:])
    }

    @Test func `a function that hands its handler on to one that calls it often`() {
        let package = PlannedPackage(
            """
            public func all(handler: @escaping (Int) -> Void) { relay(handler: handler) }
            public func relay(handler: @escaping (Int) -> Void) { store(handler: handler) }
            public func store(handler: @escaping (Int) -> Void) { self.handler = handler }
            public func once(handler: @escaping (Int) -> Void) { handler(1) }

            """
        )
        #expect(package.states["all(handler:)"] == "several-shot")
        #expect(package.states["relay(handler:)"] == "several-shot")
        #expect(package.states["once(handler:)"] == "twin")
    }

    @Test func `what another file cannot reach has none, and what is internal only on demand`() {
        let source = """
            public struct A {
                private func a(completion: @escaping () -> Void) { completion() }
                fileprivate func b(completion: @escaping () -> Void) { completion() }
                func c(completion: @escaping () -> Void) { completion() }
                public func d(completion: @escaping () -> Void) { completion() }
            }
            private struct B { public func e(completion: @escaping () -> Void) { completion() } }
            struct C { public func f(completion: @escaping () -> Void) { completion() } }
            private extension A { func g(completion: @escaping () -> Void) { completion() } }
            public extension A { func h(completion: @escaping () -> Void) { completion() } }
            extension B { public func i(completion: @escaping () -> Void) { completion() } }

            """
        let states = PlannedPackage(source).states
        #expect(states.filter { $0.value == "private" }.keys.sorted() == ["A.a", "A.b", "A.g", "B.e", "B.i"].titles)
        #expect(states.filter { $0.value == "internal" }.keys.sorted() == ["A.c", "C.f"].titles)
        #expect(states.filter { $0.value == "twin" }.keys.sorted() == ["A.d", "A.h"].titles)
        let all = PlannedPackage(source, takesInternal: true).states
        #expect(all.filter { $0.value == "twin" }.keys.sorted() == ["A.c", "A.d", "A.h", "C.f"].titles)
    }

    @Test func `a type of another file may be private to its package`() {
        let package = PlannedPackage([
            "a.swift": "struct A {}\n",
            "b.swift": "extension A { public func a(completion: @escaping () -> Void) { completion() } }\n",
        ])
        #expect(package.states == ["A.a(completion:)": "internal"])
    }

    @Test func `a function that has an async one already gets none`() {
        let package = PlannedPackage([
            "a.swift": """
            public struct A {
                public func same(id: Int, completion: @escaping (Int) -> Void) { completion(id) }
                public func near(id: Int, queue: Queue, completion: @escaping (Int) -> Void) { completion(id) }
                public func other(id: Int, completion: @escaping (Int) -> Void) { completion(id) }
            }
            public struct B {
                public func same(id: Int, completion: @escaping (Int) -> Void) { completion(id) }
            }

            """,
            "b.swift": """
            extension A {
                public func same(id: Int) async -> Int { id }
                public func near(id: Int) async -> Int { id }
                public func other(name: String) async -> Int { 1 }
            }

            """,
        ])
        #expect(package.states["A.same(id:completion:)"] == "existing")
        #expect(package.states["A.near(id:queue:completion:)"] == "near-twin")
        #expect(package.states["A.other(id:completion:)"] == "twin")
        #expect(package.states["B.same(id:completion:)"] == "twin")
    }

    @Test func `two functions with one twin get it once, unless only one of them is compiled`() {
        let package = PlannedPackage(
            """
            public func a(completion: @escaping (Result<Int, any Error>) -> Void) { completion(.success(1)) }
            public func a(completion: @escaping (Int?, (any Error)?) -> Void) { completion(1, nil) }
            #if os(Linux)
            public func b(completion: @escaping (Int) -> Void) { completion(1) }
            #else
            public func b(completion: @escaping (Int) -> Void) { completion(2) }
            #endif

            """
        )
        #expect(package.states["a(completion:)"] == "twin, existing")
        #expect(package.states["b(completion:)"] == "twin, twin")
    }

    @Test func `the twin of a requirement is that of all types that conform`() {
        let package = PlannedPackage([
            "a.swift": """
            public protocol P { func a(completion: @escaping (Int) -> Void) }
            public protocol Q: P {}
            protocol R { func b(completion: @escaping (Int) -> Void) }

            """,
            "b.swift": """
            public class A: Q {
                public func a(completion: @escaping (Int) -> Void) { completion(1) }
                public func b(completion: @escaping (Int) -> Void) { completion(1) }
            }
            extension A: R {}
            public class B { public func a(completion: @escaping (Int) -> Void) { completion(1) } }

            """,
        ])
        #expect(package.states["P.a(completion:)"] == "twin")
        #expect(package.states["A.a(completion:)"] == "inherited")
        // The protocol is internal, and gets none.
        #expect(package.states["A.b(completion:)"] == "twin")
        #expect(package.states["B.a(completion:)"] == "twin")
    }

    @Test func `an async function is that of one overload, and not of the others`() {
        let package = PlannedPackage(
            """
            public struct A {
                public func remove(_ ids: [Int], completion: @escaping (Int) -> Void) { completion(1) }
                public func remove(_ ids: [String], completion: @escaping (Int) -> Void) { completion(1) }
                public func remove(_ ids: [String]) async throws -> Int { 1 }
                public func find<T>(_ id: Int, completion: @escaping (T) -> Void) where T: Decodable { load(completion) }
                public func find<T: Decodable>(_ id: Int) async throws -> T { try await load() }
                public func keep(_ id: Key, completion: @escaping (Int) -> Void) { completion(1) }
                public func keep(_ id: Int) async throws -> Int { 1 }
            }

            """
        )
        // Nobody else's handler takes the last one's parameter: an alias may.
        #expect(package.plan.functions.map(\.decision.word) == ["twin", "existing", "existing", "existing"])
    }

    @Test func `a default implementation has the twin of its requirement`() {
        let package = PlannedPackage(
            """
            public protocol P { func a(completion: @escaping (Int) -> Void) }
            extension P { public func a(completion: @escaping (Int) -> Void) { completion(1) } }

            """
        )
        #expect(package.plan.functions.map(\.decision.word) == ["twin", "inherited"])
        #expect(package.plan.summary.contains("  1 with that of a protocol's requirement, which calls them\n"))
    }

    @Test func `requirements that differ in what their handlers get have a twin each, if callers name that anyway`() {
        let package = PlannedPackage(
            """
            public protocol Model {
                static func all(_ done: @escaping ([Self]?, (any Error)?) -> Void)
                static func all<I: Hashable>(_ done: @escaping ([(I, Self)]?, (any Error)?) -> Void)
                static func all<I: Hashable>(_ done: @escaping ([I: Self]?, (any Error)?) -> Void)
            }
            extension Model {
                public static func all(_ done: @escaping ([Self]?, (any Error)?) -> Void) { done([], nil) }
                public static func all<I: Hashable>(_ done: @escaping ([(I, Self)]?, (any Error)?) -> Void) {
                    done([], nil)
                }
                public static func all<I:Hashable>(_ done: @escaping ([I: Self]?, (any Error)?) -> Void) {
                    done([:], nil)
                }
            }

            """
        )
        let words = Array(repeating: "twin", count: 3) + Array(repeating: "inherited", count: 3)
        #expect(package.plan.functions.map(\.decision.word) == words)
        #expect(package.overlay()?.contains("all<I: Hashable>() async throws -> [I: Self] {") == true)
    }

    @Test func `a twin that would differ from another one only in what it returns is refused`() {
        let package = PlannedPackage(
            """
            public func run(_ query: String, completion: @escaping ([Int]?, (any Error)?) -> Void) { completion([], nil) }
            public func run(_ query: String, completion: @escaping ((any Error)?) -> Void) { completion(nil) }
            public func run(_ query: String, then: @escaping ([Int]?, (any Error)?) -> Void) { then([], nil) }

            """
        )
        #expect(package.plan.functions.map(\.decision.word) == ["twin", "refused", "existing"])
        #expect(
            package.plan.table.contains("only in what it returns from that of 'run(_:completion:)', a.swift:1, and")
        )
        #expect(
            package.plan.summary.contains("  1 refused: their twins would differ from others only in what they return")
        )
    }

    @Test func `callers of a requirement's twin leave out what they may leave out`() {
        let package = PlannedPackage(
            """
            public protocol P {
                func load(_ id: Int, from store: Store?, completion: @escaping (Int) -> Void)
                func save(_ id: Int, in store: Store?, completion: @escaping ((any Error)?) -> Void)
            }
            extension P {
                public func load(_ id: Int = 1, from store: Store? = nil, completion: @escaping (Int) -> Void) {
                    completion(id)
                }
            }
            extension P where Self: AnyObject {
                public func save(_ id: Int, in store: Store? = nil, completion: @escaping ((any Error)?) -> Void) {
                    completion(nil)
                }
            }

            """
        )
        let overlay = package.overlay() ?? ""
        #expect(
            overlay.contains("func load(_ id: Int = 1, from store: Store? = nil) async throws -> Int {"),
            "\(overlay)"
        )
        #expect(overlay.contains("self.load(id, from: store, completion: callback.valueHandler())"), "\(overlay)")
        // Not all types have that one.
        #expect(overlay.contains("func save(_ id: Int, in store: Store?) async throws {"), "\(overlay)")
    }

    @Test func `the twin of a requirement has another name if a type lets the completion be left out`() {
        let package = PlannedPackage(
            """
            public protocol P {
                func save(_ id: Int, completion: @escaping ((any Error)?) -> Void)
                func load(_ id: Int, completion: @escaping (Int) -> Void)
            }
            public struct A: P {
                public func save(_ id: Int, completion: @escaping ((any Error)?) -> Void = { _ in }) { completion(nil) }
                public func load(_ id: Int = 1, completion: @escaping (Int) -> Void) { completion(id) }
            }

            """
        )
        #expect(
            package.twins == [
                "P.save(_:completion:)": "saveAsync(_:)", "P.load(_:completion:)": "load(_:)",
                // Who knows the type may leave out the number.
                "A.load(_:completion:)": "load(_:)",
            ]
        )
        #expect(package.plan.functions.first?.marks == ["unproven", "renamed"])
        #expect(package.overlay()?.contains("func load(_ id: Int) async throws -> Int {") == true)
        #expect(package.overlay()?.contains("func load(_ id: Int = 1) async throws -> Int {") == true)
    }

    @Test func `a twin beside a synchronous function has another name`() {
        let package = PlannedPackage(
            """
            public struct A {
                public func size(of name: String) throws -> Int { 1 }
                public func size(of name: String, completion: @escaping (Result<Int, any Error>) -> Void) {
                    completion(.success(1))
                }
                public func size(at place: Int) -> Int { 1 }
                public func size(at place: String, completion: @escaping (Result<Int, any Error>) -> Void) {
                    completion(.success(1))
                }
                public func save() -> AnyPublisher<Void, Never> { Empty().eraseToAnyPublisher() }
                public func save(completion: @escaping () -> Void) { completion() }
                public func drop() -> () {}
                public func drop(completion: @escaping () -> Void) { completion() }
            }
            public func load(completion: @escaping (Int) -> Void) { completion(1) }
            public func load() -> Int { 1 }

            """
        )
        #expect(
            package.twins == [
                "A.size(of:completion:)": "sizeAsync(of:)", "A.size(at:completion:)": "size(at:)",
                "A.save(completion:)": "save()", "A.drop(completion:)": "dropAsync()",
                "load(completion:)": "loadAsync()",
            ]
        )
        let renamed = package.plan.functions.filter { $0.marks.contains("renamed") }
        #expect(renamed.map(\.title) == ["A.size(of:completion:)", "A.drop(completion:)", "load(completion:)"])
        let words = "3 called …Async, because calls of a synchronous function would mean the twin"
        #expect(package.plan.summary.contains(words))
    }

    @Test(arguments: [
        ("save(_ id: Int) -> Int", "save(_ id: Int, on queue: Queue = .main, ", true),
        ("save(_ id: Int, deep: Bool = false) -> Int", "save(_ id: Int, ", true),
        ("save(_ id: Int) -> Int?", "save(_ id: Int?, ", true),
        ("save(_ id: Int, deep: Bool) -> Int", "save(_ id: Int, ", false),
        ("save(_ id: Int) -> Int", "save(_ id: Int, on queue: Queue, ", false),
        ("save(id: Int) -> Int", "save(_ id: Int, ", false),
        ("save(_ id: Int)", "save(_ id: Int, ", false),
    ])
    func `calls that fit both are told by defaults, too`(_ other: String, _ start: String, _ isRenamed: Bool) {
        for place in ["", "}\nextension A: P {}\nextension P {"] {
            let package = PlannedPackage(
                """
                public protocol P {}
                public struct A {
                    public func \(start)completion: @escaping (Int) -> Void) { completion(1) }
                \(place)
                    public func \(other) { fatalError() }
                }

                """
            )
            #expect(package.plan.functions.first?.marks.contains("renamed") == isRenamed, "\(package.twins)")
        }
    }

    @Test func `what says in debug builds alone that a path is impossible is not proven`() {
        let package = PlannedPackage(
            """
            public func a(_ id: Int?, completion: @escaping (Int) -> Void) {
                guard let id else { assertionFailure("no id"); return }
                completion(id)
            }
            public func b(_ id: Int?, completion: @escaping (Int) -> Void) {
                guard let id else { fatalError("no id") }
                completion(id)
            }

            """
        )
        #expect(package.plan.functions.map(\.verdict.word) == ["unproven", "proven"])
    }

    @Test func `a requirement of a delegate has none, nor what implements it`() {
        let package = PlannedPackage(
            """
            public protocol ClientDelegate: AnyObject {
                func received(_ challenge: Int, completionHandler: @escaping (Bool) -> Void)
            }
            public final class A: ClientDelegate {
                public func received(_ challenge: Int, completionHandler: @escaping (Bool) -> Void) {
                    completionHandler(true)
                }
            }

            """
        )
        #expect(Set(package.states.values) == ["refused"])
    }

    @Test func `the twin of a requirement has another name if a type has a synchronous function like it`() {
        let package = PlannedPackage(
            """
            public protocol P {
                func load(_ id: Int, completion: @escaping (Int) -> Void)
            }
            public struct A: P {
                public func load(_ id: Int) -> Int { id }
                public func load(_ id: Int, completion: @escaping (Int) -> Void) { completion(id) }
            }

            """
        )
        #expect(package.twins == ["P.load(_:completion:)": "loadAsync(_:)"])
        #expect(package.states["A.load(_:completion:)"] == "inherited")
    }

    @Test func `a delegate's method has none, wherever its protocol is`() {
        let package = PlannedPackage([
            "a.swift": """
            public class A {
                public func session(_ session: WebSession, did number: Int, completion: @escaping (Int) -> Void) {
                    completion(number)
                }
                public func send(_ data: Data, to name: String, completion: @escaping (Int) -> Void) { completion(1) }
            }
            public class B {
                public func session(_ session: WebSession, did number: Int, completion: @escaping (Int) -> Void) {
                    completion(number)
                }
            }

            """,
            "b.swift": """
            extension A: Sendable, WebSessionDelegate {}
            public protocol WebSessionDelegateProtocol {
                func session(_ session: WebSession, did number: Int, completion: @escaping (Int) -> Void)
            }
            public protocol Sessions {
                func session(_ session: WebSession, did number: Int, completion: @escaping (Int) -> Void)
            }

            """,
        ])
        #expect(package.states["WebSessionDelegateProtocol.session(_:did:completion:)"] == "refused")
        #expect(package.states["Sessions.session(_:did:completion:)"] == "twin")
        #expect(package.states["A.session(_:did:completion:)"] == "refused")
        #expect(package.states["A.send(_:to:completion:)"] == "twin")
        #expect(package.states["B.session(_:did:completion:)"] == "twin")
    }

    @Test func `what cannot have one is refused with a reason`() {
        let package = PlannedPackage(
            """
            open class A: B {
                public init(completion: @escaping () -> Void) {}
                open override func load(completion: @escaping () -> Void) { completion() }
                public func ask(completion: @escaping () -> Bool) { }
                public func stub(completion: @escaping (Int) -> Void) { fatalError() }
                public func foreign(completion: @escaping Kit.Handler) { completion() }
                public func token(completion: @escaping () -> Void) -> Int { completion(); return 1 }
                public func withLoop(_ callback: @escaping (Loop) -> Void) { run { callback(self.loop) } }
            }

            """
        )
        let reasons = package.plan.functions.map { function in
            if case .refused(let reason, _) = function.decision { reason } else { function.decision.word }
        }
        #expect(
            reasons == [
                "initialiser", "overriding", "handlerReturns", "neverCalled", "aliasedCompletion", "returnsOther",
                "lentValue",
            ]
        )
    }

    /// A wait for it would never end, and nothing would drop the handler.
    @Test func `what returns work that nobody has started gets none`() {
        let package = PlannedPackage(
            """
            public struct A {
                public func task(completion: @escaping (Int) -> Void) -> URLSessionTask {
                    session.dataTask(with: url) { _, _, _ in completion(2) }
                }
                public func operation(completion: @escaping (Int) -> Void) -> Operation {
                    BlockOperation { completion(2) }
                }
                public func started(completion: @escaping (Int) -> Void) -> URLSessionTask {
                    let task = session.dataTask(with: url) { _, _, _ in completion(2) }
                    task.resume()
                    return task
                }
                public func loaded(completion: @escaping (Int) -> Void) -> URLSessionTask { load(completion) }
                public func both(completion: @escaping (Int) -> Void) -> Operation & TransportTask { load(completion) }
            }

            """
        )
        let reasons = package.plan.functions.map { function in
            if case .refused(let reason, _) = function.decision { reason } else { function.decision.word }
        }
        #expect(reasons == ["notStarted", "notStarted", "twin", "twin", "twin"])
    }

    // There is no attribute to write an argument into.
    @Test func `a reason says what to write by hand`() {
        let package = PlannedPackage(
            """
            public class A {
                public func start(completion: @escaping () -> Void) -> Watch { completion(); return Watch() }
                public func close(completion: @escaping () -> Void) -> () -> Void { completion(); return {} }
                public func count(completion: @escaping () -> Void) -> Int { completion(); return 1 }
                public func cancel(byProducingData completionHandler: @escaping (Int) -> Void) {
                    completionHandler(1)
                }
                public func foreign(completion: @escaping Kit.Handler) { completion() }
                public func ask(completion: @escaping () -> Bool) { }
            }

            """
        )
        let messages = package.plan.functions.map { function in
            if case .refused(_, let message) = function.decision { message } else { function.decision.word }
        }
        let expected = [
            """
            the function returns 'Watch', which the twin cannot return too. Write one by hand: withCallback { … } \
            onCancel: { $0.cancel() } if that stops the work, withCallback { _ = … } if nobody needs it
            """,
            """
            the function returns '() -> Void', which the twin cannot return too. Write one by hand: withCallback { … } \
            onCancel: { $0() } if that stops the work, withCallback { _ = … } if nobody needs it
            """,
            """
            the function returns 'Int', which the twin cannot return too. Write one by hand: withCallback { _ = … } if \
            nobody needs it
            """,
            """
            'byProducingData' is part of what the function is called, and the twin would only be called 'cancel'. Write \
            one by hand: with a name of its own
            """,
            """
            nothing here tells what the handler gets: 'Kit.Handler'. Write one by hand: withCallback { … } with what the \
            handler gets
            """,
            """
            the handler returns 'Bool' to the function that calls it; an async function that has returned can give \
            nothing back. Write the bridge by hand with withCallback
            """,
        ]
        #expect(messages == expected)
    }

    @Test func `what is lent to a handler cannot be returned`() throws {
        let package = PlannedPackage([
            "a.swift": """
            public final class Database {}
            public class Response {}
            public struct Page {}
            public class Queue {
                public func read<T>(_ value: (Database) throws -> T) throws -> T { try value(Database()) }
                public func page<T>(_ body: (Page) throws -> T) throws -> T { try body(Page()) }
                public func asyncRead(_ value: @escaping (Result<Database, any Error>) -> Void) {
                    value(.success(Database()))
                }
                public func migrate(completion: @escaping (Database) -> Void) { completion(Database()) }
                public func send(_ reply: @escaping (Result<Response, any Error>) -> Void) {
                    reply(.success(Response()))
                }
                public func show(_ reply: @escaping (Result<Page, any Error>) -> Void) { reply(.success(Page())) }
                public func bytes(completion: @escaping (UnsafeRawBufferPointer) -> Void) { map(completion) }
            }

            """,
            "b.swift": """
            extension Queue {
                public typealias Access = (Database?, (any Error)?) -> Void
                public func write(_ reply: @escaping Access) { reply(Database(), nil) }
            }

            """,
        ])
        let refused = package.plan.functions.compactMap { function -> (String, String)? in
            guard case .refused("lentValue", let message) = function.decision else { return nil }
            return (function.name, message)
        }
        #expect(refused.map(\.0).sorted() == ["asyncRead", "bytes", "migrate", "write"])
        let said = try #require(refused.first { $0.0 == "write" }).1
        #expect(said.hasPrefix("objects of 'Database' are lent to closures, as by 'Queue.read(_:)', and a twin would"))
        // Nobody lends a `Response`, and a value is a copy.
        #expect(package.states["Queue.send(_:)"] == "twin")
        #expect(package.states["Queue.show(_:)"] == "twin")
    }

    @Test func `what calls back before it returns, or may do something, is no function with a completion handler`() {
        let package = PlannedPackage(
            """
            public func a(completion: () -> Void) { completion() }
            public func b(_ action: @escaping () -> Void) { action() }
            public func c(_ number: Int) async {}
            public func d(completionQueue: Queue) {}
            public enum PoolCompletion {}
            public func e(completion: PoolCompletion) {}
            public func f(completion: Subscribers.Completion<Never>) {}

            """
        )
        #expect(package.plan.functions.isEmpty)
    }

    // MARK: The verdict of the checker

    @Test func `the checker's verdict is a mark`() {
        let package = PlannedPackage(
            """
            public func once(completion: @escaping (Int) -> Void) { completion(1) }
            public func twice(completion: @escaping (Int) -> Void) {
                completion(1)
                completion(2)
            }
            public func never(_ id: Int?, completion: @escaping (Int) -> Void) {
                guard let id else { return }
                completion(id)
            }
            public func unseen(completion: @escaping (Int) -> Void) { queue.enter(completion) }
            public protocol P { func required(completion: @escaping (Int) -> Void) }

            """
        )
        let verdicts = package.plan.functions.map { "\($0.name) \($0.verdict.word)" }
        #expect(verdicts == ["once proven", "twice doubled", "never dropped", "unseen unproven", "required unproven"])
        #expect(package.plan.functions[1].verdict.findings.map(\.location.line) == [4])
        #expect(package.plan.summary.contains("  a.swift:4: "))
        #expect(package.plan.functions[2].marks == ["dropped"])
    }
}

extension [String] {
    /// The titles of functions without other parameters.
    fileprivate var titles: [String] { map { $0 + "(completion:)" } }
}
