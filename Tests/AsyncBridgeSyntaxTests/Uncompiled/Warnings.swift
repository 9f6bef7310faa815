// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros

struct Warned {
    // Named like what can be cancelled, and it cannot.
    @Bridged
    func pay(completion: @escaping (Int) -> Void) -> PaymentRequest? { nil }

    @Bridged
    func save(_ id: Int, completion: (() -> Void)? = nil) {}

    @Bridged(.nonsending)
    func store(completion: @escaping (Int) -> Void = { _ in }) {}
}
