// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Runs an operation, which stores its result at the caller's address.
///
/// `Coroutines` calls it by its symbol, with the operation as the two words that a closure consists of
/// (OperationCall.swift there says why, and what that rests on). It is in a separate module because one module cannot
/// know two functions by one symbol.
///
/// The operation is of a generic type: it gets the address of its result, and then the actor that it runs on.
@_silgen_name("coroutinecalls_call_out")
public nonisolated(nonsending) func callOut(
    _ operation: (_ result: UnsafeMutableRawPointer, _ isolation: isolated (any Actor)?) async throws -> Void,
    _ result: UnsafeMutableRawPointer
) async throws {
    // Safe: the operation initialises the caller's memory, which waits for it.
    try await unsafe operation(result, #isolation)
}
