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
            "\(try await Editor().advance())",
        ]
    }
}
#endif
