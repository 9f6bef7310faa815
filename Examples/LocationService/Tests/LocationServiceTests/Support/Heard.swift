// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// What a loop in another thread has heard.
final class Heard: Sendable {
    private let state = Mutex<(values: [Int], hasBegun: Bool)>(([], false))

    var values: [Int] { self.state.withLock { $0.values } }
    var hasBegun: Bool { self.state.withLock { $0.hasBegun } }

    func begin() { self.state.withLock { $0.hasBegun = true } }
    func add(_ value: Int) { self.state.withLock { $0.values.append(value) } }
}
