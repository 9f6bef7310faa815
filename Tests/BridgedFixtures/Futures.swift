// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros && Combine
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeMacros

struct Several: Sendable {
    /// Loads a number.
    ///
    /// - Parameters:
    ///   - id: Which one.
    ///   - completion: Gets it.
    @Bridged(.future, .publisher)
    func load(_ id: Int = 1, completion: @escaping @Sendable (Int?, (any Error)?) -> Void) { completion(id, nil) }

    @Bridged(.future, .publisher)
    func save(_ id: Int) async throws {}

    @BridgedAs("fetchNow", .future, .publisher)
    static func fetch(completion: @escaping @Sendable (Int) -> Void) { completion(2) }
}

enum Futures {
    static func results() async throws -> [String] {
        let several = Several()
        try await several.saveFuture(1).value
        try await several.savePublisher(1).firstValue()
        return [
            "\(try await several.loadFuture().value)", "\(try await several.loadPublisher(2).firstValue())",
            "\(try await Several.fetchFuture().value)", "\(try await Several.fetchPublisher().firstValue())",
        ]
    }
}
#elseif Macros
enum Futures {
    static func results() async throws -> [String] { ["1", "2", "2", "2"] }
}
#endif
