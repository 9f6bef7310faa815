// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridgeFutures
package import AsyncBridgeTesting
import Synchronization
import TestSupport

extension CoFuture where Value == Int {
    /// A future of a source's answer, which is cancelled with it.
    ///
    /// A future does not tell a cancellation from a `CancellationError` of the source's own; so who cancels asks first
    /// whether the source has answered.
    package static func answer(of source: OneShotSource) -> CoFuture<Int> {
        let handle = Mutex<SourceHandle?>(nil)
        let hasAnswered = Flag()
        let future = CoFuture<Int>(promise: { callback in
            let started = source.start {
                hasAnswered.set()
                callback($0)
            }
            handle.withLock { $0 = started }
        })
        if let handle = handle.withLock({ $0 }) {
            future.whenCancelled { if !hasAnswered.value { handle.cancel() } }
        }
        return future
    }
}
