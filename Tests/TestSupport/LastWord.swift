// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Says something when it goes away.
package final class LastWord: Sendable {
    private let say: @Sendable () -> Void

    package init(_ say: @escaping @Sendable () -> Void) { self.say = say }

    deinit { self.say() }
}
