// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import ArgumentParser
import Foundation
public import LineServer
import NIOCore
import UnixSignals

/// The command: a server until someone stops it.
@main
struct Lines: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves lines of text: echo, a room, and numbers for slow readers.",
        discussion: "Connect with 'nc 127.0.0.1 7007'. Ctrl-C ends the server."
    )

    @Option(help: "How the server is written: \(LineServer.Form.allCases.map(\.rawValue).joined(separator: ", ")).")
    var form = LineServer.Form.coroutine

    @Option(help: "The name or address of the interface to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 is any free one.")
    var port: UInt16 = 7007

    @Option(help: "How many event loops serve.")
    var threads = 1

    @Option(help: "How many connections are served at once; more wait. Fewer, if the process may open fewer files.")
    var connections = LineServer.defaultConnections

    func validate() throws {
        guard self.connections >= 1 else { throw ValidationError("--connections must be at least 1.") }
        guard self.threads >= 1 else { throw ValidationError("--threads must be at least 1.") }
    }

    func run() async throws {
        let server = LineServer(
            form: self.form,
            host: self.host,
            port: Int(self.port),
            threads: self.threads,
            connections: self.connections
        )
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await server.run { address in
                    let place = "\(address?.ipAddress ?? "?") port \(address?.port ?? 0)"
                    Self.say("Listening on \(place). Ctrl-C ends it.")
                }
            }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { break }
            }
            try await group.next()
            let begin = ContinuousClock.now
            group.cancelAll()
            try await group.waitForAll()
            Self.say("Ended after \(Int((ContinuousClock.now - begin) / .milliseconds(1))) ms.")
        }
    }

    /// Not `print`, which keeps it until the end if it is not for a terminal.
    private static func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
}

extension LineServer.Form: ExpressibleByArgument {}
