// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The right to answer a waiting async function once.
///
/// ``withCallback(of:cancellation:timeout:onUndelivered:fileID:line:_:)`` makes one and waits
/// for its answer. Give it to the old API: as one of its ready-made handlers, or inside your own closure. It may be
/// copied and sent anywhere; all copies are one callback.
///
/// ## Exactly one answer
/// The first call of a `resume` function wins and returns `true`. A later one returns `false`, gives its value to
/// `onUndelivered`, and is reported to ``BridgeDiagnostics`` with both call sites, unless the wait was cancelled or
/// timed out before the first: an answer that loses such a race is not a mistake.
///
/// ## Never lost
/// When the last copy is released without an answer, the wait ends with
/// ``BridgeFault/Code-swift.struct/callbackDropped`` and the place where the callback was made.
///
/// ## Isolation
/// All functions may be called on any thread, even while the closure that received the callback is still running. They
/// resume the waiting task, which continues on its own actor; none of its code runs in the call.
public struct Callback<Value, Failure: Error>: Sendable {
    @usableFromInline let shot: OneShot

    @_alwaysEmitIntoClient
    init(shot: OneShot) { self.shot = shot }

    /// Where the callback was made.
    public var made: BridgeDiagnostics.CallSite { self.shot.made }

    /// Whether an answer would still be accepted at this moment: lets a long computation end early.
    ///
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
    public var isWaiting: Bool { self.shot.isOpen }
}

// MARK: - Answering

extension Callback {
    /// Answers with a value.
    ///
    /// To answer with what an async function returns, do not write `Task { callback.resume(returning: try await … ) }`:
    /// the task would keep the function's error for itself, and the wait would end with
    /// ``BridgeFault/Code-swift.struct/callbackDropped``. The compiler does not warn. `callAsync` passes on both:
    ///
    /// ```swift
    /// let quote = try await withCallback { callback in
    ///     callAsync {
    ///         try await client.quote(id: id)
    ///     } completion: {
    ///         callback.resume(with: $0)
    ///     }
    /// } onCancel: {
    ///     $0.cancel()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value, which leaves the caller's isolation.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether this was the first answer, and came while the wait was still open.
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
    @discardableResult
    public func resume(
        returning value: consuming sending Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool {
        self.deliver(.success(value), at: CallSite(fileID: fileID, line: line))
    }

    /// Answers with an error.
    ///
    /// - Parameters:
    ///   - error: The error, which the waiting function throws as it is.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether this was the first answer, and came while the wait was still open.
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
    @discardableResult
    public func resume(throwing error: Failure, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        self.deliver(.failure(error), at: CallSite(fileID: fileID, line: line))
    }

    /// Answers with a result.
    ///
    /// - Parameters:
    ///   - result: The value, which leaves the caller's isolation, or the error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether this was the first answer, and came while the wait was still open.
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
    @discardableResult
    public func resume(
        with result: consuming sending Result<Value, Failure>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool {
        self.deliver(result, at: CallSite(fileID: fileID, line: line))
    }

    /// Answers with a result that the compiler cannot prove safe to give away.
    ///
    /// For an old API that promises to give up a value that is not `Sendable` when it calls back.
    ///
    /// - Parameters:
    ///   - result: The value or the error. From now on only the waiting function may use the value.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether this was the first answer, and came while the wait was still open.
    /// - Complexity: O(1).
    @unsafe
    @_alwaysEmitIntoClient
    @discardableResult
    public func resume(
        uncheckedWith result: Result<Value, Failure>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool {
        self.deliver(result, at: CallSite(fileID: fileID, line: line))
    }

    @_alwaysEmitIntoClient
    func deliver(_ result: consuming Result<Value, Failure>, at site: CallSite) -> Bool {
        guard let refused = self.shot.deliver(result, at: site) else { return true }
        self.dispose(of: refused, at: site)
        return false
    }

    @usableFromInline
    func dispose(of refused: consuming OneShot.Refused<Result<Value, Failure>>, at site: CallSite) {
        if refused.isDuplicate {
            Diagnostics.reportDuplicate(
                "withCallback",
                made: self.shot.made,
                first: self.shot.settledSite,
                second: site
            )
        }
        LateValueHandler<Value>.dispose(of: refused.value, by: self.shot)
    }
}

extension Callback where Failure == any Error {
    /// Answers with a result whose error is of a known type.
    ///
    /// - Parameters:
    ///   - result: The value, which leaves the caller's isolation, or the error, which is thrown as it is.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether this was the first answer, and came while the wait was still open.
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
    @discardableResult
    public func resume<KnownFailure: Error>(
        with result: consuming sending Result<Value, KnownFailure>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool {
        self.deliver(result.mapError { $0 }, at: CallSite(fileID: fileID, line: line))
    }
}

extension Callback where Value == Void {
    /// Answers that the work is done.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: Whether this was the first answer, and came while the wait was still open.
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
    @discardableResult
    public func resume(fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        self.deliver(.success(()), at: CallSite(fileID: fileID, line: line))
    }
}

// MARK: - Cancelling

extension Callback {
    /// Registers an action that stops the work when the wait is cancelled or times out.
    ///
    /// May be called at any time, any number of times, before and after the cancellation. If the old API returns a
    /// handle to cancel with, the form of `withCallback` with an `onCancel:` closure is simpler.
    ///
    /// ## Cancellation
    /// The action runs exactly once if the wait is cancelled or times out, and never if it ends otherwise.
    ///
    /// ## Isolation
    /// An action registered before the cancellation runs on the waiting task's actor, outside every lock, the runtime's
    /// included: the cancellation only wakes the task. One registered afterwards runs at once, in this call.
    ///
    /// - Parameter action: Stops the work. It must not capture the callback: it would keep the callback alive, and a
    ///   drop could not be detected.
    /// - Complexity: O(1) amortised. Allocates.
    public func onCancel(_ action: sending @escaping () -> Void) {
        guard let wait = self.shot.attachWait(for: .cancelAction, bridge: "withCallback") else { return }
        // Safe: `sending` makes the closure ours alone.
        wait.cancelActions.add(CancelActions.Action(run: action))
    }
}

/// Handles values that arrive too late.
@usableFromInline
final class LateValueHandler<Value>: Sendable {
    private let body: @Sendable (sending Value) -> Void

    @usableFromInline
    init(_ body: @escaping @Sendable (sending Value) -> Void) { self.body = body }

    /// Gives the value to the one-shot's handler, if both exist.
    static func dispose<Failure>(of result: consuming Result<Value, Failure>, by shot: OneShot) {
        guard case .success(let value) = result, let handler = shot.lateValues else { return }
        // Safe: a callback and its one-shot's handler are made together, with one type; the value was refused, so no
        // other code has it.
        nonisolated(unsafe) let late = value
        unsafe unsafeDowncast(handler, to: LateValueHandler<Value>.self).body(late)
    }
}
