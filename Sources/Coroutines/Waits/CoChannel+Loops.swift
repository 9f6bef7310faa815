// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Loops of coroutines over channels, which throw what `for try await` throws in tasks.

extension CoChannel {
    /// Receives the next element for a loop in a coroutine, which is suspended while there is none.
    ///
    /// ```swift
    /// while let number = try channel.awaitNext() { print(number) }
    /// ```
    ///
    /// ## Cancellation
    /// Ends the loop, even if there are elements: they stay in the channel. If the channel has already ended, and
    /// nothing is left in it, its own end comes instead.
    ///
    /// ## Isolation
    /// The coroutine continues where it was: in its task, on its actor, or on its scheduler.
    ///
    /// - Returns: The element; `nil` if the channel was closed.
    /// - Throws: ``CoChannelError/senderDropped(_:)``; the error of ``close(throwing:)``; `CancellationError` if the
    ///   coroutine or the channel was cancelled; ``CoroutineError/outsideCoroutine`` if it would have to wait. The end
    ///   of a channel that was closed is not an error.
    /// - Complexity: O(1) amortised.
    @available(*, noasync, message: "Use `for try await` in async code")
    @inlinable
    public func awaitNext() throws -> sending Element? {
        // This handle counts, so it must live until the wait is over. The same everywhere below.
        defer { withExtendedLifetime(self) {} }
        let parker = RunningCoroutine.parking?.1
        if parker == nil, RunningCoroutine.isCancelled, !self.storage.isExhausted { throw CancellationError() }
        let suspension = ChannelSuspension(suspendForChannel)
        do { return try self.storage.awaitReceive(as: parker, suspension) } catch CoChannelError.closed { return nil }
    }
}

extension CoChannel.Receiver {
    /// Receives the next element for a loop in a coroutine, which is suspended while there is none.
    ///
    /// ```swift
    /// while let line = try lines.inbound.awaitNext() { try lines.outbound.awaitSend(line) }
    /// ```
    ///
    /// - Returns: The element; `nil` if the channel was closed.
    /// - Throws: See `CoChannel.awaitNext()`.
    @available(*, noasync, message: "Use `for try await` in async code")
    @inlinable @inline(__always)
    public func awaitNext() throws -> sending Element? {
        try self.awaitNext(ChannelSuspension(suspendForChannel))
    }

    @inlinable @inline(__always)
    func awaitNext(_ suspension: ChannelSuspension) throws -> sending Element? {
        // This handle counts, so it must live until the wait is over. The same everywhere below.
        defer { withExtendedLifetime(self) {} }
        let parker = RunningCoroutine.parking?.1
        if parker == nil, RunningCoroutine.isCancelled, !self.isExhausted { throw CancellationError() }
        do { return try self.awaitReceive(as: parker, suspension) } catch CoChannelError.closed { return nil }
    }
}

extension Coroutine {
    /// Calls a closure for each element of a channel, in a coroutine.
    ///
    /// ```swift
    /// try Coroutine.forEach(lines.inbound) { line in try lines.outbound.awaitSend(line) }
    /// ```
    ///
    /// A `while let` loop with `CoChannel.Receiver.awaitNext()` does the same, and can be left by `break` or
    /// `return`.
    ///
    /// ## Cancellation
    /// Throws `CancellationError` from the pending or the next element, even if the channel then merely ends. Elements
    /// that are left stay in the channel.
    ///
    /// ## Isolation
    /// The closure runs in the coroutine.
    ///
    /// - Parameters:
    ///   - receiver: The channel's half.
    ///   - body: Gets each element, and may wait as well.
    /// - Throws: What `CoChannel.awaitNext()` throws; the closure's error. The end of a channel that was closed is
    ///   not an error.
    /// - Complexity: O(1) amortised for each element.
    @available(*, noasync, message: "Write `for try await` in async code")
    @inlinable
    public static func forEach<Element>(
        _ receiver: CoChannel<Element>.Receiver,
        _ body: (sending Element) throws -> Void
    ) throws {
        while let element = try receiver.awaitNext() { try body(element) }
        try self.checkCancellation()
    }

    /// Calls a closure for each element of a channel, in a coroutine.
    ///
    /// See the form for a `CoChannel.Receiver`.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - body: Gets each element, and may wait as well.
    /// - Throws: What `CoChannel.awaitNext()` throws; the closure's error. The end of a channel that was closed is
    ///   not an error.
    /// - Complexity: O(1) amortised for each element.
    @available(*, noasync, message: "Write `for try await` in async code")
    @inlinable
    public static func forEach<Element>(
        _ channel: CoChannel<Element>,
        _ body: (sending Element) throws -> Void
    ) throws {
        // As a receiver only: the channel itself could send, too, and the loop would wait for it.
        try self.forEach(channel.receiver, body)
    }
}

extension RunningCoroutine {
    /// Whether the code runs in a coroutine that was cancelled.
    @inlinable
    static var isCancelled: Bool { self.current?.isCancelled == true }
}
