// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import NIOCore

/// A room in which everybody hears every line, in the same order; all forms of the server share this code.
///
/// It lives on one event loop. Speakers wait until their line was handed out. Nobody waits for a listener who is slow:
/// such a listener misses lines, and is told how many.
final class Room: Sendable {
    /// Somebody in the room.
    struct Member: Sendable {
        let name: String

        /// Takes a line, if there is room for it; called on the room's event loop.
        let hear: @Sendable (_ line: String) -> Bool
    }

    /// Stands for a member.
    struct Seat: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var members: [Seat: Member] = [:]
        var missed: [Seat: Int] = [:]
        var seats = 0
        /// How many connections are served, in the room or not.
        var visits = 0
        /// Kept when there is none any more.
        var isDeserted: EventLoopPromise<Void>?

        mutating func tell(_ line: String) {
            for (seat, member) in self.members {
                let missed = self.missed[seat, default: 0]
                if missed > 0, member.hear("* you have missed \(missed) lines") { self.missed[seat] = 0 }
                if self.missed[seat, default: 0] > 0 || !member.hear(line) { self.missed[seat, default: 0] += 1 }
            }
        }
    }

    private let eventLoop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        self.state = .makeBoxSendingValue(State(), eventLoop: eventLoop)
    }

    // MARK: Connections

    /// Counts a connection, until ``endVisit()``.
    ///
    /// The code of a connection uses this room's event loop, and may end later than the channel.
    func beginVisit() { self.eventLoop.execute { self.state.value.visits += 1 } }

    /// The code of a connection has ended.
    func endVisit() {
        self.eventLoop.execute {
            self.state.value.visits -= 1
            if self.state.value.visits == 0 { self.state.value.isDeserted?.succeed() }
        }
    }

    /// Waits until the code of all connections has ended; no more may come.
    func close() -> EventLoopFuture<Void> {
        self.eventLoop.flatSubmit {
            if self.state.value.visits == 0 { return self.eventLoop.makeSucceededVoidFuture() }
            let promise = self.eventLoop.makePromise(of: Void.self)
            self.state.value.isDeserted = promise
            return promise.futureResult
        }
    }

    // MARK: Members

    /// Lets somebody in.
    func join(_ member: Member) -> EventLoopFuture<Seat> {
        self.eventLoop.submit {
            let seat = Seat(number: self.state.value.seats)
            self.state.value.seats += 1
            self.state.value.members[seat] = member
            self.state.value.tell("* \(member.name) is here")
            return seat
        }
    }

    /// Hands a line out to all who are there.
    func say(_ line: String, from seat: Seat) -> EventLoopFuture<Void> {
        self.eventLoop.submit {
            guard let speaker = self.state.value.members[seat] else { return }
            self.state.value.tell("\(speaker.name): \(line)")
        }
    }

    /// Lets a member out.
    func leave(_ seat: Seat) {
        self.eventLoop.execute {
            guard let member = self.state.value.members.removeValue(forKey: seat) else { return }
            self.state.value.missed[seat] = nil
            self.state.value.tell("* \(member.name) has left")
        }
    }
}
