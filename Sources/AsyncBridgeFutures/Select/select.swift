// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Waits, in async code, until one of several branches is possible, and runs it.
///
/// ```swift
/// let news = try await select(
///     .receive(from: messages) { "message: \($0)" },
///     .value(of: weather) { "weather: \($0)" },
///     .after(.seconds(10)) { "no news" }
/// )
/// ```
///
/// Exactly one branch happens; the others leave no trace: nothing is received, sent or awaited for them. The contract
/// is that of Go's `select` statement and of kotlinx.coroutines' `select`.
///
/// In a type with a member `select`, and at the top level of main.swift with `import Coroutines`, write
/// `AsyncBridgeFutures.select(…)`.
///
/// If several are possible, each has the same chance; with `biased` the first of them happens.
///
/// ## Cancellation
/// Ends the wait at once. If a branch has already happened, its closure still runs. In a task that is already cancelled
/// no branch happens, even if one is possible: a loop over `select` ends when its task is cancelled, however fast
/// elements come.
///
/// ## Isolation
/// The caller's actor, the branch's closure included.
///
/// - Parameters:
///   - branches: The branches; at least one.
///   - biased: Whether the order of the branches decides if several are possible.
///   - fileID: The caller's file.
///   - line: The caller's line.
/// - Returns: What the branch's closure returns.
/// - Throws: The closure's error; the error of a channel that has ended or a future that has failed;
///   `CancellationError`.
/// - Complexity: O(*n* log *n*) in the number of branches.
@inlinable
public nonisolated(nonsending) func select<Output>(
    _ branches: SelectBranch<Output>...,
    biased: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
) async throws -> Output {
    try await select(branches, biased: biased, fileID: fileID, line: line)
}

/// Waits, in async code, until one of several branches is possible, and runs it: for branches in an array.
///
/// See the form with separate branches.
///
/// - Parameters:
///   - branches: The branches; at least one.
///   - biased: Whether the order of the branches decides if several are possible.
///   - fileID: The caller's file.
///   - line: The caller's line.
/// - Returns: What the branch's closure returns.
/// - Throws: The closure's error; the error of a channel that has ended or a future that has failed;
///   `CancellationError`.
@inlinable
public nonisolated(nonsending) func select<Output>(
    _ branches: [SelectBranch<Output>],
    biased: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
) async throws -> Output {
    var result: Output?
    // Before it looks at the branches: otherwise a loop over channels that always have elements would never end.
    if CurrentTask.isCancelled {
        withBranches(branches, &result) { branches, _ in branches.refuse() }
        throw CancellationError()
    }
    if try withBranches(branches, &result, { try $0.happensNow(biased: biased, $1) }) { return unwrap(result) }
    let selection = await waitForBranch(branches, biased: biased, at: CallSite(fileID: fileID, line: line))
    try withBranches(branches, &result) { try selection.finish($0, $1) }
    return unwrap(result)
}

extension SelectBranch {
    /// Waits until one of several branches is possible, and runs it: `select`, for code in a type that has a member of
    /// that name.
    ///
    /// ```swift
    /// let next = try await SelectBranch.first(.receive(from: urgent) { $0 }, .receive(from: ordinary) { $0 })
    /// ```
    ///
    /// Cancellation and isolation are those of `select`.
    ///
    /// - Parameters:
    ///   - branches: The branches; at least one.
    ///   - biased: Whether the order of the branches decides if several are possible.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: What the branch's closure returns.
    /// - Throws: The closure's error; the error of a channel that has ended or a future that has failed;
    ///   `CancellationError`.
    /// - Complexity: As that of `select`.
    @inlinable
    public nonisolated(nonsending) static func first(
        _ branches: SelectBranch...,
        biased: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Output {
        try await select(branches, biased: biased, fileID: fileID, line: line)
    }
}

// MARK: - Steps

/// Waits, in a task, until a branch has happened or the wait has ended.
@inlinable
package nonisolated(nonsending) func waitForBranch<Output>(
    _ branches: [SelectBranch<Output>],
    biased: Bool,
    as name: StaticString = "select",
    at site: CallSite
) async -> TaskSelection {
    var result: Output?
    var selection = withBranches(branches, &result) { branches, _ in TaskSelection(branches, biased: biased) }
    if selection.isEnlisted {
        await selection.parker.suspend(name, made: site)
        withBranches(branches, &result) { branches, _ in selection.leave(branches) }
    }
    return selection
}

/// Gives a closure the branches and the address of the result as the selection knows them.
@inlinable @inline(__always)
package func withBranches<Output, Answer>(
    _ branches: [SelectBranch<Output>],
    _ result: inout Output?,
    _ body: (SelectBranches, SelectOutput) throws -> Answer
) rethrows -> Answer {
    try unsafe withUnsafeMutablePointer(to: &result) { result in
        try unsafe branches.withUnsafeBufferPointer { branches in
            // Safe: a branch is a struct with one property.
            try unsafe branches.withMemoryRebound(to: AnySelectBranch.self) { branches in
                try unsafe body(SelectBranches(branches), SelectOutput(result))
            }
        }
    }
}

@inlinable @inline(__always)
package func unwrap<Output>(_ result: Output?) -> Output {
    guard let result else { preconditionFailure("BUG: a branch has happened without a result") }
    return result
}
