// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

class Base {
    @Bridged
    func start(completion: @escaping (Int) -> Void) { completion(0) }
}

/// Everything that a whole type may contain.
@BridgedMembers
final class Api: Base {
    let id: Int

    init(_ id: Int, completion: @escaping (Int) -> Void) {
        self.id = id
        completion(id)
    }

    /// An override: its twin is inherited.
    override func start(completion: @escaping (Int) -> Void) { completion(1) }

    func load(_ id: Int, completion: @escaping (Int) -> Void) { completion(id) }

    /// Its twin is written by hand.
    func find(_ id: Int, completion: @escaping (Int) -> Void) { completion(id) }

    func find(_ id: Int) async throws -> Int { -id }

    @Bridged(.cancel(nil))
    func own(completion: @escaping (Int) -> Void) -> Bool {
        completion(4)
        return true
    }

    /// Code that calls it without a completion goes on doing so.
    func save(completion: ((Int) -> Void)? = nil) { completion?(5) }

    func observe(handler: @escaping (Int) -> Void) { handler(6) }

    func sort(_ values: Int..., completion: @escaping (Int) -> Void) { completion(values.count) }

    func sum(_ one: Int, _ other: Int) -> Int { one + other }

    /// A twin would take the object, which is not Sendable, into a task.
    func fetch(_ id: Int) async throws -> Int { id }

    static func fetch(_ id: Int) async throws -> Int { id }
}

/// Members that only some builds have: their twins too.
@BridgedMembers
extension Api {
    #if SWIFT_PACKAGE
    func build(completion: @escaping (String) -> Void) { completion("package") }

    #if DEBUG
    func nested(completion: @escaping (Int) -> Void) { completion(1) }
    #elseif !NONE
    func nested(completion: @escaping (Int) -> Void) { completion(1) }
    #endif
    #else
    func build(completion: @escaping (String) -> Void) { completion("other") }
    #endif
}

@BridgedProtocol
protocol BuildLoader {
    #if NONE
    func missing(completion: @escaping (Missing) -> Void)
    #else
    func build(completion: @escaping (Int) -> Void)
    #endif
}

struct BuildNumber: BuildLoader {
    func build(completion: @escaping (Int) -> Void) { completion(13) }
}

/// The twin of one of them is in another extension, two are overloads, and one has an alias.
@BridgedMembers(except: "near(_:completion:)", aliases: ["Handler": ((Int?, (any Error)?) -> Void).self])
extension Api {
    func near(_ id: Int, completion: @escaping (Int) -> Void) { completion(id) }

    func like(_ id: Int, completion: @escaping (Int) -> Void) { completion(id) }

    func like(_ name: String, completion: @escaping (Int) -> Void) { completion(name.count) }

    func aliased(completion: @escaping Handler) { completion(12, nil) }
}

extension Api {
    func near(_ id: Int) async throws -> Int { -id }
}

/// Handlers whose names say little, in types that tell, or that say nothing.
@BridgedMembers
struct Terse {
    func first(block: @escaping (Int) -> Void) { block(1) }
    func second(_ f: @escaping (Int) -> Void) { f(2) }
    func third(x: Int, c: @escaping (Int) -> Void) { c(x) }
    func fourth(cb: @escaping () -> Void) { cb() }
    func fifth(closure: @escaping (Int) -> Void) { closure(5) }
    func sixth(after answer: @escaping (Int) -> Void) { answer(6) }
    func seventh(perform action: @escaping (Result<Int, ParseError>) -> Void) { action(.success(7)) }
    func eighth(_ body: @escaping (Int?, (any Error)?) -> Void) { body(8, nil) }

    /// It may keep the closure, and call it often.
    func add(_ block: @escaping (Int) -> Void) { block(10) }
    func add() async throws -> Int { -10 }

    /// May be called often: its twin would be one too many.
    func ninth(perform action: @escaping (Int) -> Void) { action(9) }
    func ninth() async throws -> Int { -9 }
}

@BridgedMembers
extension Api {
    func remove(completion: @escaping (Error?) -> Void) { completion(nil) }
}

@BridgedProtocol
protocol Loader {
    associatedtype Item: Sendable

    /// Loads an item.
    ///
    /// - Parameters:
    ///   - id: Which one.
    ///   - completion: Gets the item.
    func load(_ id: Int, completion: @escaping (Result<Item, any Error>) -> Void)

    @Bridged(.cancel { $0.stop() })
    func start(completion: @escaping (Item) -> Void) -> Job

    static func make<T: Sendable>(_ value: T, completion: @escaping (T) -> Void)

    func ask(completion: @escaping (Int) -> Void)
    func ask() async throws -> Int

    var name: String { get }
}

struct NumberLoader: Loader {
    func load(_ id: Int, completion: @escaping (Result<Int, any Error>) -> Void) { completion(.success(id)) }

    func start(completion: @escaping (Int) -> Void) -> Job {
        completion(2)
        return Job()
    }

    static func make<T: Sendable>(_ value: T, completion: @escaping (T) -> Void) { completion(value) }

    func ask(completion: @escaping (Int) -> Void) { completion(4) }

    func ask() async throws -> Int { 5 }

    let name = "numbers"
}

@BridgedProtocol
protocol Doubling {
    func double(_ number: Int, completion: @escaping (Int) -> Void)

    /// Only a requirement may have two parameters of one name.
    func add(_ `default`: Int, to default: Int, completion: @escaping (Int) -> Void)
}

/// Has an async function of its own beside the requirement: code that knows the protocol alone gets the twin.
struct OwnDoubling: Doubling {
    func double(_ number: Int, completion: @escaping (Int) -> Void) { completion(number * 2) }

    func double(_ number: Int) async throws -> Int { -number }

    func add(_ first: Int, to second: Int, completion: @escaping (Int) -> Void) { completion(first - second) }
}

enum Groups {
    static func results() async throws -> [String] {
        let api = Api(1) { _ in }
        let loader = NumberLoader()
        api.save()
        try await api.remove()
        let fetched = try await withCallback { callback in Api.fetch(7, completion: callback.handler()) }
        let terse = Terse()
        try await terse.fourth()
        let answers = [
            try await terse.first(), try await terse.second(), try await terse.third(x: 3), try await terse.fifth(),
            try await terse.sixth(), try await terse.seventh(), try await terse.eighth(), try await terse.ninth(),
            try await terse.add(),
        ]
        return [
            "\(answers)", "\(try await api.load(2))", "\(try await api.find(3))", "\(try await api.own())",
            "\(try await api.saveAsync())", "\(fetched)", "\(try await loader.load(1))", "\(try await loader.start())",
            "\(try await NumberLoader.make(3))", "\(try await api.near(3))", "\(try await api.like("four"))",
            "\(try await api.aliased())", "\(try await loader.ask())", "\(try await api.build())",
            "\(try await api.nested())", "\(try await BuildNumber().build())", "\(try await api.start())",
            "\(try await (OwnDoubling() as any Doubling).double(5))", "\(try await OwnDoubling().double(5))",
            "\(try await OwnDoubling().add(9, to: 5))",
        ]
    }
}
#endif
