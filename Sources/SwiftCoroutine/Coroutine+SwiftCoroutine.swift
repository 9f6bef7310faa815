// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Coroutines
public import Dispatch

// Names of the library SwiftCoroutine, for code written for it.

extension Coroutine {
    /// Starts a coroutine at once, on this thread.
    ///
    /// After a wait the code continues on the thread that ended the wait: see `ImmediateScheduler`.
    ///
    /// - Parameters:
    ///   - onError: Gets the code's error; without it the error goes to `BridgeDiagnostics.uncaughtErrorHandler`.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - task: The code.
    /// - Returns: A handle; dropping it changes nothing.
    /// - Complexity: O(1).
    @preconcurrency
    @discardableResult
    public static func start(
        onError: (@Sendable (any Error) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ task: @escaping @Sendable () throws -> Void
    ) -> CoroutineHandle {
        ImmediateScheduler().startCoroutine(onError: onError, fileID: fileID, line: line, task: task)
    }

    /// Waits for an interval.
    ///
    /// For Dispatch's intervals; see ``delay(_:clock:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - interval: How long; `.never` waits until the coroutine is cancelled.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: `CancellationError`; ``CoroutineError/outsideCoroutine``.
    @available(*, noasync, message: "Write `try await Task.sleep(for:)` in async code")
    public static func delay(
        _ interval: DispatchTimeInterval,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        // Some three hundred years.
        let duration = Duration(interval) ?? .nanoseconds(Int64.max)
        try self.delay(duration, clock: .continuous, fileID: fileID, line: line)
    }
}

extension CoroutineScheduler {
    /// Runs a function here while the coroutine waits, then returns to the coroutine.
    ///
    /// For functions declared without `sending`; see the form for closures.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - task: The function.
    /// - Returns: The function's result.
    /// - Throws: The function's error; `CancellationError`; `BridgeFault` if the scheduler dropped it;
    ///   ``CoroutineError/outsideCoroutine``; ``CoroutineError/outOfMemory(errno:)``.
    /// - Complexity: O(1), a stack from the pool, and the cost of `scheduleTask`.
    @available(*, noasync, message: "Use a task executor or an actor in async code")
    @preconcurrency
    @_disfavoredOverload
    public func await<Value: Sendable>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ task: @Sendable () throws -> Value
    ) throws -> Value {
        try self.await(fileID: fileID, line: line) { () throws -> sending Value in try task() }
    }

    /// Starts a coroutine that handles messages one after another, and returns the sender's half of its channel.
    ///
    /// ```swift
    /// enum Message: Sendable {
    ///     case increment
    ///     case get(CoPromise<Int>)
    /// }
    ///
    /// let counter = DispatchQueue.global().actor(of: Message.self) { messages in
    ///     var count = 0
    ///     while let message = try messages.awaitNext() {
    ///         switch message {
    ///         case .increment: count += 1
    ///         case .get(let promise): promise.success(count)
    ///         }
    ///     }
    /// }
    /// counter.offer(.increment)
    /// ```
    ///
    /// In new code, prefer Swift's `actor`.
    ///
    /// ## Cancellation
    /// Cancelling the sender cancels the coroutine.
    ///
    /// - Parameters:
    ///   - type: The type of the messages.
    ///   - bufferType: How many messages may wait.
    ///   - onError: Gets the code's error; without it the error goes to `BridgeDiagnostics.uncaughtErrorHandler`. The
    ///     end of the channel is not an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - body: The code.
    /// - Returns: The handle for sending messages.
    @preconcurrency
    public func actor<Message>(
        of type: Message.Type = Message.self,
        bufferType: CoChannel<Message>.BufferType = .unlimited,
        onError: (@Sendable (any Error) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        body: @escaping @Sendable (CoChannel<Message>.Receiver) throws -> Void
    ) -> CoChannel<Message>.Sender {
        let (receiver, sender) = CoChannel<Message>(bufferType: bufferType, fileID: fileID, line: line).pair
        let coroutine = self.startCoroutine(onError: onError, fileID: fileID, line: line) {
            do { try body(receiver) } catch is CoChannelError {
                // The mailbox has ended, and so has the actor.
            } catch is CancellationError where receiver.isCancelled {
                // Likewise; the receiver may be told before the coroutine is.
            }
        }
        sender.whenCancelled { coroutine.cancel() }
        return sender
    }
}

extension CoroutineError {
    /// The same as ``outsideCoroutine``.
    public static var mustBeCalledInsideCoroutine: CoroutineError { .outsideCoroutine }

    /// The same as ``outsideCoroutine``.
    public static var calledOutsideCoroutine: CoroutineError { .outsideCoroutine }

    /// Lets `catch CoroutineError.mustBeCalledInsideCoroutine` match.
    ///
    /// - Parameters:
    ///   - pattern: The error to match.
    ///   - error: The error.
    /// - Returns: Whether the error is that one.
    public static func ~= (pattern: CoroutineError, error: any Error) -> Bool { (error as? CoroutineError) == pattern }
}
