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
        guard let run = BenchmarkRun(arguments: CommandLine.arguments.dropFirst()) else {
            print("usage: NIOBenchmarks [--rounds n] [part of a title …]")
            exit(64)
        }
        try await run.hold(WaitContests.contests + ChannelContests.contests)
    }
}
