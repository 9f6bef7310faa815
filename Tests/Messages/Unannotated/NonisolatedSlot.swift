// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A slot of the library's values that belongs to no actor, with an import that takes nothing on trust.
//
// warning: add '@preconcurrency' to treat 'Sendable'-related errors from module 'UnannotatedLibrary' as warnings
// error: type 'Location' does not conform to the 'Sendable' protocol
// error: 'nonisolated' can not be applied to variable with non-'Sendable' type 'ReplySlot<Location>'
// error: type 'Location' does not conform to the 'Sendable' protocol
// error: type 'Location' does not conform to the 'Sendable' protocol
// error: non-Sendable type 'ReplySlot<Location>' of property 'reply' cannot exit nonisolated context

import AsyncBridge
import UnannotatedLibrary  // <-

@MainActor
final class Service: ReceiverDelegate {
    private nonisolated let reply = ReplySlot<Location>()  // <- <- <-

    nonisolated func receiver(_ receiver: Receiver, didFix location: Location) {
        self.reply.resume(returning: location)  // <- <-
    }

    nonisolated func receiver(_ receiver: Receiver, didFail error: any Error) {}
}
