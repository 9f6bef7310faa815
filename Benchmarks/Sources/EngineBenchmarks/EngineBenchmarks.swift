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
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.count == 3, arguments[0] == "--suspend",
            let kind = SuspendedBenchmarks.Kind(rawValue: arguments[1]), let count = Int(arguments[2])
        {
            return try await SuspendedBenchmarks.suspend(kind, count)
        }
        guard let run = BenchmarkRun(arguments: arguments) else {
            print("usage: EngineBenchmarks [--rounds n] [part of a title …]")
            exit(64)
        }
        try await run.hold(
            SwitchBenchmarks.contests
                + AwaitBenchmarks.contests
                + StartBenchmarks.contests
                + GeneratorBenchmarks.contests
        )
        if run.includes(SuspendedBenchmarks.title) { try SuspendedBenchmarks.printTable() }
    }
}
