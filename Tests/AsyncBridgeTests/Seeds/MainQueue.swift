// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch

/// The queue that the main actor uses; on Linux no thread in particular serves it.
enum MainQueue {
    private static let key = DispatchSpecificKey<Void>()

    private static let isMarked: Void = DispatchQueue.main.setSpecific(key: key, value: ())

    /// Whether the calling code runs on the main queue, as the main actor's does.
    static var isCurrent: Bool {
        self.isMarked
        return DispatchQueue.getSpecific(key: self.key) != nil
    }
}
