// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The twin is there already, in another extension.
//
// error: invalid redeclaration of 'quote(id:)'

import AsyncBridgeMacros

struct Client: Sendable {
    @Bridged
    func quote(id: Int, completion: @escaping @Sendable (String) -> Void) {}
}

extension Client {
    func quote(id: Int) async -> String { "" }  // <-
}
