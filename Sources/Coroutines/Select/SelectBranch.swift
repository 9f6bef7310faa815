// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Something that a `select` may do: one of several things, whichever is possible first.
///
/// The closure runs after the selection, where `select` was called; what it returns or throws, `select` does. A branch is used
/// in one `select`, and only once.
public struct SelectBranch<Output> {
    @usableFromInline let selectCase: SelectCase<Output>

    private init(_ selectCase: SelectCase<Output>) { self.selectCase = selectCase }

    // MARK: Channels

    /// Receives an element.
    ///
    /// A channel that has ended can be received from at once: `select` throws its error then.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - then: Gets the element.
    /// - Returns: The branch.
    public static func receive<Element>(
        from channel: CoChannel<Element>,
        then: @escaping (sending Element) throws -> Output
    ) -> SelectBranch {
        // Safe: the selection has received the element, and nobody else has it.
        .result(from: channel) { try then(Disconnected(unchecked: try $0.get()).take()) }
    }

    /// Receives an element, or learns that there will be none.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - then: Gets the element, or the error with which the channel has ended.
    /// - Returns: The branch.
    public static func result<Element>(
        from channel: CoChannel<Element>,
        then: @escaping (Result<Element, any Error>) throws -> Output
    ) -> SelectBranch {
        SelectBranch(ReceiveCase(from: channel.storage, keeping: channel, then))
    }

    /// Receives an element.
    ///
    /// A channel that has ended can be received from at once: `select` throws its error then.
    ///
    /// - Parameters:
    ///   - receiver: The channel's half.
    ///   - then: Gets the element.
    /// - Returns: The branch.
    public static func receive<Element>(
        from receiver: CoChannel<Element>.Receiver,
        then: @escaping (sending Element) throws -> Output
    ) -> SelectBranch {
        // Safe: as above.
        .result(from: receiver) { try then(Disconnected(unchecked: try $0.get()).take()) }
    }

    /// Receives an element, or learns that there will be none.
    ///
    /// - Parameters:
    ///   - receiver: The channel's half.
    ///   - then: Gets the element, or the error with which the channel has ended.
    /// - Returns: The branch.
    public static func result<Element>(
        from receiver: CoChannel<Element>.Receiver,
        then: @escaping (Result<Element, any Error>) throws -> Output
    ) -> SelectBranch {
        SelectBranch(receiver.selectCase(then))
    }

    /// Sends an element.
    ///
    /// If another branch happens, the element is let go of: it does not go to `onUndelivered`. To a channel that has ended
    /// something can be sent at once: `select` throws its error then.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - channel: The channel.
    ///   - then: Called when it has been sent.
    /// - Returns: The branch.
    public static func send<Element>(
        _ element: sending Element,
        to channel: CoChannel<Element>,
        then: @escaping () throws -> Output
    ) -> SelectBranch {
        SelectBranch(SendCase(Disconnected(unchecked: element), to: channel.storage, keeping: channel, then))
    }

    /// Sends an element.
    ///
    /// If another branch happens, the element is let go of: it does not go to `onUndelivered`. To a channel that has ended
    /// something can be sent at once: `select` throws its error then.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - sender: The channel's half.
    ///   - then: Called when it has been sent.
    /// - Returns: The branch.
    public static func send<Element>(
        _ element: sending Element,
        to sender: CoChannel<Element>.Sender,
        then: @escaping () throws -> Output
    ) -> SelectBranch {
        SelectBranch(SendCase(Disconnected(unchecked: element), to: sender.storage, keeping: sender, then))
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
    public static func value<Value: Sendable>(
        of future: CoFuture<Value>,
        then: @escaping (Value) throws -> Output
    ) -> SelectBranch {
        .result(of: future) { try then($0.get()) }
    }

    /// Takes the result of a future.
    ///
    /// The future is not cancelled if another branch happens.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - then: Gets the value or the error.
    /// - Returns: The branch.
    public static func result<Value: Sendable>(
        of future: CoFuture<Value>,
        then: @escaping (Result<Value, any Error>) throws -> Output
    ) -> SelectBranch {
        SelectBranch(ResultCase(of: future, then))
    }

    // MARK: Time

    /// Happens after some time.
    ///
    /// - Parameters:
    ///   - duration: How long, in the clock's own type of duration; what is over already happens at once.
    ///   - clock: The clock that measures it.
    ///   - then: Called then.
    /// - Returns: The branch.
    public static func after<C: Clock>(
        _ duration: C.Duration,
        clock: C = .continuous,
        then: @escaping () throws -> Output
    ) -> SelectBranch {
        SelectBranch(DelayCase(duration, clock: clock, then))
    }

    // MARK: Default

    /// Happens if no other branch can at once: then `select` does not wait.
    ///
    /// - Parameter then: Called then.
    /// - Returns: The branch.
    public static func otherwise(then: @escaping () throws -> Output) -> SelectBranch {
        SelectBranch(DefaultCase(then))
    }
}
