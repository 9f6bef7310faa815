// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The steps that all forms of `withCallback` share: start the work, then take the answer or wait for it.
///
/// An answer that comes at once is taken in ``begin(_:_:_:_:)``, which is synchronous and costs neither a
/// continuation nor a cancellation handler; a late one comes from ``finish(_:_:_:bridge:cancel:)``.
@usableFromInline
package enum CallbackExchange<Value, Failure: Error> {
    /// Makes the callback and starts the work.
    ///
    /// Synchronous, so that all its own references are gone when the wait begins: the compiler may keep an async
    /// function's variable alive longer, in a debug build across the wait, and that would hide a dropped callback.
    ///
    /// - Returns: The answer, if it came before `start` returned. If it did not, the waiter's reference to the
    ///   answerers' half, to wait with; with the answer it is empty. And what `start` returned.
    // A tuple: an enum of our own would bring its metadata into each program that has a callback.
    @_alwaysEmitIntoClient @inline(__always)
    package static func begin<Token, StartFailure>(
        _ fileID: StaticString,
        _ line: UInt,
        _ onUndelivered: (@Sendable (sending Value) -> Void)?,
        _ start: (Callback<Value, Failure>) throws(StartFailure) -> Token
    ) throws(StartFailure) -> (Disconnected<Result<Value, Failure>>?, AnswerersReference, Token) {
        let shot = OneShot(
            made: CallSite(fileID: fileID, line: line),
            lateValues: onUndelivered.map { LateValueHandler($0) }
        )
        let token: Token
        do { token = try start(Callback(shot: shot)) } catch {
            self.abandon(shot)
            throw error
        }
        // Before a reference is made, which would be counted.
        if let result = shot.takeIfFull(as: Result<Value, Failure>.self) {
            return (Disconnected(unchecked: result), AnswerersReference(), token)
        }
        return (nil, AnswerersReference(shot), token)
    }

    /// Leaves without waiting: the work could not be started.
    @usableFromInline
    static func abandon(_ shot: OneShot) {
        guard let result = shot.close(as: Result<Value, Failure>.self) else { return }
        LateValueHandler<Value>.dispose(of: result, by: shot)
    }

    /// Leaves without waiting, as if cancelled: the work was started, but this code cannot wait for its answer.
    ///
    /// - Parameters:
    ///   - answerers: The waiter's reference to the answerers' half, given up here.
    ///   - bridge: The bridge that would have waited.
    @usableFromInline
    package static func cancel(_ answerers: AnswerersReference, bridge: StaticString) {
        let shot = answerers.object
        answerers.release()
        // Attached, so that a cancel action registered later runs at once.
        if let wait = shot.attachWait(for: .waiter, bridge: bridge), wait.word.state != .full {
            wait.cancelActions.fire()
        }
        self.abandon(shot)
    }

    /// The end of a wait.
    ///
    /// Of the standard library's types: one of our own would bring 5 KB of code into each program that has a callback.
    @usableFromInline
    package typealias Outcome = Result<Disconnected<Result<Value, Failure>>, BridgeInterruption>

    /// Waits for a late answer.
    ///
    /// - Parameters:
    ///   - answerers: The waiter's reference to the answerers' half, given up when the wait begins.
    ///   - cancellation: What cancelling the task does.
    ///   - timeout: When to give up.
    ///   - bridge: What waits, for the list of pending waits.
    ///   - cancel: Stops the work; run at most once, on the caller's actor.
    /// - Returns: The answer, or why there is none.
    @_alwaysEmitIntoClient
    package nonisolated(nonsending) static func finish(
        _ answerers: AnswerersReference,
        _ cancellation: CancellationMode,
        _ timeout: BridgeTimeout?,
        bridge: StaticString = "withCallback",
        cancel: () -> Void
    ) async -> Outcome {
        self.outcome(await awaitAnswer(answerers, bridge, cancellation, timeout, cancel: cancel), answerers)
    }

    /// Takes the answer.
    ///
    /// - Parameters:
    ///   - answer: Where it is, or why there is none.
    ///   - answerers: The waiter's reference to the answerers' half, given up here if the answer is there.
    /// - Returns: The answer, or why there is none.
    @_alwaysEmitIntoClient
    package static func outcome(_ answer: LateAnswer, _ answerers: AnswerersReference) -> Outcome {
        switch answer {
        case .inShot:
            let shot = answerers.object
            answerers.release()
            // Safe: it was seen to be full, and this waiter alone takes.
            return .success(Disconnected(unchecked: unsafe shot.payload.take(as: Result<Value, Failure>.self)))
        case .inWait(let wait):
            return .success(Disconnected(unchecked: wait.take(as: Result<Value, Failure>.self)))
        case .interruption(let interruption):
            return .failure(interruption)
        }
    }
}

extension Result where Failure == BridgeInterruption {
    /// Gives the value, or throws the API's error or that of the interruption.
    // Why not `get()`: with some values, `Data` among them, the compiler (6.3.1) crashes when it splits the caller.
    @_alwaysEmitIntoClient
    package func untyped<Value, APIFailure>() throws -> sending Value
    where Success == Disconnected<Result<Value, APIFailure>> {
        switch self {
        case .success(let answer):
            switch answer.take() {
            case .success(let value): return value
            case .failure(let error): throw error
            }
        case .failure(let interruption): throw interruption.error
        }
    }

    /// Gives the value, or throws the API's error or the interruption, in the wrapper of the typed forms.
    @_alwaysEmitIntoClient
    func wrapped<Value, APIFailure>() throws(BridgeError<APIFailure>) -> sending Value
    where Success == Disconnected<Result<Value, APIFailure>> {
        switch self {
        case .success(let answer): return try answer.wrapped()
        case .failure(let interruption): throw .interruption(interruption)
        }
    }

    /// Gives the value, or what stands for it after an interruption.
    @_alwaysEmitIntoClient
    func replacing<Value>(_ fallback: (BridgeInterruption) -> sending Value) -> sending Value
    where Success == Disconnected<Result<Value, Never>> {
        switch self {
        case .success(let answer): return answer.take().get()
        case .failure(let interruption): return fallback(interruption)
        }
    }
}

extension Disconnected {
    /// Gives the value, or the error in the wrapper of the typed forms.
    @_alwaysEmitIntoClient
    func wrapped<Success, Failure>() throws(BridgeError<Failure>) -> sending Success
    where Value == Result<Success, Failure> {
        switch self.take() {
        case .success(let value): return value
        case .failure(let error): throw .failure(error)
        }
    }
}

/// Waits for a late answer of any type.
///
/// Not generic, so that it is compiled once, here.
@usableFromInline
nonisolated(nonsending) func awaitAnswer(
    _ answerers: AnswerersReference,
    _ bridge: StaticString,
    _ cancellation: CancellationMode,
    _ timeout: BridgeTimeout?,
    cancel: () -> Void
) async -> LateAnswer {
    let wait: OneShotWait
    switch answerers.beginWait(bridge) {
    case .answered(let answer): return answer
    case .late(let late): wait = late
    }
    let timer = timeout?.begin(wait, resumesOthersCode: CurrentTask.isResumedByOthersCode)
    var wake = await wait.park(releasing: answerers, cancellation: cancellation)
    // Here on the caller's actor, and once: the cancellation has merely woken the task.
    switch wake {
    case .runCancelActions:
        cancel()
        wait.cancelActions.fire()
        wake = await wait.park(releasing: nil, cancellation: .ignore)
    case .end(.cancelled), .end(.timedOut):
        // The cancel actions follow, in `conclude`.
        cancel()
    case .end(.dropped), .result:
        break
    }
    timer?.cancel()
    return wait.conclude(wake)
}
