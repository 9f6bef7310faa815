// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Foundation

/// Measures the bridges for event loops against what NIO has.
///
/// `Scripts/bench nio` runs it.
@main
struct NIOBenchmarks {
    static func main() async throws {
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--serve" {
            return try await ServerProcess.serve(CommandLine.arguments[2])
        }
        guard let run = BenchmarkRun(arguments: CommandLine.arguments.dropFirst()) else {
            print("usage: NIOBenchmarks [--rounds n] [part of a title …]")
            exit(64)
        }
        try await run.hold(WaitContests.contests)
        let servers = ServerMeasurements(rounds: run.rounds)
        for connections in [100, 10_000] {
            let title = "a server for lines, \(connections) connections that ask again when they have their answer"
            if run.includes(title) { try await servers.run(title: title, connections: connections, requests: 200_000) }
        }
        let title = "a server for lines, 100 connections that ask without end, for lines of 1 KiB, and do not read"
        if run.includes(title) { try await ServerMeasurements.slowReaders(title: title, connections: 100) }
    }
}
