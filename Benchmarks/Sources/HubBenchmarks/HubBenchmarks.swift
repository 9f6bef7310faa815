// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Foundation

/// Measures the hub against what people use or write without it.
///
/// `Scripts/bench hub` runs it.
@main
struct HubBenchmarks {
    static func main() async throws {
        guard let run = BenchmarkRun(arguments: CommandLine.arguments.dropFirst()) else {
            print("usage: HubBenchmarks [--rounds n] [part of a title …]")
            exit(64)
        }
        try await run.hold(
            CallbackAtOnceBenchmarks.contests
                + CallbackOneThreadBenchmarks.contests
                + CallbackOtherThreadBenchmarks.contests
                + SequenceBenchmarks.contests
        )
    }
}
