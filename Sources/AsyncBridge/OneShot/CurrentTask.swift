// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge

/// What the hot path wants to know of the task that runs it.
@usableFromInline
package enum CurrentTask {
    /// The same as `Task.isCancelled`, at a third of its price.
    @usableFromInline package static var isCancelled: Bool { casyncbridge_is_cancelled() }
}
