// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Decides which reports are told: each epoch of a receiver once, and the loss of the last fix once.
///
/// gpsd may report an epoch, which is one receiver's position at one time, several times, each time with more fields:
/// it does so until it knows which sentence of the receiver ends an epoch. The first report wins, because no field says
/// which is the last one: to wait for it is to wait for the next epoch, a second or more.
struct FixTracker {
    enum Outcome: Equatable {
        case deliver(Location)
        /// No receiver has a fix any more, or none had one from the beginning.
        case lost
        /// Known already, or of no use.
        case nothing
    }

    private struct Epoch: Hashable {
        var device: String
        var time: String
    }

    /// How many epochs are remembered: a repetition comes soon after, also over a new connection.
    ///
    /// Not for ever, because a receiver whose clock is set back, or a log that is played again, is no repetition.
    private static let memory = 256

    private var seen: Set<Epoch> = []
    private var order: [Epoch] = []
    private var devicesWithFix: Set<String> = []
    private var isLossTold = false

    mutating func take(_ position: GPSDPosition) -> Outcome {
        let device = position.device ?? ""
        guard position.mode >= 2 else {
            self.devicesWithFix.remove(device)
            return self.devicesWithFix.isEmpty ? self.tellLoss() : .nothing
        }
        guard let location = position.location, let time = position.time else { return .nothing }
        if self.devicesWithFix.count < Self.memory { self.devicesWithFix.insert(device) }
        self.isLossTold = false
        let epoch = Epoch(device: device, time: time)
        guard self.seen.insert(epoch).inserted else { return .nothing }
        self.order.append(epoch)
        if self.order.count > Self.memory { self.seen.remove(self.order.removeFirst()) }
        return .deliver(location)
    }

    /// The connection is gone, and its receivers with it.
    ///
    /// What has been seen stays known.
    mutating func disconnect() { self.devicesWithFix = [] }

    private mutating func tellLoss() -> Outcome {
        guard !self.isLossTold else { return .nothing }
        self.isLossTold = true
        return .lost
    }
}

extension FixTracker {
    /// For tests.
    var epochCount: Int { self.seen.count }
    /// For tests.
    var deviceCount: Int { self.devicesWithFix.count }
}
