// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A delegate that keeps an object of the library, used by several tasks.
//
// error: sending 'service' risks causing data races

import AsyncBridge
@preconcurrency import UnannotatedLibrary

final class Service {
    private let receiver = Receiver()
    private let reply = ReplySlot<Location>(overlap: .share)

    func location() async throws -> Location { try await self.reply.wait() }
}

@MainActor
func mistake() async throws {
    let service = Service()
    async let here = service.location()  // <-
    print(try await here)
    print(service)
}
