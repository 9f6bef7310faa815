// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import Foundation
import LineServer
import NIOCore
import NIOPosix

/// A server in a process of its own, so that its memory and its processor time are its own.
///
/// The process is this program again; it ends when its input does.
struct ServerProcess {
    /// How the server is written.
    enum Kind: CaseIterable {
        case handler
        case asyncChannel
        case coroutine
        case task
        case taskOnTheLoop

        var title: String {
            switch self {
            case .handler: "a handler of NIO"
            case .asyncChannel: "a task, NIOAsyncChannel"
            case .coroutine: "a coroutine, bridge()"
            case .task: "a task, bridge()"
            case .taskOnTheLoop: "a task on the loop, bridge()"
            }
        }

        var name: String { "\(self)" }
    }

    private let process = Process()
    private let input = Pipe()
    let port: Int

    init(_ kind: Kind) throws {
        let output = Pipe()
        self.process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        self.process.arguments = ["--serve", kind.name]
        self.process.standardInput = self.input
        self.process.standardOutput = output
        try self.process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.dropLast()) else { throw NoServer(answer: line) }
        self.port = port
    }

    func stop() throws {
        try self.input.fileHandleForWriting.close()
        self.process.waitUntilExit()
    }

    /// Bytes of memory that are in use, as the system counts them.
    var residentBytes: Int {
        let fields =
            (try? String(contentsOfFile: "/proc/\(self.process.processIdentifier)/statm", encoding: .utf8)) ?? ""
        return fields.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map {
            $0 * Int(sysconf(Int32(_SC_PAGESIZE)))
        } ?? 0
    }

    /// Seconds of processor time, in steps of ten milliseconds.
    var processorTime: Double {
        let line = (try? String(contentsOfFile: "/proc/\(self.process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        // The name of the program, in parentheses, may hold spaces. After it: state is field 3, utime 14, stime 15.
        let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    struct NoServer: Error { let answer: String }

    // MARK: In the other process

    /// Serves until the input ends.
    static func serve(_ name: String) async throws {
        guard let kind = Kind.allCases.first(where: { $0.name == name }) else { throw NoServer(answer: name) }
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            exit(0)
        }
        switch kind {
        case .handler: try await Self.server(.handler).run(onStart: Self.tell)
        case .asyncChannel: try await Self.server(.task).run(onStart: Self.tell)
        case .coroutine: try await Self.server(.coroutine).run(onStart: Self.tell)
        case .task: try await Self.serveInTasks(executor: nil)
        case .taskOnTheLoop: try await Self.serveInTasks(executor: { $0.taskExecutor })
        }
    }

    /// The example, for all clients of a measurement at once.
    private static func server(_ form: LineServer.Form) -> LineServer { LineServer(form: form, connections: .max) }

    private static func tell(_ address: SocketAddress?) {
        FileHandle.standardOutput.write(Data("\(address?.port ?? 0)\n".utf8))
    }

    /// Echo alone, which is what is measured; the example has no such form.
    private static func serveInTasks(executor: (@Sendable (any EventLoop) -> EventLoopTaskExecutor)?) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.addLineCodec()
                    let lines = try channel.bridge(inbound: String.self, outbound: String.self)
                    Task(executorPreference: executor?(channel.eventLoop)) {
                        for try await line in lines.inbound {
                            if line.hasPrefix("/count") {
                                for number in 0... { try await lines.outbound.send("\(number)") }
                            }
                            try await lines.outbound.send(line)
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .value()
        Self.tell(listener.localAddress)
        try await listener.closeFuture.value(cancellation: .propagate { listener.close(promise: nil) })
    }
}
