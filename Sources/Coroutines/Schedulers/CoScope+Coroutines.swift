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

    /// A handler for a coroutine of this scope, which ignores the error of the scope's own cancellation.
    ///
    /// The scope may cancel what a coroutine waits for before it cancels the coroutine.
    func errorHandler(
        _ onError: (@Sendable (any Error) -> Void)?,
        started: CallSite
    ) -> @Sendable (any Error) -> Void {
        { [weak self] error in
            // A released scope has cancelled its items.
            if error is CancellationError, self?.isCancelled ?? true { return }
            if let onError { onError(error) } else { UncaughtErrors.report(error, started: started) }
        }
    }
}
