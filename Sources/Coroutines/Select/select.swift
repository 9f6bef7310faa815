// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

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
public nonisolated(nonsending) func select<Output>(
    _ branches: [SelectBranch<Output>],
    biased: Bool = false
) async throws -> Output {
    let selection = Selection(branches, biased: biased)
    if let happened = selection.immediate() { return try happened.result() }
    try Task.checkCancellation()
    return try await selection.wait().result()
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
/// - Returns: What the branch's closure returns.
/// - Throws: What it throws; the error of a channel that has ended or a future that has failed; `CancellationError`;
///   ``CoroutineError/outsideCoroutine``.
@available(*, noasync, message: "Write `try await select(…)` in async code")
public func select<Output>(_ branches: SelectBranch<Output>..., biased: Bool = false) throws -> Output {
    try select(branches, biased: biased)
}

/// Waits, in a coroutine, until one of several things is possible, and does it: for branches in an array.
///
/// See the form for branches in a row.
///
/// - Parameters:
///   - branches: The branches; at least one.
///   - biased: Whether the order of the branches decides if several are possible.
/// - Returns: What the branch's closure returns.
/// - Throws: What it throws; the error of a channel that has ended or a future that has failed; `CancellationError`;
///   ``CoroutineError/outsideCoroutine``.
@available(*, noasync, message: "Write `try await select(…)` in async code")
public func select<Output>(_ branches: [SelectBranch<Output>], biased: Bool = false) throws -> Output {
    let coroutine = try RunningCoroutine.toSuspend()
    let selection = Selection(branches, biased: biased)
    if let happened = selection.immediate() { return try happened.result() }
    if let parker = coroutine.parker { return try selection.wait(in: coroutine, as: parker).result() }
    var happened: SelectCase<Output>?
    try coroutine.perform { happened = try await selection.wait() }
    guard let happened else { preconditionFailure("BUG: a selection ended without a branch") }
    return try happened.result()
}

extension Selection {
    nonisolated(nonsending) func wait() async throws -> SelectCase<Output> {
        let parker = TaskParker()
        let waiters = self.makeWaiters(ParkerReference(parker))
        defer { self.finish(waiters) }
        switch self.enter(waiters, ParkerReference(parker)) {
        case .happened(let happened): return happened
        case .cancelled: throw CancellationError()
        case .enlisted: break
        }
        await parker.suspend()
        guard let happened = self.leave() else { throw CancellationError() }
        return happened
    }

    func wait(in coroutine: RunningCoroutine, as parker: ParkerReference) throws -> SelectCase<Output> {
        let waiters = self.makeWaiters(parker)
        defer { self.finish(waiters) }
        switch self.enter(waiters, parker) {
        case .happened(let happened): return happened
        case .cancelled: throw CancellationError()
        case .enlisted: break
        }
        coroutine.park()
        let happened = self.leave()
        if coroutine.isUnwinding {
            happened?.dispose()
            throw CancellationError()
        }
        guard let happened else { throw CancellationError() }
        return happened
    }
}
