// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import Dispatch
import NIOCore
import Testing

/// A single write, an element or the senders' end is on its way to the loop, and something else is there first.
@Suite("Single writes, and what overtakes them or is overtaken", .timeLimit(.minutes(10)))
struct OvertakenWriteTests {
    /// Keeps the loop busy, writes a line on this thread, and then lets the loop do something first.
    private func write(
        to lines: Lines,
        before action: @escaping @Sendable (Lines) -> Void
    ) async throws -> EventLoopFuture<Void> {
        let (begun, gate) = (CoPromise<Void>(), DispatchSemaphore(value: 0))
        lines.channel.eventLoop.execute {
            begun.success(())
            gate.wait()
            action(lines)
        }
        try await begun.value
        defer { gate.signal() }
        #expect(lines.outbound.offer("first"))
        return lines.write("last word")
    }

    private func lines(of client: Lines) async throws -> [String] {
        var received: [String] = []
        for try await line in client.inbound { received.append(line) }
        return received
    }

    @Test func `the senders are ended on the loop`() async throws {
        try await withConnection { server, client in
            let write = try await self.write(to: server) { $0.outbound.close() }
            try await write.value()
            let received = try await self.lines(of: client)
            #expect(received == ["first", "last word"])
            // Begun later.
            await #expect(throws: ChannelError.self) { try await server.write("too late").value() }
        }
    }

    @Test func `the bridge is removed on the loop`() async throws {
        try await withConnection { server, client in
            let write = try await self.write(to: server) { lines in
                _ = lines.remove { channel, _ in channel.close(mode: .output, promise: nil) }
            }
            try await write.value()
            let received = try await self.lines(of: client)
            #expect(received == ["first", "last word"])
            await #expect(throws: BridgedChannelError.removed) { try await server.write("too late").value() }
        }
    }

    /// What code on the loop does after its write.
    enum Afterwards: CaseIterable {
        case nothing
        case end
        case removal
    }

    @Test(arguments: Afterwards.allCases)
    func `an element of another thread is on its way, and what was sent before the write waits behind it`(
        afterwards: Afterwards
    ) async throws {
        try await withConnection { server, client in
            // All that was sent is written when it arrives: then the bridge waits for more.
            try await server.outbound.send("hello")
            #expect(try await client.inbound.receive() == "hello")
            try await server.channel.eventLoop.submit {}.value()
            let writes = Collected<EventLoopFuture<Void>>()
            let write = try await self.write(to: server) { lines in
                #expect(lines.outbound.offer("second"))
                writes.append(lines.write("third"))
                #expect(lines.outbound.offer("fourth"))
                writes.append(lines.write("fifth"))
                switch afterwards {
                case .nothing: break
                case .end: lines.outbound.close()
                case .removal:
                    _ = lines.remove { channel, _ in channel.close(mode: .output, promise: nil) }
                }
            }
            try await write.value()
            for write in writes.all { try await write.value() }
            server.outbound.close()
            let received = try await self.lines(of: client)
            #expect(received == ["first", "second", "third", "fourth", "fifth", "last word"])
        }
    }

    @Test(arguments: [false, true])
    func `the senders' end is on its way when the writes arrive, and the removal too`(removes: Bool) async throws {
        try await withConnection { server, client in
            // All that was sent is written when it arrives: then the bridge waits for more.
            try await server.outbound.send("hello")
            #expect(try await client.inbound.receive() == "hello")
            try await server.channel.eventLoop.submit {}.value()
            let (begun, gate) = (CoPromise<Void>(), DispatchSemaphore(value: 0))
            server.channel.eventLoop.execute {
                begun.success(())
                gate.wait()
            }
            try await begun.value
            let writes = ["a", "b", "c"].map { server.write($0) }
            if removes {
                // It says before the end is here that no more writes come.
                server.channel.eventLoop.execute {
                    _ = server.remove { channel, _ in channel.close(mode: .output, promise: nil) }
                }
            }
            server.outbound.close()
            gate.signal()
            for write in writes { try await write.value() }
            let received = try await self.lines(of: client)
            #expect(received == ["a", "b", "c"])
        }
    }

    @Test func `on many threads, and each that was begun before the end is written`() async throws {
        for _ in 0..<StressScale.rounds(20) {
            try await withConnection { server, client in
                let count = 8
                let writes = await withTaskGroup(of: EventLoopFuture<Void>.self) { group in
                    for number in 0..<count { group.addTask { server.write("\(number)") } }
                    var writes: [EventLoopFuture<Void>] = []
                    for await write in group { writes.append(write) }
                    return writes
                }
                server.channel.eventLoop.execute { server.outbound.close() }
                for write in writes { try await write.value() }
                let received = try await self.lines(of: client)
                #expect(received.sorted() == (0..<count).map(String.init))
            }
        }
    }
}
#endif
