// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import NIOCore
import NIOPosix

/// The server as tasks, with what NIO has for them: `NIOAsyncChannel`.
enum TaskForm {
    typealias Connection = NIOAsyncChannel<String, String>

    static func serve(_ connection: Connection, in room: Room) async throws {
        let loop = connection.channel.eventLoop
        try await connection.executeThenClose { inbound, outbound in
            try await withThrowingDiscardingTaskGroup { group in
                var seat: Room.Seat?
                var ear: AsyncStream<String>.Continuation?
                defer {
                    if let seat { room.leave(seat) }
                    ear?.finish()
                }
                for try await line in inbound {
                    // What a closed channel has received still comes, in a cancelled task too.
                    try Task.checkCancellation()
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
                        group.addTask { for await line in heard { try await outbound.write(line, with: loop) } }
                        let member = Room.Member(name: name) { line in
                            if case .enqueued = mouth.yield(line) { true } else { false }
                        }
                        seat = try await room.join(member).get()
                    case (.join, _?):
                        try await outbound.write("? you are here already")
                    case (.count(let last), _):
                        var number = 1
                        while number <= last {
                            if number.isMultiple(of: 256) {
                                try await outbound.write("\(number)", with: loop)
                            } else {
                                try await outbound.write("\(number)")
                            }
                            number += 1
                        }
                    case (.quit, _):
                        return
                    }
                }
            }
        }
    }

    /// Starts to listen.
    static func listen(on address: Address) async throws -> NIOAsyncChannel<Connection, Never> {
        try await ServerBootstrap(lines: address).bind(host: address.host, port: address.port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.addLineCodec()
                return try Connection(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true)
                )
            }
        }
    }

    /// Serves connections until nobody listens any more, and all are closed.
    static func serve(_ server: NIOAsyncChannel<Connection, Never>, in room: Room) async throws {
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

extension NIOAsyncChannelOutboundWriter<String> {
    /// Writes a line, and waits until the event loop has taken it.
    ///
    /// The writer learns from the loop that the channel is full. A task on another thread, which only writes, would run
    /// ahead of a busy loop without a limit.
    fileprivate func write(_ line: String, with loop: any EventLoop) async throws {
        try await self.write(line)
        try await loop.submit {}.get()
    }
}
