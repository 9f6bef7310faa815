// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAllocationCounter

/// A run of a benchmark program.
public struct BenchmarkRun: Sendable {
    /// How often each entrant does its work.
    public private(set) var rounds = 7
    private var filters: [String] = []

    /// Reads the program's arguments: `--rounds n`, and parts of the titles of the contests to hold.
    ///
    /// Is `nil` if they make no sense.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    public init?(arguments: some Sequence<String>) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            if argument == "--rounds" {
                guard let rounds = arguments.next().flatMap({ Int($0) }), rounds >= 1 else { return nil }
                self.rounds = rounds
            } else if argument.hasPrefix("-") {
                return nil
            } else {
                self.filters.append(argument.lowercased())
            }
        }
    }

    /// Holds the contests one after another and prints a table of each.
    ///
    /// Entrants take turns, round by round, so that a machine that becomes slower or faster does so for all of them.
    ///
    /// - Parameter contests: What to measure.
    /// - Throws: What an entrant throws.
    @concurrent
    public func hold(_ contests: [Contest]) async throws {
        for contest in contests where self.includes(contest.title) {
            print(try await self.measure(contest))
        }
    }

    /// Whether the user asked for a title.
    ///
    /// - Parameter title: The title of a contest, or of another table.
    /// - Returns: Whether it contains a part that was asked for, or none was.
    public func includes(_ title: String) -> Bool {
        let title = title.lowercased()
        return self.filters.isEmpty || self.filters.contains { title.contains($0) }
    }

    /// How many bytes of the heap are in use; 0 where that cannot be told.
    public static var heapBytes: Int { allocation_counter_bytes_in_use() }

    private func measure(_ contest: Contest) async throws -> Table {
        for entrant in contest.entrants {
            try await entrant.body(max(1, contest.operations / 10))
        }
        var times = [[Double]](repeating: [], count: contest.entrants.count)
        for _ in 0..<self.rounds {
            for (index, entrant) in contest.entrants.enumerated() {
                times[index].append(try await Self.time(entrant, contest.operations))
            }
        }
        var measurements: [Measurement] = []
        for (index, entrant) in contest.entrants.enumerated() {
            let allocations = try await Self.countAllocations(entrant, contest.operations)
            measurements.append(Measurement(rounds: times[index], allocations: allocations))
        }
        return Table(contest: contest, measurements: measurements)
    }

    /// Nanoseconds per operation.
    private static func time(_ entrant: Entrant, _ operations: Int) async throws -> Double {
        let start = ContinuousClock.now
        try await entrant.body(operations)
        let taken = ContinuousClock.now - start
        return taken / .nanoseconds(operations)
    }

    /// Blocks per operation, in a round of its own that is not timed.
    private static func countAllocations(_ entrant: Entrant, _ operations: Int) async throws -> Double? {
        guard allocation_counter_works() else { return nil }
        allocation_counter_start()
        do {
            try await entrant.body(operations)
        } catch {
            _ = allocation_counter_stop()
            throw error
        }
        return Double(allocation_counter_stop()) / Double(operations)
    }
}
