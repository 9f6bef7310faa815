// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A future, in a file that does not import its module.
//
// error: cannot find type 'AsyncBridgeFutures::CoFuture' in scope
// error: cannot find 'AsyncBridgeFutures::CoFuture' in scope

import AsyncBridgeMacros

struct Client: Sendable {
    @Bridged(.future)  // <- <-
    func quote(id: Int, completion: @escaping @Sendable (String) -> Void) {}
}
