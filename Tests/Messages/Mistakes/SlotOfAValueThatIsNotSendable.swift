// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A slot for replies that are not `Sendable`: shared by all who wait, they must be.
//
// error: type 'Image' does not conform to the 'Sendable' protocol

import AsyncBridge

func mistake() {
    print(ReplySlot<Image>())  // <-
}
