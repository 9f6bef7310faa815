// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import Testing

/// All short lives of a channel's machine, against the model in plain arrays.
@Suite("The state machine of a channel: every order of events", .timeLimit(.minutes(20)))
struct ChannelMachineOrderTests {
    /// What may happen next; waiters and elements are numbered as they come.
    enum Move: CaseIterable {
        case offer
        case send
        case poll
        case receive
        /// Who has waited longest to send is cancelled, and leaves later.
        case cancelSender
        /// Who has waited longest to receive is cancelled, and leaves at once.
        case cancelReceiver
        case close
        case cancel
    }

    static let length = 5

    @Test(arguments: BufferingPolicy.kinds)
    func `is what the model is`(type: BufferingPolicy) {
        var moves: [Move] = []
        var lives = 0
        func live() {
            if moves.count == Self.length {
                lives += 1
                Self.play(moves, type)
                return
            }
            for move in Move.allCases {
                moves.append(move)
                live()
                moves.removeLast()
            }
        }
        live()
        #expect(lives == 32768)
    }

    /// Plays one life, and reports the first thing that is wrong.
    private static func play(_ moves: [Move], _ type: BufferingPolicy) {
        var world = ChannelMachineWorld(type)
        var model = ChannelModel(type)
        for (number, move) in moves.enumerated() {
            let element = 10 + number
            var (got, wanted): (ChannelModel.Answer?, ChannelModel.Answer?) = (nil, nil)
            switch move {
            case .offer, .send:
                let waiter = move == .send ? number : nil
                got = world.apply(.send(element, by: waiter)).1
                wanted = model.send(element, as: waiter)
            case .poll, .receive:
                let waiter = move == .receive ? number : nil
                got = world.apply(.receive(by: waiter)).1
                wanted = model.receive(as: waiter)
            case .cancelSender:
                guard let waiter = model.waitingSenders.first else { continue }
                model.leave(waiter)
                _ = world.apply(.cancel(waiter))
            case .cancelReceiver:
                guard let waiter = model.waitingReceivers.first else { continue }
                model.leave(waiter)
                _ = world.apply(.cancel(waiter))
                _ = world.apply(.leave(waiter))
            case .close:
                model.finish(.closed)
                _ = world.apply(.finish(.closed))
            case .cancel:
                model.finish(.cancelled)
                _ = world.apply(.finish(.cancelled))
            }
            let isRight =
                got == wanted && world.answers == model.answers && world.undelivered == model.undelivered
                && world.machine.buffer.count == model.buffer.count && world.machine.end == model.end
                && world.machine.receivers.names == model.waitingReceivers
            guard isRight else {
                Issue.record("\(type), \(moves), at \(number): \(got as Any) instead of \(wanted as Any)")
                return
            }
        }
        self.conclude(world, model, moves, type)
    }

    /// Who is left gets what is left, in order.
    private static func conclude(
        _ world: consuming ChannelMachineWorld,
        _ model: ChannelModel,
        _ moves: [Move],
        _ type: BufferingPolicy
    ) {
        var model = model
        while true {
            let (got, wanted) = (world.apply(.receive(by: nil)).1, model.receive(as: nil))
            guard got == wanted, world.answers == model.answers else {
                Issue.record("\(type), \(moves), afterwards: \(got as Any) instead of \(wanted as Any)")
                return
            }
            guard case .received = got else { return }
        }
    }
}
