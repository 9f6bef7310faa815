// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Waits, in a coroutine, until one of several branches is possible, and runs it.
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
/// Ends the wait at once. If a branch has already happened, its closure still runs. In a coroutine that is already
/// cancelled no branch happens, even if one is possible.
///
/// ## Isolation
/// The coroutine continues where it was; the branch's closure runs in it, and may wait.
///
/// - Parameters:
///   - branches: The branches; at least one.
///   - biased: Whether the order of the branches decides if several are possible.
///   - fileID: The caller's file.
///   - line: The caller's line.
/// - Returns: What the branch's closure returns.
/// - Throws: The closure's error; the error of a channel that has ended or a future that has failed;
///   `CancellationError`; ``CoroutineError/outsideCoroutine``.
@available(*, noasync, message: "Write `try await select(…)` in async code; in main.swift, in a function")
@inlinable
public func select<Output>(
    _ branches: SelectBranch<Output>...,
    biased: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws -> Output {
    try select(branches, biased: biased, fileID: fileID, line: line)
}

/// Waits, in a coroutine, until one of several branches is possible, and runs it: for branches in an array.
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
///   `CancellationError`; ``CoroutineError/outsideCoroutine``.
@available(*, noasync, message: "Write `try await select(…)` in async code; in main.swift, in a function")
@inlinable
public func select<Output>(
    _ branches: [SelectBranch<Output>],
    biased: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws -> Output {
    var result: Output?
    let site = CallSite(fileID: fileID, line: line)
    let coroutine: RunningCoroutine
    do { coroutine = try RunningCoroutine.toSuspend(for: .selection, at: site) } catch {
        withBranches(branches, &result) { branches, _ in branches.refuse() }
        throw error
    }
    if try withBranches(branches, &result, { try $0.happensNow(biased: biased, $1) }) { return unwrap(result) }
    coroutine.note(.selection, at: site)
    return try coroutine.wait(for: branches, biased: biased, at: site)
}

extension RunningCoroutine {
    /// Waits until a branch has happened, and runs it; none was possible just now.
    @inlinable
    func wait<Output>(
        for branches: [SelectBranch<Output>],
        biased: Bool,
        as name: StaticString = "select",
        at site: CallSite
    ) throws -> Output {
        var result: Output?
        if let parker = self.parker {
            try withBranches(branches, &result) { branches, output in
                try branches.wait(as: parker, biased: biased, output) {
                    self.park()
                    return !self.isUnwinding
                }
            }
            return unwrap(result)
        }
        var selection: TaskSelection?
        do {
            try self.perform { selection = await waitForBranch(branches, biased: biased, as: name, at: site) }
        } catch {
            withBranches(branches, &result) { branches, _ in
                if let selection { selection.discard(branches) } else { branches.abandon() }
            }
            throw error
        }
        // The closure runs here, not in the operation: it may wait.
        try withBranches(branches, &result) { branches, output in try selection?.finish(branches, output) }
        return unwrap(result)
    }
}

extension SelectBranch {
    /// Waits, in a coroutine, until one of several branches is possible, and runs it: `select`, for code in a type that
    /// has a member of that name.
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
    ///   `CancellationError`; ``CoroutineError/outsideCoroutine``.
    /// - Complexity: As that of `select`.
    @available(*, noasync, message: "Write `try await SelectBranch.first(…)` in async code")
    @inlinable
    public static func first(
        _ branches: SelectBranch...,
        biased: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Output {
        try select(branches, biased: biased, fileID: fileID, line: line)
    }
}
