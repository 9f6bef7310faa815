// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

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
