// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A class of the main actor is the delegate, and the protocol is Sendable.
//
// error: cannot form main actor-isolated conformance of 'Download' to SendableMetatype-inheriting protocol
//   'URLSessionDelegate'
// error: cannot form main actor-isolated conformance of 'Download' to SendableMetatype-inheriting protocol
//   'URLSessionTaskDelegate'
// error: type 'Download' does not conform to protocol 'URLSessionTaskDelegate'
// error: main actor-isolated conformance of 'Download' to 'URLSessionDelegate' cannot satisfy conformance
//   requirement for a 'Sendable' type parameter 'Self'
// error: type 'Download' does not conform to protocol 'URLSessionDelegate'

import AsyncBridge
import Foundation
import FoundationNetworking

@MainActor
final class Download: NSObject, @MainActor URLSessionTaskDelegate {  // <- <- <- <- <-
    private let end = ReplySlot<Void>()

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        self.end.resume(returning: ())
    }
}
