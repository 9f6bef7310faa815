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

    /// The last epochs of a device.
    private struct Epochs {
        var times: Set<String> = []
        var order: [String] = []

        mutating func insert(_ time: String) -> Bool {
            guard self.times.insert(time).inserted else { return false }
            self.order.append(time)
            if self.order.count > FixTracker.memory { self.times.remove(self.order.removeFirst()) }
            return true
        }
    }

    /// How many epochs of a device are remembered: a repetition comes soon after, also over a new connection.
    ///
    /// Not forever, because a receiver whose clock is set back, or a log that is played again, is no repetition.
    private static let memory = 64

    /// How many devices are remembered; then all are forgotten.
    private static let mostDevices = 1024

    private var seen: [String: Epochs] = [:]
    private var devicesWithFix: Set<String> = []
    private var isLossTold = false

    mutating func take(_ position: GPSDPosition) -> Outcome {
        let device = position.device ?? ""
        guard position.mode >= 2 else { return self.lose(device) }
        guard let location = position.location, let time = position.time else { return .nothing }
        if self.devicesWithFix.count < Self.mostDevices { self.devicesWithFix.insert(device) }
        self.isLossTold = false
        if self.seen[device] == nil, self.seen.count == Self.mostDevices { self.seen = [:] }
        return self.seen[device, default: Epochs()].insert(time) ? .deliver(location) : .nothing
    }

    /// A device has no fix any more, or is gone.
    mutating func lose(_ device: String) -> Outcome {
        self.devicesWithFix.remove(device)
        return self.devicesWithFix.isEmpty ? self.tellLoss() : .nothing
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
    var epochCount: Int { self.seen.values.reduce(0) { $0 + $1.order.count } }
    /// For tests.
    var deviceCount: Int { self.devicesWithFix.count }
}
