// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
package import AsyncBridgeTesting
import Testing

/// Reports what a suite of laws has found.
///
/// - Parameters:
///   - violations: What it has found.
///   - fileID: The caller's file.
///   - filePath: The path of that.
///   - line: The caller's line.
///   - column: The caller's column.
package func expectNone(
    _ violations: [Violation],
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
) {
    if violations.isEmpty { return }
    let list = violations.map(\.description).joined(separator: "\n")
    let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    Issue.record("\(list)", sourceLocation: place)
}

/// Expects that violations say all that their reader needs: the law, what led to it, what should have come, what came,
/// what to do, and where the bridge was described.
package func expectComplete(
    _ violations: [Violation],
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
) {
    let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    for violation in violations {
        let text = violation.description
        let explanation = violation.explanation
        let history = zip(1..., violation.steps).map { "\n  \($0). \($1)" }.joined()
        let isComplete =
            text.hasPrefix("\(violation.bridge), when \(violation.scenario), breaks ")
            && !violation.bridge.isEmpty && !violation.scenario.isEmpty
            && text.contains("\(violation.law): \(explanation). What to do: \(violation.advice).\(history)")
            && explanation.hasPrefix("expected ") && explanation.contains(#/, (saw|but) /#)
            && !violation.advice.isEmpty && (violation.steps.isEmpty == (violation.seed == nil))
            && text.hasSuffix("\n  Made at \(violation.made)") && violation.made.line > 0
        // What happens is told by the names of calls, and not as code that is written around them.
        let hasAwait = ([violation.scenario, explanation] + violation.steps).contains { $0.contains(/\bawait\b/) }
        #expect(isComplete && !hasAwait, "\(violation)", sourceLocation: place)
    }
}

/// Expects that a row of a guide's table names scenarios.
///
/// - Parameters:
///   - row: The row.
///   - scenarios: The names of the scenarios, at least one.
/// - Throws: If there is no such row.
package func expect(_ row: String?, names scenarios: Set<String>) throws {
    let row = try #require(row)
    #expect(!scenarios.isEmpty)
    for scenario in scenarios.sorted() where !row.contains("\"\(scenario)\"") {
        Issue.record("the row does not name \"\(scenario)\": \(row)")
    }
}
