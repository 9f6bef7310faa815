// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import OpenCombineShim

// Why not a `firstValue()` that cannot throw: in a cancelled task it would have nothing to return, and would have to
// wait forever, as `Future.value` does.
extension Publisher where Output: Sendable, Failure == Never {
    /// Waits for the first element of a publisher that cannot fail, and cancels the subscription.
    ///
    /// ```swift
    /// let count = await clicks.firstValue(ifNone: 0)
    /// ```
    ///
    /// ## Cancellation
    /// Cancels the subscription and returns the fallback, as a loop over the publisher's elements ends. In a task
    /// already cancelled, this does not subscribe.
    ///
    /// ## Isolation
    /// Subscribing happens on the caller's actor, and so does the fallback. The publisher may send on any thread.
    ///
    /// - Parameters:
    ///   - fallback: What to return if the publisher finishes without an element, if the task is cancelled, or if the
    ///     publisher drops its subscriber, which is reported.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The element, or the fallback.
    /// - Complexity: O(1); requests one element.
    public nonisolated(nonsending) func firstValue(
        ifNone fallback: @autoclosure () -> Output,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async -> Output {
        await self.valueOrNil(.first, "firstValue(ifNone:)", fileID, line) ?? fallback()
    }

    /// Waits for the first element of a publisher that cannot fail, and cancels the subscription.
    ///
    /// This form does not throw. Isolation is that of ``firstValue(ifNone:fileID:line:)``.
    ///
    /// ## Cancellation
    /// Cancels the subscription and returns `nil`, as a loop over the publisher's elements ends. In a task already
    /// cancelled, this does not subscribe.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The element; `nil` if the publisher finishes without one, if the task is cancelled, or if the
    ///   publisher drops its subscriber, which is reported.
    /// - Complexity: O(1); requests one element.
    public nonisolated(nonsending) func firstValueOrNil(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async -> Output? {
        await self.valueOrNil(.first, "firstValueOrNil()", fileID, line)
    }

    /// Waits until a publisher that cannot fail has finished, and returns its last element.
    ///
    /// Cancellation, isolation and the fallback are those of ``firstValue(ifNone:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - fallback: What to return if there is no last element.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The element, or the fallback.
    /// - Complexity: O(*n*) in the number of elements; requests all of them, and holds one.
    public nonisolated(nonsending) func lastValue(
        ifNone fallback: @autoclosure () -> Output,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async -> Output {
        await self.valueOrNil(.last, "lastValue(ifNone:)", fileID, line) ?? fallback()
    }

    /// Waits until a publisher that cannot fail has finished, and returns its only element.
    ///
    /// Cancellation, isolation and the fallback are those of ``firstValue(ifNone:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - fallback: What to return if there is no only element: none at all, or a second one.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The element, or the fallback.
    /// - Complexity: O(1); requests two elements.
    public nonisolated(nonsending) func singleValue(
        ifNone fallback: @autoclosure () -> Output,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async -> Output {
        await self.valueOrNil(.single, "singleValue(ifNone:)", fileID, line) ?? fallback()
    }

    private nonisolated(nonsending) func valueOrNil(
        _ wanted: PublisherValue,
        _ bridge: StaticString,
        _ fileID: StaticString,
        _ line: UInt
    ) async -> Output? {
        // What it throws is a cancellation, or has been reported.
        guard case .value(let value)? = try? await self.outcome(wanted, bridge, fileID, line) else { return nil }
        return value
    }
}
#endif
