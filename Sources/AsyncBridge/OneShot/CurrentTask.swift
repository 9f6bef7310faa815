// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge

/// What the hot path needs to know about the current task.
@usableFromInline
package enum CurrentTask {
    /// The same as `Task.isCancelled`, at a third of its cost.
    @usableFromInline package static var isCancelled: Bool { casyncbridge_is_cancelled() }
}
