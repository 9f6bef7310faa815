// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import NIOCore
import NIOPosix

/// Runs code with event loops on threads of their own, which end with it.
nonisolated(nonsending) func withLoops<Value>(
    _ count: Int = 1,
    _ body: nonisolated(nonsending) (MultiThreadedEventLoopGroup) async throws -> Value
) async throws -> Value {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: count)
    let result: Result<Value, any Error>
    do { result = .success(try await body(group)) } catch { result = .failure(error) }
    try await group.shutdownGracefully()
    return try result.get()
}

struct LoopError: Error, Equatable {}
#endif
