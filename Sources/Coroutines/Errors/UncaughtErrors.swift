// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Synchronization

/// Gets the errors of coroutines that no other code handles.
///
/// Those are the errors of coroutines that were started without `onError`, of generators that cannot throw, and of
/// generators that fail while they are unwound. The `CancellationError` of a cancelled coroutine is not among them, and
/// the errors of ``withCoroutine(stackSize:name:fileID:line:_:)`` go to its caller.
///
/// ```swift
/// UncaughtErrors.handler = { error, started in print("\(error), in the coroutine started at \(started)") }
/// ```
public enum UncaughtErrors {
    /// Gets an error, and the place where the coroutine was started.
    public typealias Handler = @Sendable (_ error: any Error, _ started: CallSite) -> Void

    private static let current = Mutex<Handler?>(nil)

    /// Called with each uncaught error; `nil`, the default, writes a line to standard error.
    ///
    /// Isolation: may be read and set on any thread. The handler is called where the coroutine ended, perhaps on
    /// several threads at once, outside every lock.
    ///
    /// - Complexity: O(1).
    public static var handler: Handler? {
        get { self.current.withLock { $0 } }
        set {
            releaseHere(self.current.withLock { exchange(&$0, with: newValue) })
        }
    }

    static func report(_ error: any Error, started: CallSite) {
        if let handler = self.handler { return handler(error, started) }
        StandardError.writeLine("swift-async-bridge: the coroutine started at \(started) ended with an error: \(error)")
    }
}
