// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Foundation

/// Measures the bridges for publishers against what OpenCombine has, and what people write by hand.
///
/// `Scripts/bench publishers` runs it.
@main
struct PublisherBenchmarks {
    static func main() async throws {
        guard let run = BenchmarkRun(arguments: CommandLine.arguments.dropFirst()) else {
            print("usage: PublisherBenchmarks [--rounds n] [part of a title …]")
            exit(64)
        }
        try await run.hold(ElementContests.contests + PumpContests.contests + ValueContests.contests)
    }
}
