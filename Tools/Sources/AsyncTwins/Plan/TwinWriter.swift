// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Writes the twins of one source file.
package protocol TwinWriter: Sendable {
    /// What the file has now; `nil` if there is none.
    var existing: String? { get }

    /// Takes over how far down the twins of the functions with these indices have gone in an earlier run, if the file
    /// tells.
    func adopt(_ functions: inout [PlannedFunction], _ indices: [Int])

    /// The file with the twins of these functions; `nil` if nothing is left in it.
    func text(of functions: [PlannedFunction]) -> String?

    /// The lines of the file, from 1, that are of one of these functions, by its index.
    func places(of functions: [PlannedFunction], in text: String) -> [(lines: ClosedRange<Int>, function: Int)]

    /// Whether a line of the file is what all its twins need.
    func isHead(line: Int, of text: String) -> Bool

    /// Whether a line of the file, from 1, is in a block that an earlier run wrote.
    func isInBlock(line: Int, of text: String) -> Bool

    /// Takes down what cannot stay because of others that went down.
    func settle(_ functions: inout [PlannedFunction])

    /// Those of the functions, by their indices, for which a macro has written a line of its expansion.
    ///
    /// Lines are counted from 1. The compiler says at which line of the file the expansion is.
    func functions(_ functions: [PlannedFunction], ofExpansionAt place: Int, line: Int, in text: String) -> [Int]
}

extension TwinWriter {
    package func isInBlock(line: Int, of text: String) -> Bool { false }

    package func settle(_ functions: inout [PlannedFunction]) {}

    package func functions(
        _ functions: [PlannedFunction],
        ofExpansionAt place: Int,
        line: Int,
        in text: String
    ) -> [Int] {
        []
    }
}
