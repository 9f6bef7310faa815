// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import HandlerShapesInSwift5
import Testing

/// That many shapes compile, in both language modes, in debug and in release, and each answers with its own number.
///
/// Almost half of them made the compiler crash.
@Suite("Shapes of handlers made out of a closure", .timeLimit(.minutes(10)))
struct HandlerShapeTests {
    @Test func `of a callback`() async throws {
        #expect(try await HandlerShapes.callbacks() == Array(0..<28))
    }

    @Test func `of a callback in Swift 5`() async throws {
        #expect(try await HandlerShapesInSwift5.HandlerShapes.callbacks() == Array(0..<28))
    }

    @Test func `of a sink`() async throws {
        #expect(try await HandlerShapes.sinks() == Array(0..<10))
    }

    @Test func `of a sink in Swift 5`() async throws {
        #expect(try await HandlerShapesInSwift5.HandlerShapes.sinks() == Array(0..<10))
    }

    @Test func `a trailing closure starts the work of a slot's caller`() async throws {
        #expect(try await HandlerShapes.slot() == Array(0..<4))
    }

    @Test func `in Swift 5 as well: a slot's caller`() async throws {
        #expect(try await HandlerShapesInSwift5.HandlerShapes.slot() == Array(0..<4))
    }
}
