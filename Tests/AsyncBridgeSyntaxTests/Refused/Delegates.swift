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

@DelegateEvents
final class Impossible: Sendable {
    func reader<Item: Sendable>(_ reader: Reader, didReach item: Item)
    func reader(_ reader: Reader, didFind item: some Sendable)
    func reader(_ reader: Reader, didAsk answer: (Int) -> Void)
    func reader(_ reader: Reader, didSay text: @autoclosure () -> String)
    func reader(_ reader: isolated Reader, didEnd position: Int)
    func reader(_ reader: Reader, didRead bytes: RawSpan)
    func reader(_ reader: Reader, didRead values: borrowing Swift.Span<Int>, to position: Int)
    func reader(_ reader: Reader, didMove self: Int)
    static func readersDidStart(_ count: Int)
    class func readersDidEnd(_ count: Int)
}

@DelegateEvents
final class NamedLikeSlots: Sendable {
    let didGet = 1

    @DelegateReply
    func reader(_ reader: Reader, didGet position: Int)

    @DelegateReply
    func reader(_ reader: Reader, didLose position: Int)

    func didLose()
}

@DelegateEvents
final class Answering: Sendable {
    @DelegateReply
    func reader(_ reader: Reader, didReach position: Int) {}

    func readerDidEnd(_ reader: Reader) async
}

final class NoDelegate {
    @DelegateReply
    func reader(_ reader: Reader, didReach position: Int) {}
}
