// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Foundation

/// Measures the engine against the least that can be done, and against what people use without it.
///
/// `Scripts/bench engine` runs it.
@main
struct EngineBenchmarks {
    static func main() async throws {
        guard let run = BenchmarkRun(arguments: CommandLine.arguments.dropFirst()) else {
            print("usage: EngineBenchmarks [--rounds n] [part of a title …]")
            exit(64)
        }
        try await run.hold(
            SwitchBenchmarks.contests
                + AwaitBenchmarks.contests
                + StartBenchmarks.contests
                + GeneratorBenchmarks.contests
        )
    }
}
