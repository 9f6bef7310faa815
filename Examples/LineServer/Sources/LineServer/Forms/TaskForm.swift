// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import NIOCore
import NIOPosix

/// The server as tasks, with what NIO has for them: `NIOAsyncChannel`.
enum TaskForm {
    typealias Connection = NIOAsyncChannel<String, String>

    static func serve(_ connection: Connection, in room: Room) async throws {
        try await connection.executeThenClose { inbound, outbound in
            try await withThrowingDiscardingTaskGroup { group in
                var seat: Room.Seat?
                var ear: AsyncStream<String>.Continuation?
                defer {
                    if let seat { room.leave(seat) }
                    ear?.finish()
                }
                for try await line in inbound {
                    switch (Command(line), seat) {
                    case (.say(let line), let seat?):
                        try await room.say(line, from: seat).get()
                    case (.say(let line), nil), (.wrong(let line), _):
                        try await outbound.write(line)
                    case (.join(let name), nil):
                        // A task cannot try to write: lines of the room need a buffer, and a task that empties it.
                        let (heard, mouth) = AsyncStream.makeStream(
                            of: String.self,
                            bufferingPolicy: .bufferingOldest(16)
                        )
                        ear = mouth
                        group.addTask { for await line in heard { try await outbound.write(line) } }
                        let member = Room.Member(name: name) { line in
                            if case .enqueued = mouth.yield(line) { true } else { false }
                        }
                        seat = try await room.join(member).get()
                    case (.join, _?):
                        try await outbound.write("? you are here already")
                    case (.count(let last), _):
                        var number = 1
                        while number <= last {
                            try await outbound.write("\(number)")
                            number += 1
                        }
                    case (.quit, _):
                        return
                    }
                }
            }
        }
    }

    /// Listens until the task is cancelled.
    static func run(
        on address: Address,
        room: Room,
        onStart: (SocketAddress?) -> Void
    ) async throws {
        let server = try await ServerBootstrap(lines: address).bind(host: address.host, port: address.port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.addLineCodec()
                return try Connection(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true)
                )
            }
        }
        onStart(server.channel.localAddress)
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask { try? await Self.serve(connection, in: room) }
                }
            }
            group.cancelAll()
        }
    }
}
