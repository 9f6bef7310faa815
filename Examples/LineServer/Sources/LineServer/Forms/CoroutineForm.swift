// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import NIOCore
import NIOPosix

/// The server as coroutines: plain code on the connection's event loop, which waits wherever it must.
enum CoroutineForm {
    static func serve(_ lines: BridgedChannel<String, String>, in room: Room) throws {
        var seat: Room.Seat?
        defer { if let seat { room.leave(seat) } }
        while let line = try lines.inbound.awaitNext() {
            switch (Command(line), seat) {
            case (.say(let line), let seat?):
                try room.say(line, from: seat).coFuture().await()
            case (.say(let line), nil), (.wrong(let line), _):
                try lines.outbound.awaitSend(line)
            case (.join(let name), nil):
                let member = Room.Member(name: name) { lines.outbound.offer($0) }
                seat = try room.join(member).coFuture().await()
            case (.join, _?):
                try lines.outbound.awaitSend("? you are here already")
            case (.count(let last), _):
                var number = 1
                while number <= last {
                    try lines.outbound.awaitSend("\(number)")
                    number += 1
                }
            case (.quit, _):
                return
            }
        }
    }

    /// Starts to listen.
    static func listen(on address: Address, room: Room) async throws -> any Channel {
        try await ServerBootstrap(lines: address)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.addLineCodec()
                    let lines = try channel.bridge(inbound: String.self, outbound: String.self)
                    room.beginVisit()
                    // That a client has gone away is no fault.
                    channel.eventLoop.scheduler.startCoroutine(onError: { _ in }) {
                        defer { room.endVisit() }
                        try Self.serve(lines, in: room)
                    }
                }
            }
            .bind(host: address.host, port: address.port)
            .value()
    }
}
