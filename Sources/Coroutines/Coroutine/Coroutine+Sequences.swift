// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension Coroutine {
    /// Makes a plain `for` loop of synchronous code iterate over an asynchronous sequence.
    ///
    /// ```swift
    /// try await withCoroutine {
    ///     for quote in Coroutine.sequence(ticker.quotes) { table.append(quote) }
    ///     try Coroutine.checkCancellation()
    /// }
    /// ```
    ///
    /// While the loop waits, its thread does other work. For a sequence that can fail, use
    /// ``forEach(_:fileID:line:_:)``, because a plain `for` cannot throw.
    ///
    /// ## Cancellation
    /// Ends the loop, at the pending element or before the next one; ``checkCancellation()`` distinguishes that from
    /// the end of the sequence.
    ///
    /// ## Isolation
    /// The sequence is iterated like an operation of ``await(fileID:line:_:)-(_,_,()->Value)``: in the same task, on
    /// the same actor.
    ///
    /// - Parameters:
    ///   - base: The sequence.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Its elements. Asking for one outside a coroutine, where nothing can wait, ends the process.
    /// - Complexity: O(1); two switches of stacks for each element.
    @inlinable
    public static func sequence<Base: AsyncSequence>(
        _ base: Base,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> AwaitingSequence<Base> where Base.Failure == Never {
        AwaitingSequence(base: base, site: CallSite(fileID: fileID, line: line))
    }

    /// Calls a closure for each element of an asynchronous sequence, in synchronous code.
    ///
    /// ```swift
    /// try await withCoroutine {
    ///     try Coroutine.forEach(response.lines) { line in try parser.parse(line) }
    /// }
    /// ```
    ///
    /// While it waits, its thread does other work. An error thrown by the closure ends the iteration early.
    ///
    /// ## Cancellation
    /// Throws `CancellationError` from the pending or the next element, even if the sequence then merely ends. If the
    /// scheduler drops the coroutine when the next element has come, the element goes to `onUndelivered` of the channel
    /// or `CallbackSequence`; that of another sequence is reported to `BridgeDiagnostics`.
    ///
    /// ## Isolation
    /// The closure runs in the coroutine. The sequence is iterated like an operation of
    /// ``await(fileID:line:_:)-(_,_,()->Value)``: in the same task, on the same actor.
    ///
    /// - Parameters:
    ///   - sequence: The sequence.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - body: Gets each element, and may wait as well.
    /// - Throws: The error of the sequence or of the closure; `CancellationError`; ``CoroutineError/outsideCoroutine``.
    ///   The end of the sequence is not an error.
    /// - Complexity: For each element O(1), two switches of stacks, in addition to the sequence's own cost.
    @available(*, noasync, message: "Write `for try await` in async code")
    @inlinable
    public static func forEach<Base: AsyncSequence>(
        _ sequence: Base,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: (Base.Element) throws -> Void
    ) throws {
        let site = CallSite(fileID: fileID, line: line)
        var iterator = sequence.makeAsyncIterator()
        while let element = try self.next(of: &iterator, at: site) { try body(element) }
        // A sequence that cannot throw ends silently when it is cancelled.
        try self.checkCancellation()
    }

    /// Waits for an element.
    @inlinable
    static func next<Iterator: AsyncIteratorProtocol>(
        of iterator: inout Iterator,
        at site: CallSite
    ) throws -> Iterator.Element? {
        let coroutine = try RunningCoroutine.toSuspend(for: .element, at: site)
        coroutine.note(.element, at: site)
        // Safe: the element comes from the isolation in which the iterator is used, back to the code that owns the
        // iterator, which does nothing else meanwhile.
        return try coroutine.perform(undelivered: { UndeliveredResult.giveBack($0.take(), to: iterator, at: site) }) {
            Disconnected(unchecked: try await iterator.next(isolation: #isolation))
        }.take()
    }
}

/// The elements of an asynchronous sequence for a plain `for` loop in a coroutine.
///
/// Made by ``Coroutine/sequence(_:fileID:line:)``, which says what cancellation does. May be iterated as often as the
/// asynchronous sequence may.
public struct AwaitingSequence<Base: AsyncSequence>: Sequence where Base.Failure == Never {
    @usableFromInline let base: Base
    @usableFromInline let site: CallSite

    @inlinable
    init(base: Base, site: CallSite) {
        self.base = base
        self.site = site
    }

    /// Waits for one element after another.
    public struct Iterator: IteratorProtocol {
        // `nil` when the iteration is over.
        @usableFromInline var base: Base.AsyncIterator?
        @usableFromInline let site: CallSite

        @inlinable
        init(base: Base.AsyncIterator, site: CallSite) {
            self.base = base
            self.site = site
        }

        /// Waits for the next element.
        ///
        /// ## Cancellation
        /// Ends the iteration.
        ///
        /// ## Isolation
        /// That of the coroutine; afterwards the code may be on another thread.
        ///
        /// - Returns: The element; `nil` at the end of the sequence, and when the coroutine has been cancelled.
        /// - Precondition: Runs in a coroutine.
        /// - Complexity: O(1), two switches of stacks, in addition to the sequence's own cost.
        @inlinable
        public mutating func next() -> Base.Element? {
            guard var base = self.base.take() else { return nil }
            do {
                guard let element = try Coroutine.next(of: &base, at: self.site) else { return nil }
                self.base = base
                return element
            } catch {
                guard Coroutine.isInsideCoroutine else {
                    // Not a precondition: its text would be missing in release builds.
                    fatalError(
                        "Coroutine.sequence was iterated outside a coroutine: start one with withCoroutine or "
                            + "startCoroutine"
                    )
                }
                return nil
            }
        }
    }

    /// Starts an iteration.
    ///
    /// - Returns: The iterator.
    /// - Complexity: That of the sequence's `makeAsyncIterator()`.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(base: self.base.makeAsyncIterator(), site: self.site) }
}
