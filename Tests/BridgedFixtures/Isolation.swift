// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

@MainActor
final class Screen {
    private var shown = 0

    @Bridged
    func show(_ value: Int, completion: @escaping (Int) -> Void) {
        self.shown = value
        completion(self.shown)
    }

    @Bridged
    func present(completion: @escaping @MainActor (Int?, Error?) -> Void) { completion(2, nil) }

    @Bridged
    nonisolated func version(completion: @escaping @Sendable (Int) -> Void) { completion(3) }

    @Bridged
    func reload(_ value: Int) async throws -> Int {
        self.shown = value
        return value
    }
}

/// Members of a subclass are on the main actor implicitly.
@MainActor class View {}

final class Label: View {
    private var text = 0

    @Bridged
    func set(_ value: Int, completion: @escaping (Int) -> Void) {
        self.text = value
        completion(self.text)
    }

    @Bridged
    func read() async -> Int { self.text }
}

actor Counter {
    private var count = 0

    @Bridged
    func add(_ value: Int, completion: @escaping (Int) -> Void) {
        self.count += value
        completion(self.count)
    }

    @Bridged
    @MainActor
    func shown() async -> Int { 8 }

    @Bridged
    func total(adding value: Int) async -> Int {
        self.count += value
        return self.count
    }
}

/// A global actor with any name.
@globalActor
actor Database {
    static let shared = Database()
}

final class Store: Sendable {
    @Database
    private func row(_ id: Int) -> Int { id }

    @Bridged
    @Database
    func find(_ id: Int, completion: @escaping (Int) -> Void) { completion(self.row(id)) }

    @Bridged
    @Database
    func count() async -> Int { self.row(11) }

    @Database
    func counted() async throws -> Int {
        try await withCallback(of: Int.self) { callback in self.count(completion: callback.handler()) }
    }
}

/// Members that leave their type's actor.
@MainActor
final class Studio {
    @Bridged
    @concurrent
    nonisolated func render() async -> Int { 12 }

    @Bridged
    nonisolated(nonsending) func mix() async -> Int { 13 }

    nonisolated init() {}

    nonisolated func all() async throws -> [Int] {
        let rendered = try await withCallback(of: Int.self) { callback in self.render(completion: callback.handler()) }
        let mixed = try await withCallback(of: Int.self) { callback in self.mix(completion: callback.handler()) }
        return [rendered, mixed]
    }
}

/// Not Sendable.
final class Parser {
    private var position = 0

    @Bridged(.nonsending)
    func advance(completion: @escaping (Int) -> Void) {
        self.position += 1
        completion(self.position)
    }
}

@MainActor
final class Editor {
    private let parser = Parser()

    // Without `.nonsending` the parser would leave the main actor.
    func advance() async throws -> Int { try await self.parser.advance() }
}

enum Isolation {
    @MainActor
    static func results() async throws -> [String] {
        let screen = Screen()
        let label = Label()
        let counter = Counter()
        let reloaded = try await withCallback { callback in
            screen.reload(4) { callback.resume(with: $0) }
        }
        let read = try await withCallback(of: Int.self) { callback in
            label.read { callback.resume(with: $0) }
        }
        let total = try await withCallback { callback in
            counter.total(adding: 7, completion: callback.handler())
        }
        return [
            "\(try await screen.show(1))", "\(try await screen.present())", "\(try await screen.version())",
            "\(reloaded)", "\(try await label.set(5))", "\(read)", "\(total)", "\(try await counter.add(1))",
            "\(try await Editor().advance())", "\(try await Store().find(10))",
            "\(try await Store().counted())",
            "\(try await Studio().all())",
        ]
    }
}
#endif
