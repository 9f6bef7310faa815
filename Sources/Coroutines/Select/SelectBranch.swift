// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Something that a `select` may do: one of several things, whichever is possible first.
///
/// The closure runs after the selection, where `select` was called; what it returns or throws, `select` does. A branch
/// is used in one `select`, and only once.
public struct SelectBranch<Output> {
    // The one property: an array of these is used as one of that.
    @usableFromInline let branch: AnySelectBranch

    @inlinable
    init(_ branch: AnySelectBranch) { self.branch = branch }

    // MARK: Channels

    /// Receives an element.
    ///
    /// A channel that has ended can be received from at once: `select` throws its error then.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - then: Gets the element.
    /// - Returns: The branch.
    @inlinable
    public static func receive<Element>(
        from channel: CoChannel<Element>,
        then: @escaping (sending Element) throws -> Output
    ) -> SelectBranch {
        SelectBranch(receivingFrom: channel.storage, keeping: channel, then)
    }

    /// Receives an element, or learns that there will be none.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - then: Gets the element, or the error with which the channel has ended.
    /// - Returns: The branch.
    @inlinable
    public static func result<Element>(
        from channel: CoChannel<Element>,
        then: @escaping (Result<Element, any Error>) throws -> Output
    ) -> SelectBranch {
        SelectBranch(resultFrom: channel.storage, keeping: channel, then)
    }

    /// Receives an element.
    ///
    /// A channel that has ended can be received from at once: `select` throws its error then.
    ///
    /// - Parameters:
    ///   - receiver: The channel's half.
    ///   - then: Gets the element.
    /// - Returns: The branch.
    @inlinable
    public static func receive<Element>(
        from receiver: CoChannel<Element>.Receiver,
        then: @escaping (sending Element) throws -> Output
    ) -> SelectBranch {
        if let storage = receiver.storage {
            return SelectBranch(receivingFrom: storage, keeping: receiver, then)
        }
        // Safe: the selection has received the element, and nobody else has it.
        return receiver.selectBranch { try then(Disconnected(unchecked: try $0.get()).take()) }
    }

    /// Receives an element, or learns that there will be none.
    ///
    /// - Parameters:
    ///   - receiver: The channel's half.
    ///   - then: Gets the element, or the error with which the channel has ended.
    /// - Returns: The branch.
    @inlinable
    public static func result<Element>(
        from receiver: CoChannel<Element>.Receiver,
        then: @escaping (Result<Element, any Error>) throws -> Output
    ) -> SelectBranch {
        if let storage = receiver.storage { return SelectBranch(resultFrom: storage, keeping: receiver, then) }
        return receiver.selectBranch(then)
    }

    /// Sends an element.
    ///
    /// To a channel that has ended something can be sent at once: `select` throws its error then.
    ///
    /// If `select` throws before a branch has happened, or throws the error of this channel, the element goes to the
    /// channel's `onUndelivered`, as with `send`. If another branch happens, the element is released, and does not go
    /// there: the caller asked for one of them, may still have the element, and send it in the next selection.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - channel: The channel.
    ///   - then: Called when it has been sent.
    /// - Returns: The branch.
    @inlinable
    public static func send<Element>(
        _ element: sending Element,
        to channel: CoChannel<Element>,
        then: @escaping () throws -> Output
    ) -> SelectBranch {
        SelectBranch(sending: Disconnected(unchecked: element), to: channel.storage, keeping: channel, then)
    }

    /// Sends an element.
    ///
    /// To a channel that has ended something can be sent at once: `select` throws its error then.
    ///
    /// If `select` throws before a branch has happened, or throws the error of this channel, the element goes to the
    /// channel's `onUndelivered`, as with `send`. If another branch happens, the element is released, and does not go
    /// there: the caller asked for one of them, may still have the element, and send it in the next selection.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - sender: The channel's half.
    ///   - then: Called when it has been sent.
    /// - Returns: The branch.
    @inlinable
    public static func send<Element>(
        _ element: sending Element,
        to sender: CoChannel<Element>.Sender,
        then: @escaping () throws -> Output
    ) -> SelectBranch {
        SelectBranch(sending: Disconnected(unchecked: element), to: sender.storage, keeping: sender, then)
    }

    // MARK: Futures

    /// Takes the value of a future.
    ///
    /// If the future fails, `select` throws its error. The future is not cancelled if another branch happens.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - then: Gets the value.
    /// - Returns: The branch.
    @inlinable
    public static func value<Value: Sendable>(
        of future: CoFuture<Value>,
        then: @escaping (Value) throws -> Output
    ) -> SelectBranch {
        SelectBranch(valueOf: future, then)
    }

    /// Takes the result of a future.
    ///
    /// The future is not cancelled if another branch happens.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - then: Gets the value or the error.
    /// - Returns: The branch.
    @inlinable
    public static func result<Value: Sendable>(
        of future: CoFuture<Value>,
        then: @escaping (Result<Value, any Error>) throws -> Output
    ) -> SelectBranch {
        SelectBranch(resultOf: future, then)
    }

    // MARK: Time

    /// Happens after some time.
    ///
    /// - Parameters:
    ///   - duration: How long, in the clock's own type of duration; what is over already happens at once, what is
    ///     longer than 30,000 years never.
    ///   - clock: The clock that measures it.
    ///   - then: Called then.
    /// - Returns: The branch.
    /// - Complexity: The wait is O(log *n*) in the number of waits for a time of the same clock. `ContinuousClock` and
    ///   `SuspendingClock` have timers that all share; for another clock each wait starts a task that sleeps.
    @inlinable
    public static func after<C: Clock>(
        _ duration: C.Duration,
        clock: C = .continuous,
        then: @escaping () throws -> Output
    ) -> SelectBranch {
        // Where the clock's type is known, these are constants.
        if C.self == ContinuousClock.self, let duration = duration as? Duration,
            let delay = SelectDelay.make(duration, timers: .continuous)
        {
            return SelectBranch(after: delay, then)
        }
        return SelectBranch(after: .make(duration, clock), then)
    }

    // MARK: Default

    /// Happens if no other branch can at once: then `select` does not wait.
    ///
    /// - Parameter then: Called then.
    /// - Returns: The branch.
    @inlinable
    public static func otherwise(then: @escaping () throws -> Output) -> SelectBranch {
        SelectBranch(otherwise: then)
    }
}
