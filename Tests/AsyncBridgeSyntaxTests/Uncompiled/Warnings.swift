// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros

struct Warned {
    @Bridged
    func save(_ id: Int, completion: (() -> Void)? = nil) {}

    @Bridged(.nonsending)
    func store(completion: @escaping (Int) -> Void = { _ in }) {}
}
