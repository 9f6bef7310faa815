// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Waits, in async code, until one of several things is possible, and does it.
///
/// ```swift
/// let news = try await select(
///     .receive(from: messages) { "message: \($0)" },
///     .value(of: weather) { "weather: \($0)" },
///     .after(.seconds(10)) { "no news" }
/// )
/// ```
///
/// Exactly one branch happens; the others leave no trace: nothing is received, sent or awaited for them. The contract is that of
/// Go's statement of that name, and of kotlinx.coroutines' `select`.
///
/// If several are possible, each has the same chance; with `biased` the first of them happens.
///
/// ## Cancellation
/// Ends the wait at once. What has happened before stands, and its closure runs. A branch that is possible at once happens in a
/// cancelled task too.
///
/// ## Isolation
/// The caller's actor, the branch's closure included.
///
/// - Parameters:
///   - branches: The branches; at least one.
///   - biased: Whether the order of the branches decides if several are possible.
/// - Returns: What the branch's closure returns.
/// - Throws: What it throws; the error of a channel that has ended or a future that has failed; `CancellationError`.
/// - Complexity: O(*n* log *n*) in the number of branches.
@inlinable
public nonisolated(nonsending) func select<Output>(
    _ branches: SelectBranch<Output>...,
    biased: Bool = false
) async throws -> Output {
    try await select(branches, biased: biased)
}

/// Waits, in async code, until one of several things is possible, and does it: for branches in an array.
///
/// See the form for branches in a row.
///
/// - Parameters:
///   - branches: The branches; at least one.
///   - biased: Whether the order of the branches decides if several are possible.
/// - Returns: What the branch's closure returns.
/// - Throws: What it throws; the error of a channel that has ended or a future that has failed; `CancellationError`.
@inlinable
public nonisolated(nonsending) func select<Output>(
    _ branches: [SelectBranch<Output>],
    biased: Bool = false
) async throws -> Output {
    let happened = try await Selection.run(cases(of: branches), biased: biased)
    // Safe: it is the case of one of the branches.
    return try unsafe unsafeDowncast(happened, to: SelectCase<Output>.self).result()
}

/// Waits, in a coroutine, until one of several things is possible, and does it.
///
/// ```swift
/// let next = try select(
///     .receive(from: urgent) { $0 },
///     .receive(from: ordinary) { $0 },
///     biased: true
/// )
/// ```
///
/// Exactly one branch happens; the others leave no trace.
///
/// ## Cancellation
/// Ends the wait at once. What has happened before stands, and its closure runs.
///
/// ## Isolation
/// The coroutine goes on where it was; the branch's closure runs in it, and may wait.
///
/// - Parameters:
///   - branches: The branches; at least one.
///   - biased: Whether the order of the branches decides if several are possible.
///   - fileID: The caller's file, for lists of coroutines.
///   - line: The caller's line, for lists of coroutines.
/// - Returns: What the branch's closure returns.
/// - Throws: What it throws; the error of a channel that has ended or a future that has failed; `CancellationError`;
///   ``CoroutineError/outsideCoroutine``.
@available(*, noasync, message: "Write `try await select(…)` in async code")
@inlinable
public func select<Output>(
    _ branches: SelectBranch<Output>...,
    biased: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws -> Output {
    try select(branches, biased: biased, fileID: fileID, line: line)
}

/// Waits, in a coroutine, until one of several things is possible, and does it: for branches in an array.
///
/// See the form for branches in a row.
///
/// - Parameters:
///   - branches: The branches; at least one.
///   - biased: Whether the order of the branches decides if several are possible.
///   - fileID: The caller's file, for lists of coroutines.
///   - line: The caller's line, for lists of coroutines.
/// - Returns: What the branch's closure returns.
/// - Throws: What it throws; the error of a channel that has ended or a future that has failed; `CancellationError`;
///   ``CoroutineError/outsideCoroutine``.
@available(*, noasync, message: "Write `try await select(…)` in async code")
@inlinable
public func select<Output>(
    _ branches: [SelectBranch<Output>],
    biased: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws -> Output {
    let coroutine = try RunningCoroutine.toSuspend()
    coroutine.note(.selection, at: CallSite(fileID: fileID, line: line))
    let happened = try Selection.run(cases(of: branches), biased: biased, in: coroutine)
    // Safe: it is the case of one of the branches.
    return try unsafe unsafeDowncast(happened, to: SelectCase<Output>.self).result()
}

// Inlinable, so that the array is gone through by code that knows its type: without that each step costs an allocation.
@inlinable
func cases<Output>(of branches: [SelectBranch<Output>]) -> [AnySelectCase] { branches.map { $0.selectCase } }
