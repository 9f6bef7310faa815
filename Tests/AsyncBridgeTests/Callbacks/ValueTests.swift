// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// Values of every layout that a payload tells apart, by all ways that a value can take.
@Suite("Values of every layout", .timeLimit(.minutes(10)))
struct ValueTests {
    struct Large: Equatable, Sendable {
        var words: (Int, Int, Int, Int, Int) = (1, 2, 3, 4, 5)

        static func == (left: Large, right: Large) -> Bool { left.words == right.words }
    }

    struct Aligned: Equatable, Sendable {
        var vector = SIMD4<Float>(1, 2, 3, 4)
    }

    /// Four words and the tag of a `Result`, or less, and more.
    enum Layout: CaseIterable {
        case void, byte, word, threeWords, fourWords, large, aligned, string, tuple, optional, existential
    }

    @Test(arguments: Layout.allCases)
    func `arrive unchanged`(_ layout: Layout) async throws {
        switch layout {
        case .void: try await Self.check(()) { _, _ in true }
        case .byte: try await Self.check(UInt8(200), ==)
        case .word: try await Self.check(Int.min, ==)
        case .threeWords: try await Self.check((1, 2, 3), ==)
        case .fourWords: try await Self.check((1, 2, 3, 4), ==)
        case .large: try await Self.check(Large(), ==)
        case .aligned: try await Self.check(Aligned(), ==)
        case .string: try await Self.check(String(repeating: "long enough for a buffer ", count: 3), ==)
        case .tuple: try await Self.check((1, "two", [3]), ==)
        case .optional: try await Self.check(Int?.none, ==)
        case .existential: try await Self.check(3 as any Sendable) { $0 as? Int == $1 as? Int }
        }
    }

    private static func check<Value: Sendable>(_ value: Value, _ isSame: (Value, Value) -> Bool) async throws {
        let atOnce = try await withCallback(of: Value.self) { callback in callback.resume(returning: value) }
        #expect(isSame(atOnce, value))

        let late = Exchange<Value>.parked()
        late.resume(returning: value)
        late.wait.turn()
        #expect(isSame(try late.wait.get(), value))

        let refused = Exchange<Value>.parked()
        refused.cancel()
        refused.resume(returning: value)
        #expect(refused.undelivered.count == 1)
        #expect(isSame(try #require(refused.undelivered.all.first), value))
    }

    /// What becomes of a value.
    enum Way: CaseIterable {
        case atOnce
        case atOnceWithAction
        case late
        case secondAnswer
        case afterCancellation
        case startThrows
        case startThrowsWithAction
    }

    enum Size: CaseIterable {
        case oneWord
        case fiveWords
        case existential
    }

    @Test(arguments: Way.allCases, Size.allCases)
    func `own what they hold once: nothing leaks, nothing is released twice`(_ way: Way, _ size: Size) {
        let lifetimes = Lifetimes()
        switch size {
        case .oneWord: Self.send(by: way) { lifetimes.probe() }
        case .fiveWords: Self.send(by: way) { (0..<5).map { _ in lifetimes.probe() }.five }
        case .existential: Self.send(by: way) { lifetimes.probe() as any Sendable }
        }
        #expect(lifetimes.alive == 0)
    }

    private static func send<Value: Sendable>(by way: Way, _ make: @escaping @Sendable () -> Value) {
        let exchange = Exchange<Value>(start: { callback in
            if way == .atOnceWithAction || way == .startThrowsWithAction { callback.onCancel {} }
            switch way {
            case .atOnce, .atOnceWithAction: callback.resume(returning: make())
            case .startThrows, .startThrowsWithAction:
                callback.resume(returning: make())
                throw APIError()
            case .late, .secondAnswer, .afterCancellation: break
            }
        })
        exchange.wait.turn()
        if way == .afterCancellation { exchange.cancel() }
        exchange.resume(returning: make())
        if way == .secondAnswer { exchange.resume(returning: make()) }
        exchange.wait.turn()
        #expect(exchange.wait.hasEnded)
    }
}

extension [Lifetimes.Probe] {
    /// Five references in a row, which no four words hold.
    fileprivate var five: (Element, Element, Element, Element, Element) {
        (self[0], self[1], self[2], self[3], self[4])
    }
}
