// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Runs synchronous code that may wait, on its own data: a value goes in, a value comes out.
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
/// Use this form in an actor, and wherever other code may run while this code waits. The compiler does not let the code
/// use the actor's state, a class's properties or shared variables. So it cannot wait in the middle of an access to
/// them. Send in what it needs, several values as a tuple. Code that runs meanwhile sees the old state, and may change
/// it: check before you overwrite it with the result.
///
/// ## Cancellation
/// Cancelling the task makes the pending or the next wait in the code throw `CancellationError`. The function returns
/// only when the code has ended. The code starts even in an already cancelled task.
///
/// ## Isolation
/// The code and its waits run in the caller's task and on the caller's actor, though the code cannot use that actor.
///
/// - Parameters:
///   - input: The data for the code. No other code may use it: pass a `Sendable` value, or one that is no longer used.
///   - stackSize: How much address space the code's stack reserves; defaults to 256 KiB. If it is too small, the
///     process ends with a message.
///   - name: The name of the coroutine in `BridgeDiagnostics.coroutines`.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - body: The code, which gets the input.
/// - Returns: What the code returns.
/// - Throws: What the code throws; ``CoroutineError/outOfMemory(errno:)``. Cancellation itself is not an error: code
///   that succeeds in a cancelled task returns its result.
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
