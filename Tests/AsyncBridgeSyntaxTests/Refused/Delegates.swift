// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros

@DelegateEvents
struct NoClass {
    func reader(_ reader: Reader, didReach position: Int)
}

@DelegateEvents
final class Complete: Sendable {
    func reader(_ reader: Reader, didReach position: Int) {}
}

@DelegateEvents
final class Returning: Sendable {
    func reader(_ reader: Reader, shouldGoBeyond position: Int) -> Bool
    func reader(_ reader: Reader, didReach position: Int)
    func reader(_ reader: Reader, didReach position: String)
    func reader(_ reader: Reader, mayEnd position: Int) async
}

@DelegateEvents
final class Unnamed: Sendable {
    func reader(_ reader: Reader, didReach _: Int)
    func reader(_ reader: Reader, willReach position: inout Int)
}

@DelegateEvents
class NotSendable: NSObject, ReaderDelegate {
    func reader(_ reader: Reader, didReach position: Int)
}
