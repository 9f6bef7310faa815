// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A slot in which async callers wait for a delegate's next reply; a delegate holds it instead of a continuation.
///
/// ```swift
/// @MainActor
/// final class ImagePickerService: ImagePickerDelegate {
///     private let picker = ImagePicker()
///     private let reply = ReplySlot<Image?>()
///
///     func pickImage() async throws -> Image? {
///         try await self.reply.wait(keepingAlive: self) {
///             self.picker.present(delegate: self)
///         } onCancel: {
///             self.picker.dismiss()
///         }
///     }
///
///     func imagePicker(_ picker: ImagePicker, didPick image: Image) { self.reply.resume(returning: image) }
///     func imagePickerDidCancel(_ picker: ImagePicker) { self.reply.resume(returning: nil) }
/// }
/// ```
///
/// The slot clears itself at each reply, so a stale or overwritten continuation cannot happen. A reply without a
/// waiting caller is refused with `false`, and is not a mistake: a delegate may call more often than it was asked.
///
/// ## Several callers
/// ``ReplyOverlap`` decides what happens to a caller that comes while another one waits.
///
/// ## Lifetime
/// When the slot is released, a caller that still waits, through a ``Waiter``, gets
/// ``BridgeFault/Code-swift.struct/slotClosed``.
///
/// ## Isolation
/// May be used on any thread. Replies are sent to several callers under `share`, so values are `Sendable`.
public final class ReplySlot<Value: Sendable>: Sendable {
    private let storage: ReplySlotStorage<Value>

    /// Makes an empty slot.
    ///
    /// - Parameters:
    ///   - type: The type of the replies.
    ///   - overlap: What happens to a caller that comes while another one waits.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    public init(
        of type: Value.Type = Value.self,
        overlap: ReplyOverlap = .reject,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.storage = ReplySlotStorage(overlap: overlap, made: CallSite(fileID: fileID, line: line))
    }

    deinit {
        guard self.storage.close() else { return }
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .slotDropped,
                bridge: "ReplySlot",
                made: self.storage.made,
                advice: "Its waiting callers got an error. Keep the delegate alive until it has replied, or call "
                    + "close() when it is no longer wanted."
            )
        )
    }

    /// The callers' side of the slot, which does not keep the slot alive.
    ///
    /// For callers that do not own the delegate, and must notice when it is released.
    public var waiter: Waiter { Waiter(storage: self.storage) }
}

// MARK: - Waiting

extension ReplySlot {
    /// The callers' side of a slot.
    public struct Waiter: Sendable {
        fileprivate let storage: ReplySlotStorage<Value>

        /// Starts the work and waits for the delegate's next reply.
        ///
        /// ## Cancellation
        /// Throws `CancellationError` at once. If no other caller shares the work, `cancel` runs, once. The slot is
        /// free only when it has returned, so it never overlaps with the next caller's work. In a task already
        /// cancelled the work is not started.
        ///
        /// ## Isolation
        /// `start` and `cancel` run synchronously on the caller's actor, outside every lock.
        ///
        /// - Parameters:
        ///   - object: Kept alive until the wait has ended: the delegate, which most APIs hold weakly.
        ///   - timeout: When to give up, counted from the moment the wait begins, and for each wait: for the turn, if
        ///     the caller must wait for it, and for the reply.
        ///   - fileID: The caller's file.
        ///   - line: The caller's line.
        ///   - start: Starts the work. Under `share` it runs for the first
        ///     caller only.
        ///   - cancel: Stops the work.
        /// - Returns: The reply.
        /// - Throws: The delegate's error, as it is; what `start` throws; `CancellationError`; or ``BridgeFault`` if
        ///   the slot was busy or closed, if a newer caller replaced this one, or if the wait timed out.
        /// - Complexity: O(1) amortised, however many callers wait.
        public nonisolated(nonsending) func wait(
            keepingAlive object: AnyObject? = nil,
            timeout: BridgeTimeout? = nil,
            fileID: StaticString = #fileID,
            line: UInt = #line,
            _ start: () throws -> Void,
            onCancel cancel: () -> Void
        ) async throws -> Value {
            // Released when this function returns, on the caller's actor.
            defer { withExtendedLifetime(object) {} }
            let storage = self.storage
            let id = storage.makeID()
            var mustLineUp = storage.takesTurns
            while true {
                if mustLineUp {
                    try await storage.lineUp(id, timeout: timeout, at: CallSite(fileID: fileID, line: line))
                }
                do {
                    return try await awaitCallback("ReplySlot", timeout: timeout, fileID: fileID, line: line) {
                        callback in
                        try storage.join(id, callback, at: CallSite(fileID: fileID, line: line), starting: start)
                    } onCancel: { _ in
                        storage.leave(id, stop: cancel)
                    }
                } catch is ReplySlotStorage<Value>.MustLineUp {
                    mustLineUp = true
                } catch {
                    storage.leave(id)
                    throw error
                }
            }
        }

        // Not a default of the other form: of two closures of which one has a default, Swift 5 takes a trailing one for
        // the last, so it would start the work only at the end of the wait.
        /// Starts work that cannot be stopped, and waits for the delegate's next reply.
        ///
        /// The form without `onCancel:`; the other says what is promised.
        ///
        /// - Parameters:
        ///   - object: Kept alive until the wait has ended: the delegate, which most APIs hold weakly.
        ///   - timeout: When to give up.
        ///   - fileID: The caller's file.
        ///   - line: The caller's line.
        ///   - start: Starts the work.
        /// - Returns: The reply.
        /// - Throws: As the other form.
        /// - Complexity: O(1) amortised, however many callers wait.
        public nonisolated(nonsending) func wait(
            keepingAlive object: AnyObject? = nil,
            timeout: BridgeTimeout? = nil,
            fileID: StaticString = #fileID,
            line: UInt = #line,
            _ start: () throws -> Void
        ) async throws -> Value {
            try await self.wait(keepingAlive: object, timeout: timeout, fileID: fileID, line: line, start, onCancel: {})
        }

        /// Waits for the next reply of a delegate that calls unasked.
        ///
        /// - Parameters:
        ///   - object: Kept alive until the wait has ended: the delegate, which most APIs hold weakly.
        ///   - timeout: When to give up.
        ///   - fileID: The caller's file.
        ///   - line: The caller's line.
        /// - Returns: The reply.
        /// - Throws: As the form that starts work.
        /// - Complexity: O(1) amortised, however many callers wait.
        public nonisolated(nonsending) func wait(
            keepingAlive object: AnyObject? = nil,
            timeout: BridgeTimeout? = nil,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) async throws -> Value {
            try await self.wait(keepingAlive: object, timeout: timeout, fileID: fileID, line: line, {}, onCancel: {})
        }
    }

    /// Starts the work and waits for the delegate's next reply.
    ///
    /// ## Cancellation
    /// Throws `CancellationError` at once. If no other caller shares the work, `cancel` runs, once. The slot is free
    /// only when it has returned, so it never overlaps with the next caller's work. In a task already cancelled the
    /// work is not started.
    ///
    /// ## Isolation
    /// `start` and `cancel` run synchronously on the caller's actor, outside every lock.
    ///
    /// - Parameters:
    ///   - object: Kept alive until the wait has ended: the delegate, which most APIs hold weakly.
    ///   - timeout: When to give up, counted from the moment the wait begins, and for each wait: for the turn, if the
    ///     caller must wait for it, and for the reply.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work. Under `share` it runs for the first caller
    ///     only.
    ///   - cancel: Stops the work.
    /// - Returns: The reply.
    /// - Throws: The delegate's error, as it is; what `start` throws; `CancellationError`; or ``BridgeFault`` if the
    ///   slot was busy or closed, if a newer caller replaced this one, or if the wait timed out.
    /// - Complexity: O(1) amortised, however many callers wait.
    public nonisolated(nonsending) func wait(
        keepingAlive object: AnyObject? = nil,
        timeout: BridgeTimeout? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: () throws -> Void,
        onCancel cancel: () -> Void
    ) async throws -> Value {
        try await self.waiter.wait(
            keepingAlive: object,
            timeout: timeout,
            fileID: fileID,
            line: line,
            start,
            onCancel: cancel
        )
    }

    // Not a default of the other form: of two closures of which one has a default, Swift 5 takes a trailing one for
    // the last, so it would start the work only at the end of the wait.
    /// Starts work that cannot be stopped, and waits for the delegate's next reply.
    ///
    /// The form without `onCancel:`; the other says what is promised.
    ///
    /// - Parameters:
    ///   - object: Kept alive until the wait has ended: the delegate, which most APIs hold weakly.
    ///   - timeout: When to give up.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work.
    /// - Returns: The reply.
    /// - Throws: As the other form.
    /// - Complexity: O(1) amortised, however many callers wait.
    public nonisolated(nonsending) func wait(
        keepingAlive object: AnyObject? = nil,
        timeout: BridgeTimeout? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: () throws -> Void
    ) async throws -> Value {
        try await self.wait(keepingAlive: object, timeout: timeout, fileID: fileID, line: line, start, onCancel: {})
    }

    /// Waits for the next reply of a delegate that calls unasked.
    ///
    /// - Parameters:
    ///   - object: Kept alive until the wait has ended: the delegate, which most APIs hold weakly.
    ///   - timeout: When to give up.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The reply.
    /// - Throws: As the form that starts work.
    /// - Complexity: O(1) amortised, however many callers wait.
    public nonisolated(nonsending) func wait(
        keepingAlive object: AnyObject? = nil,
        timeout: BridgeTimeout? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        try await self.wait(keepingAlive: object, timeout: timeout, fileID: fileID, line: line, {}, onCancel: {})
    }

    /// Whether a caller is waiting for a reply at this moment.
    public var isWaiting: Bool { self.storage.isWaiting }
}

// MARK: - Replying

extension ReplySlot {
    /// Replies with a value.
    ///
    /// - Parameters:
    ///   - value: The reply.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether a caller was waiting for it.
    /// - Complexity: O(*n*) in the number of callers that share the reply.
    @discardableResult
    public func resume(returning value: Value, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        self.resume(with: .success(value), fileID: fileID, line: line)
    }

    /// Replies with an error.
    ///
    /// - Parameters:
    ///   - error: The error, which each waiting caller throws as it is.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether a caller was waiting for it.
    /// - Complexity: O(*n*) in the number of callers that share the reply.
    @discardableResult
    public func resume(throwing error: any Error, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        self.resume(with: .failure(error), fileID: fileID, line: line)
    }

    /// Replies with a result.
    ///
    /// - Parameters:
    ///   - result: The value or the error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether a caller was waiting for it.
    /// - Complexity: O(*n*) in the number of callers that share the reply.
    @discardableResult
    public func resume(
        with result: Result<Value, any Error>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool {
        self.storage.answer(result, at: CallSite(fileID: fileID, line: line))
    }

    /// Replies with a result whose error is of a known type.
    ///
    /// - Parameters:
    ///   - result: The value, or the error, which each waiting caller throws as it is.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether a caller was waiting for it.
    /// - Complexity: O(*n*) in the number of callers that share the reply.
    @discardableResult
    public func resume<KnownFailure: Error>(
        with result: Result<Value, KnownFailure>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool {
        self.storage.answer(result.mapError { $0 }, at: CallSite(fileID: fileID, line: line))
    }

    /// Closes the slot for good: current and later callers get an error.
    public func close() { self.storage.close() }
}
