// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How far a twin had to go down for the package to build.
package struct Rung: Sendable, Hashable {
    /// Whether its value need not be `Sendable`.
    package var isUnchecked = false
    /// Whether a cancelled wait leaves the work alone, because what the function returns cannot stop it.
    package var isUncancelled = false
    /// Whether its name ends with "Async", because existing code would call it unasked.
    package var isRenamed = false
    /// What the compiler says of it, if it is commented out.
    package var errors: [String]?

    package init() {}

    /// The words for marks, without what the compiler says.
    var marks: [String] {
        var marks: [String] = []
        if isUnchecked { marks.append("unchecked") }
        if isUncancelled { marks.append("uncancelled") }
        if isRenamed { marks.append("renamed") }
        if errors != nil { marks.append("commented-out") }
        return marks
    }
}
