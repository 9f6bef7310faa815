// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Lets so many parties through at a time; the others wait, suspended, the first to come first.
///
/// Coroutines and tasks may wait for the same one, and nobody blocks a thread:
///
/// ```swift
/// let downloads = CoSemaphore(permits: 4)
///
/// let data = try await downloads.withPermit { try await download(url) }
/// ```
///
/// ## Cancellation
/// Ends a wait at once. A permit that was handed over before is the caller's.
///
/// ## Isolation
/// May be used on any thread. A permit may be released by another party than the one that acquired it.
public final class CoSemaphore: Sendable {
    package let storage: SemaphoreStorage

    /// Makes a semaphore.
    ///
    /// - Parameters:
    ///   - permits: How many parties may have a permit at a time; 0 or more, and ``release()`` may add some.
    ///   - fileID: The caller's file, for lists of waits.
    ///   - line: The caller's line, for lists of waits.
    /// - Complexity: O(1).
    public init(permits: Int, fileID: StaticString = #fileID, line: UInt = #line) {
        guard permits >= 0 else { fatalError("A semaphore cannot have \(permits) permits. Use 0 or more.") }
        self.storage = SemaphoreStorage(
            permits: permits,
            made: CallSite(fileID: fileID, line: line),
            name: "CoSemaphore"
        )
    }

    /// How many permits nobody has.
    ///
    /// - Complexity: O(1).
    public var availablePermits: Int { self.storage.permits }

    /// Waits, in async code, for a permit.
    ///
    /// ## Cancellation
    /// Ends the wait at once. A permit that is there is acquired in a cancelled task too.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Throws: `CancellationError`.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func acquire() async throws { try await self.storage.acquire() }

    /// Takes a permit if there is one.
    ///
    /// - Returns: Whether there was.
    /// - Complexity: O(1).
    public func tryAcquire() -> Bool { self.storage.tryAcquire() }

    /// Gives a permit back, to the one who has waited longest.
    ///
    /// - Complexity: O(1) amortised.
    public func release() { self.storage.release() }

    /// Runs async code with a permit.
    ///
    /// ## Cancellation
    /// Ends the wait for the permit; what the code does of it is up to the code.
    ///
    /// ## Isolation
    /// The caller's actor.
    ///
    /// - Parameter body: The code.
    /// - Returns: What it returns.
    /// - Throws: What it throws; `CancellationError`.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func withPermit<Result>(
        _ body: nonisolated(nonsending) () async throws -> sending Result
    ) async throws -> sending Result {
        try await self.storage.acquire()
        defer { self.storage.release() }
        return try await body()
    }
}
