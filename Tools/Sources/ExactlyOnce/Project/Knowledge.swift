// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What is known beyond one file: how APIs use closures, what the project's functions do, what its types stand for.
package struct Knowledge: Sendable {
    package var apis = APITable.standard
    package var summaries = Summaries()
    /// Names of types that stand for a function which returns nothing.
    package var handlerTypes: Set<String> = []
    /// Names of types that stand for an optional one.
    package var optionalHandlerTypes: Set<String> = []
    /// Names of types that stand for a continuation.
    package var continuationTypes: Set<String> = []
    /// Functions that never return, and the names among theirs that others have which do.
    package var neverReturning: Set<String> = []
    package var returning: Set<String> = []

    package init() {}

    /// Whether every function of this name ends the program.
    func neverReturns(_ name: String) -> Bool { neverReturning.contains(name) && !returning.contains(name) }

    func summary(of name: String, labels: [String?], label: String?) -> Frequency? {
        summaries.frequency(of: name, labels: labels, label: label)
    }
}
