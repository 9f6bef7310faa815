// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A handle to cancel a running async operation.
///
/// Dropping the handle does not cancel.
public struct CallHandle: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    /// Cancels the operation.
    ///
    /// The completion is still called, once: with the operation's result after the cancellation, or with
    /// `CancellationError` if it had not started.
    ///
    /// - Complexity: O(1), plus the operation's own cancellation handlers, which run in this call.
    public func cancel() { self.task.cancel() }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { self.task.isCancelled }

    /// Waits until the completion has been called and has returned.
    ///
    /// Cancellation: keeps waiting.
    public func finished() async { await self.task.value }
}

/// Where a completion handler runs if it is not bound to an actor.
public struct CompletionDelivery: Sendable {
    // On the operation's actor, which it leaves only to wait.
    let deliver: nonisolated(nonsending) @Sendable (_ call: @escaping @Sendable () -> Void) async -> Void

    /// Where the operation ended, at once: on its actor, if it has one.
    public static var inline: CompletionDelivery {
        CompletionDelivery { call in call() }
    }

    /// On a task executor.
    ///
    /// - Parameter executor: What runs the handler.
    /// - Returns: The delivery.
    public static func on(_ executor: any TaskExecutor) -> CompletionDelivery {
        CompletionDelivery { call in
            await Task(executorPreference: executor) { call() }.value
        }
    }

    /// Through the caller's function, such as a queue's `async`.
    ///
    /// ```swift
    /// callAsync(deliver: .through { queue.async(execute: $0) }) {
    ///     try await client.quote(id: id)
    /// } completion: { result in
    ///     show(result)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - schedule: Runs the given closure once, anywhere and at any time. If it drops the closure, the completion is
    ///     not called, and the drop is reported. If it runs the closure again, the completion is not called again, and
    ///     that is reported.
    /// - Returns: The delivery.
    public static func through(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> CompletionDelivery {
        CompletionDelivery { call in
            // Waits, so that ``CallHandle/finished()`` keeps its promise.
            typealias Exchange = CallbackExchange<Void, Never>
            let (answered, answerers, _) = Exchange.begin(fileID, line, nil) { callback in
                let isCalled = OnceFlag()
                schedule {
                    guard isCalled.setFirst() else { return Self.reportSecondRun(fileID, line) }
                    call()
                    callback.resume(fileID: fileID, line: line)
                }
            }
            if answered != nil { return }
            // Not `withCallback`, which would be named in the report of a drop, and in the list of waits.
            _ = await Exchange.finish(answerers, .ignore, nil, bridge: "callAsync", cancel: {})
        }
    }
}

extension CompletionDelivery {
    private static func reportSecondRun(_ fileID: StaticString, _ line: UInt) {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .duplicateAnswer,
                bridge: "callAsync",
                made: CallSite(fileID: fileID, line: line),
                advice: """
                    The schedule of `.through` ran its closure twice. The completion was called the first time only; \
                    run what the schedule is given once.
                    """
            )
        )
    }
}

/// Runs an async operation for a caller that wants its result through a completion handler.
///
/// The completion runs where it was written: on the caller's actor, if there is one.
///
/// ```swift
/// func fetchContacts(completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
///     callAsync {
///         try await self.contacts()
///     } completion: {
///         completion($0)
///     }
/// }
/// ```
///
/// ## Exactly one call
/// The completion is called once on every path. If the operation was cancelled before it started, it does not run, and
/// the completion gets `CancellationError`.
///
/// The value need not be copyable: the completion alone has it.
///
/// ## Order
/// Without a queue each call starts a task of its own, so two calls may overtake each other. Calls with the same queue
/// run one after the other, in the order in which they were made.
///
/// ## Isolation
/// Operation and completion keep the isolation of their closures, which is that of the surrounding code. They inherit
/// the caller's task-locals and priority.
///
/// - Parameters:
///   - queue: The order in which to run; `nil` runs the operation at once. See ``CallQueue``.
///   - priority: The priority of the operation; `nil` takes the caller's.
///   - operation: The operation.
///   - completion: Gets the operation's result.
/// - Returns: A handle to cancel with.
/// - Complexity: O(1); starts one task.
@discardableResult
public func callAsync<Value: ~Copyable>(
    in queue: CallQueue? = nil,
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws -> sending Value,
    @_inheritActorContext completion:
        @escaping @Sendable @isolated(any) (consuming sending Result<Value, any Error>) -> Void
) -> CallHandle {
    let operation = Operation(operation, queue?.storage.enter())
    return CallHandle(
        Task(priority: priority) {
            let result = await operation.result()
            await completion(result.take())
            operation.end()
        }
    )
}

/// Runs an async operation for a caller that wants its result as an optional value and an optional error.
///
/// Exactly one of them is not `nil`. Everything else is as in the form whose completion takes a `Result`.
///
/// ## Isolation
/// Operation and completion keep the isolation of their closures, which is that of the surrounding code.
///
/// - Parameters:
///   - queue: The order in which to run; `nil` runs the operation at once. See ``CallQueue``.
///   - priority: The priority of the operation; `nil` takes the caller's.
///   - operation: The operation. If it was cancelled before it started, it does not run.
///   - completion: Gets the value, or the operation's error.
/// - Returns: A handle to cancel with.
/// - Complexity: O(1); starts one task.
@discardableResult
public func callAsync<Value>(
    in queue: CallQueue? = nil,
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws -> sending Value,
    @_inheritActorContext completion: @escaping @Sendable @isolated(any) (sending Value?, (any Error)?) -> Void
) -> CallHandle {
    let operation = Operation(operation, queue?.storage.enter())
    return CallHandle(
        Task(priority: priority) {
            switch await operation.result().take() {
            case .success(let value): await completion(value, nil)
            case .failure(let error): await completion(nil, error)
            }
            operation.end()
        }
    )
}

/// Runs an async operation for a caller that chooses where its completion handler runs.
///
/// Everything else is as in the form without `deliver:`.
///
/// ## Isolation
/// The operation keeps the isolation of the surrounding code; the completion runs where `delivery` says.
///
/// - Parameters:
///   - queue: The order in which to run; `nil` runs the operation at once. See ``CallQueue``.
///   - delivery: Where the completion runs.
///   - priority: The priority of the operation; `nil` takes the caller's.
///   - operation: The operation. If it was cancelled before it started, it does not run.
///   - completion: Gets the operation's result.
/// - Returns: A handle to cancel with.
/// - Complexity: O(1); starts one task, and one more for ``CompletionDelivery/on(_:)``.
@discardableResult
public func callAsync<Value: Sendable>(
    in queue: CallQueue? = nil,
    deliver delivery: CompletionDelivery,
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws -> sending Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
) -> CallHandle {
    let operation = Operation(operation, queue?.storage.enter())
    return CallHandle(
        Task(priority: priority) {
            await operation.deliverResult { result in
                let result = result.take()
                await delivery.deliver { completion(result) }
            }
            operation.end()
        }
    )
}

/// An operation on its way into its task.
private struct Operation<Value: ~Copyable>: Sendable {
    private let body: Disconnected<@isolated(any) () async throws -> sending Value>
    private let isolation: (any Actor)?
    private let turn: CallTurn?

    init(_ body: sending @escaping @isolated(any) () async throws -> sending Value, _ turn: CallTurn?) {
        self.turn = turn
        self.isolation = Self.isolation(of: body)
        // Safe: `sending` makes the closure ours alone; `run` calls it once.
        self.body = Disconnected(unchecked: body)
    }

    /// Read here because the compiler (Swift 6.3) crashes at the isolation of a closure with a `sending` result.
    private static func isolation(of body: @isolated(any) () async throws -> Value) -> (any Actor)? { body.isolation }

    /// Runs the operation, when it is its turn, unless its task is cancelled already.
    func result() async -> OperationResult<Value> {
        await self.turn?.comes()
        return await self.run(on: self.isolation)
    }

    /// The completion has returned: lets the next call of the queue start.
    func end() { self.turn?.end() }

    /// The same, and continues with the result where the operation ended.
    func deliverResult(
        _ deliver: nonisolated(nonsending) @Sendable (consuming OperationResult<Value>) async -> Void
    ) async {
        await self.turn?.comes()
        await self.run(on: self.isolation, then: deliver)
    }

    private func run(
        on isolation: isolated (any Actor)?,
        then deliver: nonisolated(nonsending) @Sendable (consuming OperationResult<Value>) async -> Void
    ) async {
        await deliver(await self.run(on: isolation))
    }

    /// On the operation's actor, so that nothing comes between the check and the start: the actor may have been busy,
    /// and the call cancelled meanwhile.
    private func run(on _: isolated (any Actor)?) async -> OperationResult<Value> {
        guard !Task.isCancelled else { return OperationResult(.failure(CancellationError())) }
        do {
            return OperationResult(.success(try await self.body.take()()))
        } catch {
            return OperationResult(.failure(error))
        }
    }
}

/// What an operation has returned or thrown, which no other code can reach: like `Disconnected`, and of any value.
///
/// Safe: only an ``Operation`` fills it, with what its closure returns as `sending`; it is emptied once.
private struct OperationResult<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private nonisolated(unsafe) let value: Result<Value, any Error>

    init(_ value: consuming Result<Value, any Error>) { unsafe self.value = value }

    /// Gives it to the caller.
    consuming func take() -> sending Result<Value, any Error> { unsafe self.value }
}
