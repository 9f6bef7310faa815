// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Linked with all objects of the package, each as a whole, so that every undefined symbol of them is found. It uses
// each module, since what is inlined is compiled here.

import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeCombineTesting
import AsyncBridgeFoundation
import AsyncBridgeFutures
import AsyncBridgeMacros
import AsyncBridgeNIO
import AsyncBridgeTesting
import Foundation
import NIOCore
import OpenCombineShim

#if canImport(Coroutines)
import Coroutines
import SwiftCoroutine
#endif

@main
struct Program {
    static func main() async throws {
        let number = try await withCallback(of: Int.self) { callback in callback.resume(returning: 7) }
        print(try await CoFuture<Int> { number }.value)
        let numbers = CallbackSequence<Int, Never> { sink in
            sink.yield(number)
            return {}
        }
        for await element in numbers { print(element) }
        print(try await Just(number).firstValue())
        #if canImport(Coroutines)
        try await runCoroutines(number)
        #endif
    }

    #if canImport(Coroutines)
    static func runCoroutines(_ number: Int) async throws {
        let channel = CoChannel<Int>(buffering: .unbounded)
        print(try await withCoroutine { try Coroutine.await { number } })
        print(try await withCoroutine { try channel.awaitReceive() }, channel.isCanceled)
        print(Array(Generator { yield in try yield(number) }))
        DispatchQueue.main.startCoroutine { try Coroutine.delay(.seconds(1)) }
    }
    #endif

    static func load(from session: URLSession, _ request: URLRequest) async throws -> Data {
        try await session.bridge.data(for: request).0
    }

    static func wait(for future: EventLoopFuture<Int>) async throws -> Int { try await future.coFuture().value }
}
