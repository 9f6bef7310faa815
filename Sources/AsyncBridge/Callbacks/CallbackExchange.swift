// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The steps that all forms of `withCallback` share: start the work, then take the answer or wait for it.
///
/// An answer that comes at once is handled in ``begin(fileID:line:onUndelivered:start:)``, which is synchronous and
/// costs neither a continuation nor a cancellation handler; a late one in ``finish(_:_:timeout:cancel:)``.
@usableFromInline
package enum CallbackExchange<Value, Failure: Error> {
    /// The state of the work when `start` has returned.
    @usableFromInline
    package enum Start<Token> {
        case answered(Disconnected<Result<Value, Failure>>)
        case late(AnswerersReference, Token)
    }

    /// Makes the callback, starts the work, and takes the answer if it has come.
    ///
    /// Synchronous, so that all its own references are gone when the wait begins: the compiler may keep an async
    /// function's variable alive longer, in a debug build across the wait, and that would hide a dropped callback.
    @_alwaysEmitIntoClient @inline(__always)
    package static func begin<Token, StartFailure>(
        _ fileID: StaticString,
        _ line: UInt,
        _ onUndelivered: (@Sendable (sending Value) -> Void)?,
        _ start: (Callback<Value, Failure>) throws(StartFailure) -> Token
    ) throws(StartFailure) -> Start<Token> {
        let shot = OneShot(
            made: CallSite(fileID: fileID, line: line),
            lateValues: onUndelivered.map { LateValueHandler($0) }
        )
        let token: Token
        do { token = try start(Callback(shot: shot)) } catch {
            self.abandon(shot)
            throw error
        }
        if let result = shot.takeIfFull(as: Result<Value, Failure>.self) {
            return .answered(Disconnected(unchecked: result))
        }
        return .late(AnswerersReference(shot), token)
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
    @usableFromInline
    package enum Outcome {
        case answer(Disconnected<Result<Value, Failure>>)
        case interruption(BridgeInterruption)

        // Why not `get()`: with some values, `Data` among them, the compiler (6.3.1) crashes when it splits the caller.
        @_alwaysEmitIntoClient
        package func untyped() throws -> sending Value {
            switch self {
            case .answer(let result):
                switch result.take() {
                case .success(let value): return value
                case .failure(let error): throw error
                }
            case .interruption(let interruption): throw interruption.error
            }
        }

        @_alwaysEmitIntoClient
        func wrapped() throws(BridgeError<Failure>) -> sending Value {
            switch self {
            case .answer(let result): return try result.wrapped()
            case .interruption(let interruption): throw .interruption(interruption)
            }
        }
    }

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
            return .answer(Disconnected(unchecked: unsafe shot.payload.take(as: Result<Value, Failure>.self)))
        case .inWait(let wait):
            return .answer(Disconnected(unchecked: wait.take(as: Result<Value, Failure>.self)))
        case .interruption(let interruption):
            return .interruption(interruption)
        }
    }
}

extension CallbackExchange.Outcome where Failure == Never {
    @_alwaysEmitIntoClient
    func replacing(_ fallback: (BridgeInterruption) -> sending Value) -> sending Value {
        switch self {
        case .answer(let result): return result.take().get()
        case .interruption(let interruption): return fallback(interruption)
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
    defer { timer?.cancel() }

    // Runs once, here on the caller's actor: the cancellation has merely woken the task.
    var stopsTheWork = true
    func stop() {
        guard stopsTheWork else { return }
        stopsTheWork = false
        cancel()
        wait.cancelActions.fire()
    }

    var wake: OneShotWait.Wake
    switch cancellation {
    case .prompt: wake = await wait.park(releasing: answerers, onCancel: .end)
    case .cooperative: wake = await wait.park(releasing: answerers, onCancel: .wake)
    case .ignore: wake = await wait.parkUncancellably(releasing: answerers)
    }
    if wake == .runCancelActions {
        stop()
        wake = await wait.parkUncancellably(releasing: nil)
    }
    if case .end(let end) = wake, end != .dropped { stop() }
    return wait.conclude(wake)
}
