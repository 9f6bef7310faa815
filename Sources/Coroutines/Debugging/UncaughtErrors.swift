// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Synchronization

extension BridgeDiagnostics {
    /// Gets an error that no other code handles, and the place where the coroutine was started, or the channel was
    /// made.
    public typealias UncaughtErrorHandler = @Sendable (_ error: any Error, _ started: CallSite) -> Void

    /// Gets the errors of coroutines that no other code handles; `nil`, the default, writes a line to standard error.
    ///
    /// Those are the errors of coroutines that were started without `onError`, of generators that cannot throw, of
    /// generators that fail while they are unwound, and of `close(throwing:)` if a plain `for` loop over the channel
    /// ended there and nothing read the iterator's `error`. The `CancellationError` of a cancelled coroutine is not
    /// among them, and the errors of ``withCoroutine(stackSize:name:fileID:line:_:)`` go to its caller.
    ///
    /// ```swift
    /// BridgeDiagnostics.uncaughtErrorHandler = { error, started in
    ///     print("\(error), in the coroutine started at \(started)")
    /// }
    /// ```
    ///
    /// Isolation: may be read and set on any thread. The handler is called where the coroutine ended, perhaps on
    /// several threads at once, outside every lock.
    ///
    /// - Complexity: O(1).
    public static var uncaughtErrorHandler: UncaughtErrorHandler? {
        get { UncaughtErrors.handler }
        set { UncaughtErrors.handler = newValue }
    }
}

/// Tells of the errors that no other code handles.
enum UncaughtErrors {
    // A struct around it: a closure that is the generic value of a lock is wrapped once more by each access (6.3.1).
    private struct State {
        var handler: BridgeDiagnostics.UncaughtErrorHandler?
    }

    private static let current = Mutex(State())

    static var handler: BridgeDiagnostics.UncaughtErrorHandler? {
        get { self.current.withLock { $0.handler } }
        set { releaseHere(self.current.withLock { exchange(&$0.handler, with: newValue) }) }
    }

    static func report(_ error: any Error, started: CallSite) {
        self.pass(error, started) { "the coroutine started at \(started) ended with an error: \(error)" }
    }

    static func report(_ error: any Error, of generator: StaticString, made: CallSite) {
        self.pass(error, made) {
            "the \(generator) made at \(made) ended with an error that no iterator throws: \(error)"
        }
    }

    static func report(_ error: any Error, loopOverChannel made: CallSite) {
        self.pass(error, made) {
            "a `for` loop over the channel made at \(made) ended with an error that nothing read: \(error). Write "
                + "`while let element = try receiver.awaitNext()`, which throws it, or read the iterator's `error`."
        }
    }

    /// Gives an error to the handler; without one, writes a text to standard error.
    private static func pass(_ error: any Error, _ place: CallSite, orWrite text: () -> String) {
        if let handler = self.handler { return handler(error, place) }
        StandardError.writeLine(RoomyStack.text { "swift-async-bridge: " + text() })
    }
}
