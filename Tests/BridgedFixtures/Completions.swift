// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import AsyncBridgeMacros

/// An async API, for callers with completion handlers.
public struct AsyncClient: Sendable {
    /// Loads a quote.
    @Bridged
    public func quote(_ id: Int, retries: Int = 3) async throws -> Int { id }

    @Bridged
    func ready() async -> (Void) {}

    @Bridged
    func typed(_ id: Int) async throws(ParseError) -> Int { throw ParseError(column: id) }

    @Bridged
    static func make<T: Sendable>(_ value: T) async -> T where T: Equatable { value }

    @Bridged
    func count<Items: Collection, Element: Comparable>(
        of items: Items,
        above least: Element
    ) async -> Int where Items.Element == Element {
        items.count { $0 > least }
    }

    @Bridged
    func apply(_ body: (Int) -> Int, _ other: @escaping (Int) -> Int) async -> Int { other(body(1)) }

    @Bridged
    func text(_ text: @autoclosure @escaping @Sendable () -> String) async -> String { text() }

    @Bridged
    func text(lazily text: @autoclosure () throws -> String, _ again: ((Int) -> Int)?) async rethrows -> String {
        try text()
    }

    @Bridged
    func take(_ picture: sending Picture) async -> sending Picture { picture }

    @Bridged
    func give(_ picture: Picture) async -> Int { picture.width }

    @Bridged
    func repeated(_ count: Int) async throws -> (first: Int, second: [Int]) { (count, [count]) }
}

@Bridged
func half(_ number: Int) async throws -> Int { number / 2 }

/// A protocol of a library, whose twins are public as well.
@BridgedProtocol
@available(macOS 15, *)
public protocol PublicLoader: Sendable {
    /// Loads a number.
    func load(_ id: Int) async throws -> Int

    /// Takes the next number.
    ///
    /// - Parameter completion: Gets it.
    mutating func next(completion: @escaping @Sendable (Int) -> Void)
}

/// Not Sendable: a task gets the type alone.
@BridgedProtocol
protocol Factory {
    @Bridged
    static func make(_ id: Int) async -> Int

    @Bridged
    static func standard() async throws -> Int
}

struct NumberFactory: Factory {
    static func make(_ id: Int) async -> Int { id }

    static func standard() async throws -> Int { 9 }
}

struct PublicNumbers: PublicLoader {
    func load(_ id: Int) async throws -> Int { id }

    mutating func next(completion: @escaping @Sendable (Int) -> Void) { completion(7) }
}

/// Not Sendable: the twin's caller must not use it afterwards.
class Gallery {
    private var pictures: [Picture] = [Picture()]

    init() {}

    @Bridged(.unchecked)
    func last() async throws -> Picture? { self.pictures.last }

    @Bridged(.unchecked)
    func clear() async { self.pictures = [] }

    @Bridged(.unchecked)
    class func shared() async -> Gallery { Gallery() }
}

enum Completions {
    static func results() async throws -> [String] {
        let client = AsyncClient()
        try await withCallback(of: Void.self) { callback in
            client.ready(completion: callback.handler())
        }
        var column = 0
        do {
            _ = try await withCallback(of: Int.self) { callback in client.typed(5, completion: callback.handler()) }
        } catch let error as ParseError { column = error.column }
        try await withCallback(of: Void.self) { callback in Gallery().clear(completion: callback.handler()) }
        var numbers = PublicNumbers()
        let next = try await numbers.next()
        let loaded = try await withCallback { callback in PublicNumbers().load(6, completion: callback.handler()) }
        return [
            "\(try await withCallback { callback in client.quote(1, completion: callback.handler()) })",
            "\(try await withCallback { callback in AsyncClient.make(2, completion: callback.handler()) })",
            "\(try await withCallback { callback in half(6, completion: callback.handler()) })",
            "\(try await withCallback { callback in client.give(Picture(), completion: callback.handler()) })",
            "\(column)", "\(loaded)", "\(next)",
            "\(try await withCallback { callback in NumberFactory.make(8, completion: callback.handler()) })",
            "\(try await withCallback(of: String.self) { client.text(lazily: "late", nil, completion: $0.handler()) })",
        ]
    }
}
#endif
