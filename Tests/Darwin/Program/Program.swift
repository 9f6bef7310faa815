// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Linked with all objects of the package, each as a whole, so that every undefined symbol of them is found.

import AsyncBridge
import AsyncBridgeFoundation
import AsyncBridgeFutures
import AsyncBridgeTesting
#if canImport(Coroutines)
import Coroutines
#endif

@main
struct Program {
    static func main() async throws {
        let number = try await withCallback(of: Int.self) { callback in callback.resume(returning: 7) }
        let value = try await CoFuture<Int> { number }.value
        #if canImport(Coroutines)
        print(try await withCoroutine { try Coroutine.await { value } })
        #else
        print(value)
        #endif
    }
}
