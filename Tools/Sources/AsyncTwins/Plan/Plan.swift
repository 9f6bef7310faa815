// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What becomes of each function with a completion handler in a package.
package struct Plan: Sendable {
    /// In the order of files and lines.
    package var functions: [PlannedFunction]
    package var delegates: [DelegateProposal]
    /// The calls of functions that have twins, if they were to be rewritten.
    package var callers: [CallerSite] = []
    /// The functions with twins, if those that nobody calls were to go.
    package var completions: [CompletionSite] = []

    package init(functions: [PlannedFunction] = [], delegates: [DelegateProposal] = []) {
        self.functions = functions.sorted { ($0.path, $0.location) < ($1.path, $1.location) }
        self.delegates = delegates.sorted { ($0.path, $0.location) < ($1.path, $1.location) }
    }

    /// The indices of the functions of a file that have twins, in the order of the file.
    package func twins(of path: String) -> [Int] {
        functions.indices.filter { functions[$0].path == path && functions[$0].isTwin }
    }
}
