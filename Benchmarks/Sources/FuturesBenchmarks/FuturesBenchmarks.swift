// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Foundation

/// Measures futures, channels and `select` against what people use instead.
///
/// `Scripts/bench futures` runs it.
@main
struct FuturesBenchmarks {
    static func main() async throws {
        guard let run = BenchmarkRun(arguments: CommandLine.arguments.dropFirst()) else {
            print("usage: FuturesBenchmarks [--rounds n] [part of a title …]")
            exit(64)
        }
        try await run.hold(
            FutureContests.contests
                + ChannelContests.betweenCoroutines
                + ChannelContests.betweenTasks
                + ChannelContests.mixed
                + ChannelWayContests.contests
                + BroadcastContests.contests
                + SelectContests.contests
                + SelectContests.timeouts
                + WaitContests.contests
                + WaitContests.pendingTimers
        )
        if run.includes(SelectTable.title) { try await SelectTable.print() }
        if run.includes(LatenessTable.title) { try await LatenessTable.print() }
        if run.includes(JoinTable.title) { try await JoinTable.print() }
        if run.includes(MemoryTable.title) { MemoryTable.print() }
        if run.includes(GoTable.title) { try GoTable.print() }
    }
}
