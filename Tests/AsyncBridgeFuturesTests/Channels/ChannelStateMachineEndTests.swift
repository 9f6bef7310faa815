// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

/// The end of a channel, and all events after it, against tables written by hand.
@Suite("The state machine of a channel: the end", .timeLimit(.minutes(10)))
struct ChannelStateMachineEndTests {
    typealias Row = ChannelStateMachineTests.Row
    typealias Event = ChannelStateMachineTests.Event
    typealias Tests = ChannelStateMachineTests

    static let ends: [ChannelEnd] = [.closed, .failed, .cancelled, .sendersGone, .receiversGone]
    static let keeping: [ChannelEnd] = [.closed, .failed, .sendersGone]
    static let discarding: [ChannelEnd] = [.cancelled, .receiversGone]

    static let withWaiters: [Row] = ends.flatMap { end in
        [
            Row(.rendezvous, [], .finish(end), "dispose of []", "empty"),
            Row(.rendezvous, Tests.receivers, .finish(end), "dispose of [], 1 has ended, 2 has ended", "empty"),
            Row(.rendezvous, Tests.senders, .finish(end), "dispose of [], 1 keeps 11, 2 keeps 12", "empty"),
            Row(Tests.two, Tests.receivers, .finish(end), "dispose of [], 1 has ended, 2 has ended", "empty"),
            Row(.unbounded, Tests.receivers, .finish(end), "dispose of [], 1 has ended, 2 has ended", "empty"),
            Row(
                .newest(capacity: 1),
                Tests.receivers,
                .finish(end),
                "dispose of [], 1 has ended, 2 has ended",
                "empty"
            ),
        ]
    }

    @Test(arguments: withWaiters) func `tells those who wait`(row: Row) { Tests.check(row) }

    static let withElements: [Row] =
        keeping.flatMap { end in
            [
                Row(Tests.two, Tests.full, .finish(end), "dispose of []", "holds [21, 22]"),
                Row(.unbounded, Tests.full, .finish(end), "dispose of []", "holds [21, 22]"),
                Row(.newest(capacity: 1), Tests.full, .finish(end), "dispose of []", "holds [22]"),
                Row(
                    Tests.two,
                    Tests.fullWithSenders,
                    .finish(end),
                    "dispose of [], 1 keeps 11, 2 keeps 12",
                    "holds [21, 22]"
                ),
            ]
        }
        + discarding.flatMap { end in
            [
                Row(Tests.two, Tests.full, .finish(end), "dispose of [21, 22]", "empty"),
                Row(.unbounded, Tests.full, .finish(end), "dispose of [21, 22]", "empty"),
                Row(.newest(capacity: 1), Tests.full, .finish(end), "dispose of [22]", "empty"),
                Row(
                    Tests.two,
                    Tests.fullWithSenders,
                    .finish(end),
                    "dispose of [21, 22], 1 keeps 11, 2 keeps 12",
                    "empty"
                ),
            ]
        }

    @Test(arguments: withElements) func `keeps elements or not`(row: Row) { Tests.check(row) }

    // MARK: After the end

    static let after: [Row] =
        ends.flatMap { end -> [Row] in
            BufferingPolicy.kinds.flatMap { type in
                [
                    Row(type, [.finish(end)], .send(31, by: nil), "ended: \(end)", "empty"),
                    Row(type, [.finish(end)], .send(31, by: 3), "ended: \(end)", "empty"),
                    Row(type, [.finish(end)], .send(31, by: 9), "ended: \(end)", "empty"),
                    Row(type, [.finish(end)], .receive(by: nil), "ended: \(end)", "empty"),
                    Row(type, [.finish(end)], .receive(by: 3), "ended: \(end)", "empty"),
                    Row(type, [.finish(end)], .receive(by: 9), "ended: \(end)", "empty"),
                ]
            }
        }
        + keeping.flatMap { end in
            [
                // What is left is received, and the end after it; nothing can be added.
                Row(Tests.two, Tests.full + [.finish(end)], .receive(by: nil), "take 21", "holds [22]"),
                Row(Tests.two, Tests.full + [.finish(end)], .receive(by: 3), "take 21", "holds [22]"),
                Row(Tests.two, Tests.full + [.finish(end)], .send(31, by: nil), "ended: \(end)", "holds [21, 22]"),
                Row(Tests.two, [.send(21, by: nil), .finish(end)], .send(31, by: 3), "ended: \(end)", "holds [21]"),
                Row(
                    .newest(capacity: 1),
                    Tests.full + [.finish(end)],
                    .send(31, by: nil),
                    "ended: \(end)",
                    "holds [22]"
                ),
                Row(
                    .unbounded,
                    Tests.full + [.finish(end), .receive(by: nil), .receive(by: nil)],
                    .receive(by: nil),
                    "ended: \(end)",
                    "empty"
                ),
            ]
        }

    @Test(arguments: after) func `what comes after`(row: Row) { Tests.check(row) }

    /// The first end stands, but for elements that were kept and are given up.
    @Test(arguments: ends, ends)
    func `a second end`(first: ChannelEnd, second: ChannelEnd) {
        var world = ChannelMachineWorld(.unbounded)
        _ = world.perform(.send(21, by: nil))
        _ = world.perform(.finish(first))
        let givesUp = first.keepsElements && !second.keepsElements
        #expect(world.perform(.finish(second)) == (givesUp ? "dispose of [21]" : "nothing"))
        #expect("\(world.machine.end.map { "\($0)" } ?? "none")" == "\(givesUp ? second : first)")
        #expect(world.contents() == (first.keepsElements && second.keepsElements ? "holds [21]" : "empty"))
    }

    // MARK: Observers

    @Test(arguments: ends)
    func `observers are told once, oldest first`(end: ChannelEnd) {
        var world = ChannelMachineWorld(.unbounded)
        world.observe("first")
        world.observe("second")
        #expect(world.told == [])
        _ = world.perform(.finish(end))
        world.observe("third")
        _ = world.perform(.finish(.cancelled))
        #expect(world.told == ["first: \(end)", "second: \(end)", "third at once: \(end)"])
    }

    @Test func `going away leaves nothing`() {
        var world = ChannelMachineWorld(Tests.two)
        for event in Tests.full { _ = world.perform(event) }
        world.observe("observer")
        let ending = world.machine.goAway()
        #expect(ending.undelivered == [21, 22])
        #expect(ending.observers.count == 1)
        #expect(world.contents() == "empty")
    }

    /// An observer of the cancellation hears of the first end that gives elements up.
    @Test(arguments: ends)
    func `observers of the cancellation`(end: ChannelEnd) {
        var world = ChannelMachineWorld(.unbounded)
        world.observe("end")
        world.observe("first", ofCancellation: true)
        _ = world.perform(.finish(end))
        world.observe("second", ofCancellation: true)
        _ = world.perform(.finish(.cancelled))
        world.observe("third", ofCancellation: true)
        _ = world.perform(.finish(.cancelled))
        if end.keepsElements {
            let cancelled = ["first: cancelled", "second: cancelled", "third at once: cancelled"]
            #expect(world.told == ["end: \(end)"] + cancelled)
        } else {
            let cancelled = ["first: \(end)", "second at once: \(end)", "third at once: \(end)"]
            #expect(world.told == ["end: \(end)"] + cancelled)
        }
    }
}
