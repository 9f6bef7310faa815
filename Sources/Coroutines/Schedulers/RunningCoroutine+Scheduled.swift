// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CCoroutines

extension RunningCoroutine {
    /// Whether the coroutine runs on this scheduler.
    func runs(on scheduler: SerialScheduler) -> Bool {
        guard let driver = unsafe self.block.pointee.driver else { return false }
        // Safe: as in `parker`.
        return unsafe Unmanaged<ScheduledCoroutine>.fromOpaque(driver)._withUnsafeGuaranteedRef {
            $0.runs(on: scheduler)
        }
    }

    /// The coroutine's driver, if it is on a scheduler.
    var scheduled: ScheduledCoroutine? {
        guard let driver = unsafe self.block.pointee.driver else { return nil }
        // Safe: as in `parker`.
        return unsafe Unmanaged<ScheduledCoroutine>.fromOpaque(driver).takeUnretainedValue()
    }
}
