// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridge

/// The bridge of a check: what reports say of it, whatever it does.
package struct JudgedBridge: Sendable {
    /// The name that the user has given it.
    package let name: String
    /// Where the user has described it.
    package let made: BridgeDiagnostics.CallSite
    /// What is demanded by default and it does not promise: names of promises.
    package let notPromised: [String]

    package init(_ name: String, made: BridgeDiagnostics.CallSite, notPromised: [String] = []) {
        self.name = name
        self.made = made
        self.notPromised = notPromised
    }
}

/// The random history in which something was seen.
package struct ToldHistory: Sendable {
    /// Its events in words.
    package let steps: [String]
    package let seed: UInt64
    /// The call that plays it again.
    package let again: String

    package init(steps: [String], seed: UInt64, again: String) {
        self.steps = steps
        self.seed = seed
        self.again = again
    }
}
