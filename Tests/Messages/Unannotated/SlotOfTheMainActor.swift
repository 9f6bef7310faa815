// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A method of the delegate that belongs to no actor uses a slot that does.
//
// error: main actor-isolated property 'reply' can not be referenced from a nonisolated context

import AsyncBridge
@preconcurrency import UnannotatedLibrary

@MainActor
final class Service: ReceiverDelegate {
    private let reply = ReplySlot<Location>()

    nonisolated func receiver(_ receiver: Receiver, didFix location: Location) {
        self.reply.resume(returning: location)  // <-
    }

    nonisolated func receiver(_ receiver: Receiver, didFail error: any Error) {}
}
