// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// A ``Generator`` whose body may fail: `next()` throws the body's error.
///
/// ```swift
/// let rows = ThrowingGenerator { yield in
///     for line in try readLines(of: file) { try yield(try Row(parsing: line)) }
/// }
/// var iterator = rows.makeIterator()
/// while let row = try iterator.next() { table.insert(row) }
/// ```
///
/// It is not a `Sequence`, because a plain `for` loop cannot throw: use `while let`, or ``forEach(_:)``. Everything
/// else is as with ``Generator``.
public struct ThrowingGenerator<Element> {
    /// Hands over elements.
    public typealias Yielder = Generator<Element>.Yielder

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
            "ThrowingGenerator",
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
    public func makeIterator() -> Iterator { Iterator(GeneratorRun(self.plan)) }

    /// Calls a closure with each element.
    ///
    /// ```swift
    /// try rows.forEach { table.insert($0) }
    /// ```
    ///
    /// ## Cancellation
    /// Not checked here: a body or a closure that waits in a cancelled coroutine gets `CancellationError` from that.
    ///
    /// ## Isolation
    /// The caller's.
    ///
    /// - Parameter action: The closure. When it throws, the generator's body is unwound.
    /// - Throws: The error of the generator's body or of the closure; ``CoroutineError/outOfMemory(errno:)``.
    /// - Complexity: O(*n*) in the number of elements.
    @inlinable
    public func forEach(_ action: (Element) throws -> Void) throws {
        var iterator = self.makeIterator()
        while let element = try iterator.next() { try action(element) }
    }

    /// One run of the body.
    ///
    /// When its last copy is released, the body is unwound. Any error it then throws, other than `CancellationError`,
    /// goes to `BridgeDiagnostics.uncaughtErrorHandler`.
    public struct Iterator {
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
        /// - Throws: What the body threw, once; ``CoroutineError/outOfMemory(errno:)``.
        /// - Complexity: O(1), plus the body's work. Only the first call allocates: it takes a stack.
        @inlinable @inline(__always)
        public mutating func next() throws -> Element? {
            guard let element = unsafe self.run.advance() else {
                try self.run.throwFailure()
                return nil
            }
            // Safe: a yielder of this generator left an element there, which is ours.
            return unsafe element.assumingMemoryBound(to: Element.self).move()
        }
    }
}

@available(*, unavailable, message: "The body of a generator runs where its iterator is used")
extension ThrowingGenerator: Sendable {}

@available(*, unavailable, message: "The body of a generator runs where its iterator is used")
extension ThrowingGenerator.Iterator: Sendable {}
