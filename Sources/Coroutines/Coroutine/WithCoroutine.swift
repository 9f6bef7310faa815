// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Runs synchronous code that may wait: at any depth in it, `Coroutine.await` suspends it without blocking the thread.
///
/// ```swift
/// let quotes = try await withCoroutine {
///     try ids.map { id in try Coroutine.await { try await client.quote(id: id) } }
/// }
/// ```
///
/// ## Cancellation
/// Cancelling the task makes the pending or the next wait in the code throw `CancellationError`. The function returns
/// only when the code has ended; code that computes without waiting should call ``Coroutine/checkCancellation()``. The
/// code starts even in an already cancelled task.
///
/// ## Isolation
/// The code runs in the caller's task and on the caller's actor, before and after each wait. It need not be
/// `@Sendable`, and does not escape.
///
/// - Parameters:
///   - stackSize: How much address space the code's stack reserves; 256 KiB by default. If it is too small, the process
///     ends with a message.
///   - name: The name of the coroutine in `BridgeDiagnostics.coroutines`.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - body: The code.
/// - Returns: What the code returns.
/// - Throws: What the code throws; ``CoroutineError/outOfMemory(errno:)`` or
///   ``CoroutineError/tooManyMappings(limit:)``, if no stack is available. Cancellation itself is not an error: code
///   that succeeds in a cancelled task returns its result.
/// - Complexity: O(1): a stack from the thread's pool, and two switches.
@inlinable
public nonisolated(nonsending) func withCoroutine<Value>(
    stackSize: StackSize = .standard,
    name: StaticString? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: () throws -> sending Value
) async throws -> sending Value {
    let driver = try TaskDriver(stackSize: stackSize, name: name, started: CallSite(fileID: fileID, line: line))
    defer { driver.release() }
    var result: Disconnected<Result<Value, any Error>>?
    await driver.run {
        do { result = Disconnected(unchecked: .success(try body())) } catch {
            result = Disconnected(unchecked: .failure(error))
        }
    }
    guard let result else { preconditionFailure("BUG: a coroutine ended without a result") }
    return try result.take().get()
}
