// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What becomes of a function with a completion handler.
package enum Decision: Sendable {
    /// It gets a twin, or has one that was written by this tool.
    case twin
    /// There is an async function that does the same: with the same labels, or nearly.
    case existing(String, isNear: Bool)
    /// It is what a requirement asks for, and the protocol's twin calls it.
    case inherited(String)
    /// Another file cannot reach it, or nobody asked for it.
    case hidden(Access)
    /// It may call its handler more than once.
    case severalShots(SeveralShots)
    /// It has none, and why.
    case refused(reason: String, message: String)

    /// The word for reports; the version of the report changes if one changes its meaning.
    package var word: String {
        switch self {
        case .twin: "twin"
        case .existing(_, isNear: false): "existing"
        case .existing(_, isNear: true): "near-twin"
        case .inherited: "inherited"
        case .hidden(.private): "private"
        case .hidden: "internal"
        case .severalShots: "several-shot"
        case .refused: "refused"
        }
    }
}
