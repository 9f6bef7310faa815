// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An old API that answers through a completion handler, played by the law suite.
///
/// A bridge under test gets one, starts it, and returns the value or throws the error that the completion handler gets.
/// The scenario decides what the source does, and when: it answers at once, later, twice or never, drops the handler,
/// or answers inside ``SourceHandle/cancel()``.
///
/// Its values are negative, too, and as large as an `Int` holds. A bridge of a type that holds less, such as a
/// `Float` or an `Int32`, keeps the number in another field of that type, so that it is not rounded.
///
/// Isolation: may be used on any thread.
public final class OneShotSource: Sendable {
    let core: OneShotSourceCore
    private let token: LifetimeTracker.Token

    init(_ core: OneShotSourceCore) {
        self.core = core
        self.token = core.lifetimes.token("the source")
    }

    /// Starts the work.
    ///
    /// - Parameter completion: The handler, which is called with the answer.
    /// - Returns: A handle that stops the work.
    public func start(_ completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> SourceHandle {
        self.core.start(completion)
        return self.makeHandle()
    }

    /// Starts the work, or throws: for bridges of an API whose start can fail.
    ///
    /// Where ``start(_:)`` would immediately call the handler with an error, this throws the error. Then there is
    /// nothing to stop, but the handler is still kept: a wait for it never ends.
    ///
    /// - Parameter completion: The handler, which is called with the answer.
    /// - Returns: A handle that stops the work.
    /// - Throws: The error, if the work could not be started. An error of the work itself is not thrown.
    public func startThrowing(
        _ completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) throws -> SourceHandle {
        if let refusal = self.core.startThrowing(completion) { throw refusal }
        return self.makeHandle()
    }

    private func makeHandle() -> SourceHandle {
        SourceHandle(
            token: self.core.lifetimes.token("the source's handle"),
            cancel: { [core] in core.cancel() },
            release: { [core] in core.releaseHandle() }
        )
    }

    /// Measures the time of the call: for bridges that promise ``OneShotPromises/timeout``.
    ///
    /// ```swift
    /// let violations = await OneShotLaws.check(
    ///     "client",
    ///     promises: .standard.with { $0.timeout = .seconds(5) }
    /// ) { source in
    ///     try await withCallback(timeout: .after(.seconds(5), on: source.clock)) { callback in
    ///         source.start(callback.handler())
    ///     } onCancel: { handle in
    ///         handle.cancel()
    ///     }
    /// }
    /// ```
    ///
    /// Its time moves only in the scenarios about timeouts, and each call has its own.
    public var clock: TestClock { self.core.clock }

    /// Takes back a value that arrived too late: for bridges that promise to hand it back.
    ///
    /// - Parameter value: The value.
    public func takeBack(_ value: Int) { self.core.takeBack(value) }
}

/// A handle that stops the work of a source.
///
/// Isolation: its release runs the scenario's action, too, which may wait for the thread that is calling the handler.
/// Do not release it under a lock that the handler takes.
public final class SourceHandle: Sendable {
    private let token: LifetimeTracker.Token
    private let body: @Sendable () -> Void
    private let release: @Sendable () -> Void

    init(
        token: LifetimeTracker.Token,
        cancel body: @escaping @Sendable () -> Void,
        release: @escaping @Sendable () -> Void
    ) {
        self.token = token
        self.body = body
        self.release = release
    }

    deinit { self.release() }

    /// Stops the work.
    ///
    /// Isolation: runs the scenario's action in this call. The action may call the completion handler, or wait for the
    /// thread that is calling it.
    public func cancel() { self.body() }
}
