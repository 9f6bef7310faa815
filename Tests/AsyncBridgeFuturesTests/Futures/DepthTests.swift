// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@testable import AsyncBridgeFutures

/// Chains that are longer than any stack is deep.
@Suite("Deep chains of scopes and callbacks", .serialized)
struct DepthTests {
    private static let depth = ChainDepth.standard

    @Test("cancelling a scope of a scope of a scope")
    func scopes() async throws {
        let last = CoPromise<Int>()
        let scopes = (0..<Self.depth).map { _ in CoScope() }
        for (outer, inner) in zip(scopes, scopes.dropFirst()) { outer.add(inner) }
        scopes[Self.depth - 1].add(last)
        scopes[0].cancel()
        try await last.whenCancelled()
    }

    @Test("a closure receives the next element, and so on")
    func receiving() async throws {
        let channel = CoChannel<Int>(bufferType: .unlimited)
        let done = CoPromise<Int>()
        for number in 1...Self.depth { channel.offer(number) }
        @Sendable func receive() {
            channel.whenReceive { result in
                guard case .success(let number) = result, number < Self.depth else {
                    done.complete(with: result)
                    return
                }
                receive()
            }
        }
        receive()
        #expect(try await done.value == Self.depth)
    }
}
