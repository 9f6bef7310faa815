// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Synchronization

/// Elements that have one user at a time: made when they are needed, up to a limit, and used again.
///
/// Invariant: who has a permit has an element or makes one, so there are never more elements than permits.
final class FreeList<Element: Sendable>: Sendable {
    private let places: CoSemaphore
    private let free: Mutex<[Element]>
    private let make: @Sendable () async throws -> Element

    /// Makes a list.
    ///
    /// - Parameters:
    ///   - first: An element that is there already.
    ///   - limit: How many elements there may be; 1 or more.
    ///   - make: Makes another one. Nobody waits for an element that could be made.
    init(_ first: Element, limit: Int, make: @escaping @Sendable () async throws -> Element) {
        self.places = CoSemaphore(permits: limit)
        self.free = Mutex([first])
        self.make = make
    }

    /// Lends an element for as long as the body runs; waits for one, first come, first served, if all are in use.
    ///
    /// ## Cancellation
    /// Ends the wait at once, and the body does not run. The body handles cancellation itself.
    ///
    /// ## Isolation
    /// The caller's actor.
    ///
    /// - Parameter body: Uses the element, and returns when it no longer does.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; why no element could be made, of which the next caller tries again;
    ///   `CancellationError`.
    /// - Complexity: O(1), if an element need not be made.
    nonisolated(nonsending) func withElement<Value>(
        _ body: nonisolated(nonsending) (Element) async throws -> sending Value
    ) async throws -> sending Value {
        try await self.places.withPermit {
            // Race: the permit was handed over, and then the waiter was cancelled.
            try Task.checkCancellation()
            let element = try await self.element()
            // Before the permit goes to the next one, or that one would make an element too many.
            defer { self.free.withLock { $0.append(element) } }
            return try await body(element)
        }
    }

    private nonisolated(nonsending) func element() async throws -> Element {
        if let element = self.free.withLock({ $0.popLast() }) { return element }
        return try await self.make()
    }
}
