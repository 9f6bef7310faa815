// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// A sequence whose elements come from synchronous code, each computed on demand.
///
/// ```swift
/// let squares = Generator { yield in
///     for n in 1... { try yield(n * n) }
/// }
/// for square in squares.prefix(5) { print(square) }
/// ```
///
/// Each iterator has its own run of the body, which begins with the first `next()` and is suspended between elements.
/// Copies of an iterator share its run.
///
/// ## The end
/// When the iterator is released half-way, after a `break` for example, the pending `yield` throws `CancellationError`,
/// so that the body's `defer` blocks run and its resources are released, before the iterator is gone. Python's
/// generators have the same rule (PEP 342, `close()`).
///
/// ## Cancellation
/// The body runs as part of the code that iterates. In a coroutine it may wait, with `Coroutine.await` and similar
/// functions, and cancelling the coroutine makes those throw; a `yield` does not check for cancellation. While the body
/// is unwound, nothing can wait: `Coroutine.await` throws `CancellationError` at once.
///
/// ## Isolation
/// That of the code that iterates. Neither the generator nor its iterators are `Sendable`.
///
/// ## Errors
/// An iterator cannot throw. An error of the body ends the sequence and goes to `onError`, or else to
/// `BridgeDiagnostics.uncaughtErrorHandler`, except the `CancellationError` of a `yield`. For bodies that fail, see
/// ``ThrowingGenerator``.
public struct Generator<Element>: Sequence {
    @usableFromInline let plan: GeneratorPlan

    /// Makes a generator.
    ///
    /// ```swift
    /// let lines = Generator(of: Substring.self, onError: { logger.error("\($0)") }) { yield in
    ///     for file in files { for line in try read(file).split(separator: "\n") { try yield(line) } }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - stackSize: How much address space the stack of each run reserves; 256 KiB by default.
    ///   - onError: Gets the body's error, or ``CoroutineError/outOfMemory(errno:)``, on the thread that iterates or
    ///     drops the iterator; without it the error goes to `BridgeDiagnostics.uncaughtErrorHandler`.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - body: Yields the elements. It runs once for each iterator.
    /// - Complexity: O(1).
    @inlinable
    public init(
        of type: Element.Type = Element.self,
        stackSize: StackSize = .standard,
        onError: ((any Error) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping (_ yield: Yielder) throws -> Void
    ) {
        self.plan = GeneratorPlan(
            "Generator",
            stackSize: stackSize,
            made: CallSite(fileID: fileID, line: line),
            onError: onError
        ) { try body(Yielder($0)) }
    }

    /// Makes an iterator, with a new run of the body.
    ///
    /// - Returns: The iterator.
    /// - Complexity: O(1).
    @inlinable
    public func makeIterator() -> Iterator { Iterator(GeneratorRun(self.plan)) }

    /// One run of the body.
    ///
    /// When its last copy is released, the body is unwound.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let run: GeneratorRun

        @inlinable
        init(_ run: GeneratorRun) { self.run = run }

        /// Runs the body up to its next element.
        ///
        /// ## Cancellation
        /// Not checked here: a body that waits in a cancelled coroutine gets `CancellationError` from that.
        ///
        /// ## Isolation
        /// The caller's. If the body waits, the code may be on another thread afterwards, as after an `await`.
        ///
        /// - Returns: The element; `nil` once the body has ended.
        /// - Complexity: O(1), plus the body's work. Only the first call allocates: it takes a stack.
        @inlinable @inline(__always)
        public mutating func next() -> Element? {
            guard let element = unsafe self.run.advance() else {
                self.run.reportFailure()
                return nil
            }
            // Safe: a yielder of this generator left an element there, which is ours.
            return unsafe element.assumingMemoryBound(to: Element.self).move()
        }
    }
}

@available(*, unavailable, message: "The body of a generator runs where its iterator is used")
extension Generator: Sendable {}

@available(*, unavailable, message: "The body of a generator runs where its iterator is used")
extension Generator.Iterator: Sendable {}
