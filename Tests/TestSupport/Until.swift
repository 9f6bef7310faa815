// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

/// Lets others run until a condition holds that nobody announces; only the test's time limit bounds it.
///
/// No macro gives the place: outside targets of tests, macros of `Testing` are not found on all systems.
///
/// - Parameters:
///   - fileID: The caller's file.
///   - filePath: The path of that.
///   - line: The caller's line.
///   - column: The caller's column.
///   - condition: The condition.
package func until(
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column,
    _ condition: () -> Bool
) async {
    while !condition() {
        // The time limit cancels the test's task.
        guard !Task.isCancelled else {
            let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
            Issue.record("it never came true", sourceLocation: place)
            return
        }
        await Task.yield()
    }
}
