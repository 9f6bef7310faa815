// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
public import OpenCombineShim

// Why not `first()`, `last()`: Combine has operators of these names, which an async function could then no longer use.
extension Publisher where Output: Sendable {
    /// Waits for the publisher's first element, and cancels the subscription.
    ///
    /// ```swift
    /// let publisher: AnyPublisher<[Contact], any Error> = api.fetchContacts()
    /// let contacts = try await publisher.firstValue()
    /// ```
    ///
    /// ## Cancellation
    /// Cancels the subscription and throws `CancellationError`. In a task already cancelled, this does not subscribe.
    ///
    /// ## Isolation
    /// Subscribing happens on the caller's actor. The publisher may send on any thread.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The element.
    /// - Throws: The publisher's failure; `BridgeFault` with `noValue` if it finishes without an element, and with
    ///   `subscriberDropped` if it drops its subscriber; `CancellationError`.
    /// - Complexity: O(1); requests one element.
    public nonisolated(nonsending) func firstValue(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Output {
        try await self.value(.first, "firstValue()", fileID, line)
    }

    /// Waits for the publisher's first element, and cancels the subscription; `nil` if it finishes without one.
    ///
    /// Cancellation and isolation are those of ``firstValue(fileID:line:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The element, or `nil`.
    /// - Throws: The publisher's failure; `BridgeFault` with `subscriberDropped` if it drops its subscriber;
    ///   `CancellationError`. A publisher without elements is not an error.
    /// - Complexity: O(1); requests one element.
    public nonisolated(nonsending) func firstValueOrNil(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Output? {
        // Not by the fault: the publisher's own failure may be the same one, made on the same line.
        if case .value(let value) = try await self.outcome(.first, "firstValueOrNil()", fileID, line) { return value }
        return nil
    }

    /// Waits until the publisher has finished, and returns its last element.
    ///
    /// Cancellation and isolation are those of ``firstValue(fileID:line:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The element.
    /// - Throws: The publisher's failure; `BridgeFault` with `noValue` if it finishes without an element, and with
    ///   `subscriberDropped` if it drops its subscriber; `CancellationError`.
    /// - Complexity: O(*n*) in the number of elements; requests all of them, and holds one.
    public nonisolated(nonsending) func lastValue(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Output {
        try await self.value(.last, "lastValue()", fileID, line)
    }

    /// Waits until the publisher has finished, and returns its only element.
    ///
    /// Cancellation and isolation are those of ``firstValue(fileID:line:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The element.
    /// - Throws: The publisher's failure; `BridgeFault` with `noValue` if it finishes without an element, with
    ///   `severalValues` at the second element, which cancels the subscription, and with `subscriberDropped` if it
    ///   drops its subscriber; `CancellationError`.
    /// - Complexity: O(1); requests two elements.
    public nonisolated(nonsending) func singleValue(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Output {
        try await self.value(.single, "singleValue()", fileID, line)
    }

    private nonisolated(nonsending) func value(
        _ wanted: PublisherValue,
        _ bridge: StaticString,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws -> Output {
        try await self.outcome(wanted, bridge, fileID, line).value(made: CallSite(fileID: fileID, line: line))
    }

    /// Waits for the wanted element.
    ///
    /// - Throws: The publisher's failure; `CancellationError`; that the publisher has dropped its subscriber.
    nonisolated(nonsending) func outcome(
        _ wanted: PublisherValue,
        _ bridge: StaticString,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws -> ValueState<Output>.Outcome {
        typealias Exchange = CallbackExchange<ValueState<Output>.Outcome, any Error>
        if CurrentTask.isCancelled { throw CancellationError() }
        let (answered, answerers, upstream) = Exchange.begin(fileID, line, nil) { callback in
            let made = CallSite(fileID: fileID, line: line)
            let subscriber = ValueSubscriber<Output, Failure>(wanted, for: bridge, made: made) {
                callback.resume(with: $0)
            }
            _ = subscriber.upstream.whileBusy { self.subscribe(subscriber) }
            return subscriber.upstream
        }
        if let answered { return try answered.take().get() }
        return try await Exchange.finish(answerers, .prompt, nil, bridge: bridge) { upstream.cancel() }.untyped()
    }
}
#endif
