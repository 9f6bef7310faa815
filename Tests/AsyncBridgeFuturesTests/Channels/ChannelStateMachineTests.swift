// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

/// Every event in every state, against tables written by hand, with no thread.
@Suite("The state machine of a channel", .timeLimit(.minutes(10)))
struct ChannelStateMachineTests {
    typealias Event = ChannelMachineWorld.Event

    /// What has happened, what happens then, what the machine says, and what the channel holds.
    struct Row: CustomTestStringConvertible {
        let type: BufferingPolicy
        let given: [Event]
        let event: Event
        let said: String
        let contents: String

        init(_ type: BufferingPolicy, _ given: [Event], _ event: Event, _ said: String, _ contents: String) {
            self.type = type
            self.given = given
            self.event = event
            self.said = said
            self.contents = contents
        }

        var testDescription: String { "\(self.type), \(self.given): \(self.event)" }
    }

    static func check(_ row: Row) {
        var world = ChannelMachineWorld(row.type)
        for event in row.given { _ = world.perform(event) }
        #expect(world.perform(row.event) == row.said)
        #expect(world.contents() == row.contents)
    }

    static let two = BufferingPolicy.bounded(capacity: 2)
    // States that are common to several tables.
    static let receivers: [Event] = [.receive(by: 1), .receive(by: 2)]
    static let senders: [Event] = [.send(11, by: 1), .send(12, by: 2)]
    static let full: [Event] = [.send(21, by: nil), .send(22, by: nil)]
    static let fullWithSenders = full + senders

    // MARK: Sending

    static let sends: [Row] = [
        // Nobody waits who does not say so; 9 was cancelled before it came.
        Row(.rendezvous, [], .send(31, by: nil), "refuse", "empty"),
        Row(.rendezvous, [], .send(31, by: 3), "suspend", "senders [3]"),
        Row(.rendezvous, [], .send(31, by: 9), "cancelled", "empty"),
        Row(.rendezvous, receivers, .send(31, by: nil), "sent, 1 gets 31", "receivers [2]"),
        Row(.rendezvous, receivers, .send(31, by: 3), "sent, 1 gets 31", "receivers [2]"),
        Row(.rendezvous, receivers, .send(31, by: 9), "sent, 1 gets 31", "receivers [2]"),
        Row(.rendezvous, senders, .send(31, by: nil), "refuse", "senders [1, 2]"),
        Row(.rendezvous, senders, .send(31, by: 3), "suspend", "senders [1, 2, 3]"),
        Row(.rendezvous, senders, .send(31, by: 9), "cancelled", "senders [1, 2]"),
        Row(two, [], .send(31, by: nil), "stored", "holds [31]"),
        Row(two, [], .send(31, by: 3), "stored", "holds [31]"),
        // Where there is room, a cancelled sender may send.
        Row(two, [], .send(31, by: 9), "stored", "holds [31]"),
        Row(two, receivers, .send(31, by: nil), "sent, 1 gets 31", "receivers [2]"),
        Row(two, receivers, .send(31, by: 3), "sent, 1 gets 31", "receivers [2]"),
        Row(two, [.send(21, by: nil)], .send(31, by: nil), "stored", "holds [21, 31]"),
        Row(two, full, .send(31, by: nil), "refuse", "holds [21, 22]"),
        Row(two, full, .send(31, by: 3), "suspend", "holds [21, 22], senders [3]"),
        Row(two, full, .send(31, by: 9), "cancelled", "holds [21, 22]"),
        Row(two, fullWithSenders, .send(31, by: nil), "refuse", "holds [21, 22], senders [1, 2]"),
        Row(two, fullWithSenders, .send(31, by: 3), "suspend", "holds [21, 22], senders [1, 2, 3]"),
        Row(.unbounded, [], .send(31, by: nil), "stored", "holds [31]"),
        Row(.unbounded, receivers, .send(31, by: 3), "sent, 1 gets 31", "receivers [2]"),
        Row(.unbounded, full, .send(31, by: nil), "stored", "holds [21, 22, 31]"),
        Row(.unbounded, full, .send(31, by: 3), "stored", "holds [21, 22, 31]"),
        Row(.unbounded, full, .send(31, by: 9), "stored", "holds [21, 22, 31]"),
        Row(.newest(capacity: 1), [], .send(31, by: nil), "stored", "holds [31]"),
        Row(.newest(capacity: 1), receivers, .send(31, by: 3), "sent, 1 gets 31", "receivers [2]"),
        Row(.newest(capacity: 1), [.send(21, by: nil)], .send(31, by: nil), "dispose of 21", "holds [31]"),
        Row(.newest(capacity: 1), [.send(21, by: nil)], .send(31, by: 3), "dispose of 21", "holds [31]"),
        Row(.newest(capacity: 1), [.send(21, by: nil)], .send(31, by: 9), "dispose of 21", "holds [31]"),
        Row(.newest(capacity: 1), full, .send(31, by: nil), "dispose of 22", "holds [31]"),
        Row(.newest(capacity: 2), full, .send(31, by: nil), "dispose of 21", "holds [22, 31]"),
        Row(.newest(capacity: 2), full, .send(31, by: 3), "dispose of 21", "holds [22, 31]"),
        Row(.oldest(capacity: 2), [], .send(31, by: nil), "stored", "holds [31]"),
        Row(.oldest(capacity: 2), receivers, .send(31, by: 3), "sent, 1 gets 31", "receivers [2]"),
        Row(.oldest(capacity: 2), full, .send(31, by: nil), "dispose of 31", "holds [21, 22]"),
        Row(.oldest(capacity: 2), full, .send(31, by: 3), "dispose of 31", "holds [21, 22]"),
        Row(.failing(capacity: 2), [], .send(31, by: nil), "stored", "holds [31]"),
        Row(.failing(capacity: 2), receivers, .send(31, by: 3), "sent, 1 gets 31", "receivers [2]"),
        Row(.failing(capacity: 2), full, .send(31, by: nil), "overflow", "holds [21, 22]"),
        Row(.failing(capacity: 2), full, .send(31, by: 3), "overflow", "holds [21, 22]"),
        Row(.watermark(low: 0, high: 2), full, .send(31, by: 3), "suspend", "holds [21, 22], senders [3]"),
    ]

    @Test(arguments: sends) func send(row: Row) { Self.check(row) }

    // MARK: Receiving

    static let receives: [Row] = [
        Row(.rendezvous, [], .receive(by: nil), "refuse", "empty"),
        Row(.rendezvous, [], .receive(by: 3), "suspend", "receivers [3]"),
        Row(.rendezvous, [], .receive(by: 9), "cancelled", "empty"),
        Row(.rendezvous, receivers, .receive(by: nil), "refuse", "receivers [1, 2]"),
        Row(.rendezvous, receivers, .receive(by: 3), "suspend", "receivers [1, 2, 3]"),
        Row(.rendezvous, senders, .receive(by: nil), "take 11, 1 has sent", "senders [2]"),
        Row(.rendezvous, senders, .receive(by: 3), "take 11, 1 has sent", "senders [2]"),
        Row(.rendezvous, senders, .receive(by: 9), "take 11, 1 has sent", "senders [2]"),
        Row(two, [], .receive(by: nil), "refuse", "empty"),
        Row(two, [], .receive(by: 3), "suspend", "receivers [3]"),
        Row(two, [], .receive(by: 9), "cancelled", "empty"),
        Row(two, receivers, .receive(by: 3), "suspend", "receivers [1, 2, 3]"),
        Row(two, [.send(21, by: nil)], .receive(by: nil), "take 21", "empty"),
        Row(two, full, .receive(by: nil), "take 21", "holds [22]"),
        Row(two, full, .receive(by: 3), "take 21", "holds [22]"),
        Row(two, full, .receive(by: 9), "take 21", "holds [22]"),
        // The first of those who wait moves up.
        Row(two, fullWithSenders, .receive(by: nil), "take 21, 1 has sent", "holds [22, 11], senders [2]"),
        Row(two, fullWithSenders, .receive(by: 3), "take 21, 1 has sent", "holds [22, 11], senders [2]"),
        Row(.unbounded, [], .receive(by: nil), "refuse", "empty"),
        Row(.unbounded, [], .receive(by: 3), "suspend", "receivers [3]"),
        Row(.unbounded, full, .receive(by: 3), "take 21", "holds [22]"),
        Row(.newest(capacity: 1), [], .receive(by: nil), "refuse", "empty"),
        Row(.newest(capacity: 1), [], .receive(by: 3), "suspend", "receivers [3]"),
        Row(.newest(capacity: 1), full, .receive(by: 3), "take 22", "empty"),
    ]

    @Test(arguments: receives) func receive(row: Row) { Self.check(row) }

    // MARK: Cancelled waiters

    static let cancellations: [Row] = [
        // Still in the queue, and passed over.
        Row(.rendezvous, receivers + [.cancel(1)], .send(31, by: nil), "sent, 2 gets 31", "empty"),
        Row(.rendezvous, receivers + [.cancel(1), .cancel(2)], .send(31, by: nil), "refuse", "empty"),
        Row(two, receivers + [.cancel(1), .cancel(2)], .send(31, by: nil), "stored", "holds [31]"),
        Row(.newest(capacity: 1), receivers + [.cancel(1), .cancel(2)], .send(31, by: nil), "stored", "holds [31]"),
        Row(.rendezvous, senders + [.cancel(1)], .receive(by: nil), "take 12, 2 has sent", "empty"),
        Row(.rendezvous, senders + [.cancel(1), .cancel(2)], .receive(by: nil), "refuse", "empty"),
        Row(.rendezvous, senders + [.cancel(1), .cancel(2)], .receive(by: 3), "suspend", "receivers [3]"),
        Row(two, fullWithSenders + [.cancel(1)], .receive(by: nil), "take 21, 2 has sent", "holds [22, 12]"),
        Row(two, fullWithSenders + [.cancel(1), .cancel(2)], .receive(by: nil), "take 21", "holds [22]"),
        Row(two, fullWithSenders + [.cancel(2)], .finish(.closed), "dispose of [], 1 keeps 11", "holds [21, 22]"),
        Row(.rendezvous, receivers + [.cancel(1)], .finish(.closed), "dispose of [], 2 has ended", "empty"),
        // It has left.
        Row(.rendezvous, receivers + [.cancel(1)], .leave(1), "", "receivers [2]"),
        Row(.rendezvous, senders + [.cancel(2)], .leave(2), "", "senders [1]"),
        Row(.rendezvous, receivers + [.cancel(1), .leave(1)], .send(31, by: nil), "sent, 2 gets 31", "empty"),
        Row(.rendezvous, senders + [.cancel(1), .leave(1)], .receive(by: nil), "take 12, 2 has sent", "empty"),
        // It was served before: too late.
        Row(.rendezvous, receivers + [.send(31, by: nil), .cancel(1)], .leave(1), "", "receivers [2]"),
        Row(.rendezvous, senders + [.receive(by: nil), .cancel(1)], .leave(1), "", "senders [2]"),
    ]

    @Test(arguments: cancellations) func cancel(row: Row) { Self.check(row) }
}
