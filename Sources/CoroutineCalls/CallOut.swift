// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Runs an operation and puts its result where the caller says.
///
/// `Coroutines` calls it by its symbol, with the operation as the two words that a closure consists of
/// (OperationCall.swift there says why, and what that rests on). It stands in a module of its own because one module
/// cannot know two functions by one symbol.
@_silgen_name("coroutinecalls_call_out")
public nonisolated(nonsending) func callOut<Value>(
    _ operation: nonisolated(nonsending) () async throws -> Value,
    _ out: UnsafeMutablePointer<Value>
) async throws {
    unsafe out.initialize(to: try await operation())
}
