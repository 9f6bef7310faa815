// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The outcome of a ``Contest``, in Markdown.
struct Table: CustomStringConvertible {
    let contest: Contest
    let measurements: [Measurement]

    private static let head = ["", "ns best", "median", "spread", "allocations", "ratio", "against", "goal", ""]

    var description: String {
        let rows = [Self.head] + zip(self.contest.entrants, self.measurements).flatMap { self.rows($0, $1) }
        let widths = Self.head.indices.map { column in rows.map(\.[column].count).max() ?? 0 }
        var lines = rows.map { row in
            "| " + zip(row, widths).map { Self.pad($0, to: $1) }.joined(separator: " | ") + " |"
        }
        lines.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
        return "\n\(self.contest.title)\n\n" + lines.joined(separator: "\n")
    }

    /// A row with the figures and the first comparison, and one for each further comparison.
    private func rows(_ entrant: Entrant, _ measurement: Measurement) -> [[String]] {
        let figures = [
            entrant.name,
            Self.format(measurement.best, decimals: 1),
            Self.format(measurement.median, decimals: 1),
            Self.format(measurement.spread * 100, decimals: 0) + " %",
            measurement.allocations.map { Self.format($0, decimals: 2) } ?? "-",
        ]
        let comparisons = entrant.comparisons.map { self.compare(measurement, $0) }
        let first = figures + (comparisons.first ?? ["", "", "", ""])
        return [first] + comparisons.dropFirst().map { Array(repeating: "", count: figures.count) + $0 }
    }

    private func compare(_ measurement: Measurement, _ comparison: Entrant.Comparison) -> [String] {
        guard let index = self.contest.entrants.firstIndex(where: { $0.name == comparison.peer }) else {
            precondition(comparison.isOptional, "\(self.contest.title): there is no \(comparison.peer) to compare with")
            return ["-", "\(comparison.peer), not installed", "", ""]
        }
        let ratio = measurement.best / self.measurements[index].best
        let start = [Self.format(ratio, decimals: 2), comparison.peer]
        guard let limit = comparison.limit else { return start + ["", ""] }
        return start + ["≤ " + Self.format(limit, decimals: 2), ratio <= limit ? "met" : "MISSED"]
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: width - text.count)
    }

    private static func format(_ number: Double, decimals: Int) -> String {
        var unit = 1
        for _ in 0..<decimals { unit *= 10 }
        let units = Int((number * Double(unit)).rounded())
        guard decimals > 0 else { return String(units) }
        let fraction = String(units % unit)
        return "\(units / unit)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
