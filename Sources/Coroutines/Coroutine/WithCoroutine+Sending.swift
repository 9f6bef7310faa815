// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Runs synchronous code that may wait and that has its data for itself: a value goes in, a value comes out.
///
/// ```swift
/// let fresh = try await withCoroutine(sending: self.quotes) { quotes in
///     var quotes = quotes
///     for id in quotes.keys { try quotes[id]?.refresh() }
///     return quotes
/// }
/// self.quotes.merge(fresh) { _, fresh in fresh }
/// ```
///
/// The form to take in an actor, and wherever else others may run while the code waits. The code cannot reach the
/// actor's state, nor a class's properties or variables that others have: the compiler refuses it. So it cannot wait in
/// the middle of an access to them. What it needs is sent in; several values as a tuple. Others that run meanwhile see
/// the old state, and what they store is there when the code has ended: look before you store its result over it.
///
/// ## Cancellation
/// Cancelling the task makes the pending or the next wait in the code throw `CancellationError`. The function returns
/// when the code has ended, and not before. The code begins also in a task that was cancelled before.
///
/// ## Isolation
/// The code runs in the caller's task, and on the caller's actor, though it cannot use that: as each wait of it does.
///
/// - Parameters:
///   - input: What the code works on. Nobody else may have it: a `Sendable` value, or one that is not used any more.
///   - stackSize: How much address space the code's stack reserves; defaults to 256 KiB. Too little ends the process,
///     with a message.
///   - name: What ``CoroutineList`` calls it.
///   - fileID: The caller's file, for lists of coroutines.
///   - line: The caller's line, for lists of coroutines.
///   - body: The code, which gets the input.
/// - Returns: What the code returns.
/// - Throws: What the code throws; ``CoroutineError/outOfMemory(errno:)``. Cancellation as such is not an error: code
///   that ends well in a cancelled task returns its result.
/// - Complexity: O(1): a stack from the thread's pool, and two switches.
@inlinable
public nonisolated(nonsending) func withCoroutine<Input, Value>(
    sending input: consuming sending Input,
    stackSize: StackSize = .standard,
    name: StaticString? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @Sendable (sending Input) throws -> sending Value
) async throws -> sending Value {
    var input: Disconnected<Input>? = Disconnected(unchecked: input)
    return try await withCoroutine(stackSize: stackSize, name: name, fileID: fileID, line: line) {
        guard let input = input.take() else { preconditionFailure("BUG: a coroutine's body runs twice") }
        return try body(input.take())
    }
}
