// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import CCoroutines

extension Generator {
    /// Hands over elements from the body of a generator to the code that iterates.
    ///
    /// Call it like a function, in the body or at any depth of the functions that the body calls:
    ///
    /// ```swift
    /// func walk(_ node: Node, _ yield: Generator<Node>.Yielder) throws {
    ///     try yield(node)
    ///     for child in node.children { try walk(child, yield) }
    /// }
    /// let nodes = Generator { yield in try walk(root, yield) }
    /// ```
    ///
    /// It may be copied and stored. Used after the body's end, on another thread, on the stack of another coroutine or
    /// generator, or in another task, it drops the element, reports a `Misuse` to `BridgeDiagnostics` and throws
    /// `CancellationError`. Another task may run on the body's stack: a `Task.immediate` that the body starts, the jobs
    /// of an executor that it runs, the operation of a `blockingAwait`.
    ///
    /// A timer or block that the body runs by turning a run loop is no task, and is taken for the body: it must not
    /// yield, since the body would leave the run loop in the middle.
    public struct Yielder {
        @usableFromInline let point: YieldPoint

        @inlinable
        init(_ point: YieldPoint) { self.point = point }

        /// Hands over an element, and returns when the next one is requested.
        ///
        /// ## Cancellation
        /// Throws when no more elements will be requested: the iterator was dropped, or, in an ``AsyncGenerator``, the
        /// task that iterates was cancelled. Let the error end the body. A body that yields again is reported, and each
        /// such yield throws; after a thousand of them the body is abandoned: it never runs again, and its stack and
        /// everything on it are leaked.
        ///
        /// ## Isolation
        /// The caller's. The code may be on another thread afterwards, as after an `await`. Hold no lock across a
        /// yield, and bind no task-local around one: the consumer's code runs meanwhile, and Swift expects the value
        /// bound last to be unbound first.
        ///
        /// - Parameter element: The element, of which the body keeps no copy.
        /// - Throws: `CancellationError`, when the body must end.
        /// - Complexity: O(1): two switches of stacks, no allocation.
        @inlinable @inline(__always)
        public func callAsFunction(_ element: consuming Element) throws(CancellationError) {
            guard let block = unsafe self.point.openBlock else { throw self.point.refuse() }
            var element: Element? = element
            unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { slot in
                // Safe: an allocation of one element has an address. The code that resumed the body moves the element
                // out before anything else, so the slot is empty when it is resumed again.
                unsafe slot.baseAddress.unsafelyUnwrapped.initialize(to: element.take().unsafelyUnwrapped)
                unsafe block.pointee.operation = UnsafeMutableRawPointer(slot.baseAddress)
                unsafe ccoro_suspend(block, .element)
            }
            if unsafe block.pointee.is_unwinding { throw CancellationError() }
        }
    }
}

@available(*, unavailable, message: "A yielder belongs to the body of its generator, and to its thread")
extension Generator.Yielder: Sendable {}
