// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension CoScope {
    /// Adds a coroutine.
    ///
    /// In a cancelled scope it is cancelled at once.
    ///
    /// - Parameter coroutine: The coroutine.
    /// - Complexity: O(1) amortised.
    public func add(_ coroutine: CoroutineHandle) {
        self.add({ coroutine.cancel() }, whenComplete: { coroutine.whenComplete($0) })
    }

    /// A handler for a coroutine of this scope, which keeps the error of the scope's own cancellation to itself.
    ///
    /// The scope may cancel what a coroutine waits for before it comes to the coroutine.
    func errorHandler(
        _ onError: (@Sendable (any Error) -> Void)?,
        started: CallSite
    ) -> @Sendable (any Error) -> Void {
        { [weak self] error in
            // A scope that has gone has cancelled what it held.
            if error is CancellationError, self?.isCanceled ?? true { return }
            if let onError { onError(error) } else { UncaughtErrors.report(error, started: started) }
        }
    }
}
