// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A real gpsd, whose receiver is a port for UDP.
struct RealDaemon {
    struct NotInstalled: Error, CustomStringConvertible {
        var description: String { "There is no gpsd. Install it: 'apt-get install gpsd'; gpsd-clients is not needed." }
    }

    private let process = Process()
    private let ended = CoPromise<Void>()

    /// Starts it; it listens some time later.
    init(port: Int, receiver: Int) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/sbin"]
        guard let program = folders.map({ "\($0)/gpsd" }).first(where: FileManager.default.isExecutableFile) else {
            throw NotInstalled()
        }
        self.process.executableURL = URL(filePath: program)
        self.process.arguments = ["-N", "-n", "-S", "\(port)", "udp://127.0.0.1:\(receiver)"]
        self.process.standardInput = FileHandle.nullDevice
        self.process.standardOutput = FileHandle.nullDevice
        // It complains that there is no DBUS.
        self.process.standardError = FileHandle.nullDevice
        let ended = self.ended
        self.process.terminationHandler = { _ in ended.success(()) }
        try self.process.run()
    }

    /// Kills it as the system would, and waits for its end.
    func kill() async throws {
        Foundation.kill(self.process.processIdentifier, SIGKILL)
        try await self.ended.value
    }

    /// Runs code beside a gpsd, which ends with it.
    nonisolated(nonsending) static func with<Result>(
        port: Int,
        receiver: Int,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let daemon = try RealDaemon(port: port, receiver: receiver)
        do {
            let result = try await body()
            try await daemon.kill()
            return result
        } catch {
            try await daemon.kill()
            throw error
        }
    }

    private static let ports = Atomic(Int.random(in: 20_000..<30_000))

    /// A port that was free just now, for TCP and UDP, and that this process does not name twice.
    ///
    /// Why not port 0: it gives a port of the range from which clients take theirs. While gpsd is dead, a client could
    /// take it, or be connected to itself.
    static func freePort() async throws -> Int {
        let group = MultiThreadedEventLoopGroup.singleton
        while true {
            let port = 20_000 + self.ports.wrappingAdd(1, ordering: .relaxed).newValue % 12_000
            do {
                try await DatagramBootstrap(group: group).bind(host: "127.0.0.1", port: port).get().close().get()
                try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: port).get().close().get()
                return port
            } catch let error as IOError where error.errnoCode == EADDRINUSE {}
        }
    }
}

/// A receiver that sends its sentences as datagrams, from a given moment on, an epoch of a second every some
/// milliseconds.
final class Receiver: Sendable {
    /// What it finds.
    enum Sky: Sendable {
        case open
        case closed
    }

    private let channel: any Channel
    private let address: SocketAddress
    private let start = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 - 7200).rounded())
    private let state: NIOLoopBoundBox<(sky: Sky, epoch: Int)>
    private let task: NIOLoopBoundBox<RepeatedTask?>

    init(port: Int, every pause: TimeAmount = .milliseconds(10)) async throws {
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        self.channel = channel
        self.address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        self.state = .makeBoxSendingValue((.open, 0), eventLoop: channel.eventLoop)
        self.task = .makeBoxSendingValue(nil, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            self.task.value = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: pause) { _ in
                self.send()
            }
        }
    }

    /// Opens or closes its view of the sky.
    func look(at sky: Sky) { self.channel.eventLoop.execute { self.state.value.sky = sky } }

    func stop() async throws {
        try await self.channel.eventLoop.submit { self.task.value?.cancel() }.get()
        try await self.channel.close().get()
    }

    /// An epoch is a datagram.
    private func send() {
        let (sky, epoch) = self.state.value
        self.state.value.epoch += 1
        let now = self.start.addingTimeInterval(Double(epoch))
        let parts = Calendar(identifier: .gregorian, utc: ()).dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: now
        )
        func two(_ number: Int?) -> String { String(format: "%02d", (number ?? 0) % 100) }
        let time = "\(two(parts.hour))\(two(parts.minute))\(two(parts.second)).00"
        let day = "\(two(parts.day))\(two(parts.month))\(two(parts.year))"
        let sentences =
            switch sky {
            case .open:
                [
                    "GPRMC,\(time),A,4812.49275,N,01622.42800,E,2.72,0.0,\(day),,,A",
                    "GPGGA,\(time),4812.49275,N,01622.42800,E,1,08,1.1,170.0,M,43.0,M,,",
                    "GPGSA,A,3,02,05,09,12,15,21,25,29,,,,,1.9,1.1,1.5",
                ]
            case .closed:
                ["GPRMC,\(time),V,,,,,,,\(day),,,N", "GPGGA,\(time),,,,,0,00,,,M,,M,,", "GPGSA,A,1,,,,,,,,,,,,,,,"]
            }
        let text = sentences.map { sentence in
            "$\(sentence)*\(String(format: "%02X", sentence.utf8.reduce(0, ^)))\r\n"
        }
        let envelope = AddressedEnvelope(remoteAddress: self.address, data: ByteBuffer(string: text.joined()))
        // Refused while there is no gpsd.
        self.channel.writeAndFlush(envelope, promise: nil)
    }
}

extension Calendar {
    fileprivate init(identifier: Calendar.Identifier, utc: Void) {
        self.init(identifier: identifier)
        self.timeZone = .gmt
    }
}
