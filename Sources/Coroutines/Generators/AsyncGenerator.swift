// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// An asynchronous sequence whose elements come from synchronous code, which may wait in between.
///
/// ```swift
/// let quotes = AsyncGenerator { yield in
///     for id in ids { try yield(try Coroutine.await { try await client.quote(id: id) }) }
/// }
/// for try await quote in quotes { show(quote) }
/// ```
///
/// Each iterator has its own run of the body, which begins with the first `next()` and is suspended between elements.
/// Copies of an iterator share its run.
///
/// ## The end
/// When the iterator is released half-way, after a `break` for example, the pending `yield` throws `CancellationError`,
/// so that the body's `defer` blocks run and its resources are released, before the iterator is gone. At that point
/// there is no task to wait in: `Coroutine.await` throws `CancellationError` at once.
///
/// ## Cancellation
/// Cancelling the task that iterates makes the pending or the next wait in the body throw `CancellationError`, and also
/// the pending or next `yield`, whose element is dropped. A body that has not begun never begins. `next()` throws the
/// body's error, normally `CancellationError`. It also throws `CancellationError` if a `yield` threw and the body
/// returned without an error.
///
/// ## Isolation
/// The body, and what it awaits, run in the task that calls `next()`, on the caller's actor. Neither the generator nor
/// its iterators are `Sendable`.
public struct AsyncGenerator<Element>: AsyncSequence {
    /// Hands over elements.
    public typealias Yielder = Generator<Element>.Yielder

    /// The error type of the iteration: that of the body.
    public typealias Failure = any Error

    @usableFromInline let plan: GeneratorPlan

    /// Makes a generator.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - stackSize: How much address space the stack of each run reserves; 256 KiB by default.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - body: Yields the elements. It runs once for each iterator.
    /// - Complexity: O(1).
    @inlinable
    public init(
        of type: Element.Type = Element.self,
        stackSize: StackSize = .standard,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping (_ yield: Yielder) throws -> Void
    ) {
        self.plan = GeneratorPlan(
            "AsyncGenerator",
            stackSize: stackSize,
            made: CallSite(fileID: fileID, line: line),
            onError: nil
        ) { try body(Yielder($0)) }
    }

    /// Makes an iterator, with a new run of the body.
    ///
    /// - Returns: The iterator.
    /// - Complexity: O(1).
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(GeneratorRun(self.plan)) }

    /// One run of the body.
    ///
    /// When its last copy is released, the body is unwound. Any error it then throws, other than `CancellationError`,
    /// goes to `BridgeDiagnostics.uncaughtErrorHandler`.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let run: GeneratorRun

        @inlinable
        init(_ run: GeneratorRun) { self.run = run }

        /// Runs the body up to its next element, and awaits the body's operations.
        ///
        /// ## Cancellation
        /// Ends the body; see ``AsyncGenerator``.
        ///
        /// ## Isolation
        /// The caller's.
        ///
        /// - Returns: The element; `nil` once the body has ended.
        /// - Throws: What the body threw, once; `CancellationError`; ``CoroutineError/outOfMemory(errno:)``.
        /// - Complexity: O(1), plus the body's work. Only the first call allocates: it takes a stack.
        @inlinable
        public nonisolated(nonsending) mutating func next() async throws -> Element? {
            guard let slot = try await unsafe self.run.advanceInTask() else { return nil }
            // Safe: a yielder of this generator left an element there, which is ours.
            let element = unsafe slot.assumingMemoryBound(to: Element.self).move()
            try self.run.suspendInTask()
            return element
        }

        /// Runs the body up to its next element, and awaits the body's operations, on an actor.
        ///
        /// ## Cancellation
        /// Ends the body; see ``AsyncGenerator``.
        ///
        /// ## Isolation
        /// The given actor's, which `for try await` passes.
        ///
        /// - Parameter actor: The actor; `nil` for none.
        /// - Returns: The element; `nil` once the body has ended.
        /// - Throws: What the body threw, once; `CancellationError`; ``CoroutineError/outOfMemory(errno:)``.
        /// - Complexity: O(1), plus the body's work. Only the first call allocates: it takes a stack.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            guard let slot = try await unsafe self.run.advanceInTask() else { return nil }
            // Safe: as above.
            let element = unsafe slot.assumingMemoryBound(to: Element.self).move()
            try self.run.suspendInTask()
            return element
        }
    }
}

@available(*, unavailable, message: "The body of a generator runs where its iterator is used")
extension AsyncGenerator: Sendable {}

@available(*, unavailable, message: "The body of a generator runs where its iterator is used")
extension AsyncGenerator.AsyncIterator: Sendable {}
