// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce

/// A function with a completion handler and a twin, and whether it goes.
package struct CompletionSite: Sendable {
    package enum Outcome: Sendable {
        /// The async function has its body, and stands in its place.
        case dropped(SourceEdit)
        case kept(Reason)
    }

    /// Why it stays.
    package enum Reason: Hashable, Sendable {
        case isPublic
        case severalHandlers
        case isCalled
        case isNamed
        case belongsToOthers
        case attribute
        case conditions
        case returns
        case names
        case losesComment
        case isEdited
        /// What the compiler says without it.
        case compiler([String])
    }

    package let path: String
    package let location: Location
    /// The function, with its type and its labels.
    package let title: String
    package internal(set) var outcome: Outcome

    /// The change, if it goes.
    package var edit: SourceEdit? {
        switch outcome {
        case .dropped(let edit): edit
        case .kept: nil
        }
    }

    /// Why it stays, if it does.
    package var reason: Reason? {
        switch outcome {
        case .dropped: nil
        case .kept(let reason): reason
        }
    }
}

extension CompletionSite.Reason {
    /// The word for reports; the version of the report changes if one changes its meaning.
    var word: String {
        switch self {
        case .isPublic: "public"
        case .severalHandlers: "several-handlers"
        case .isCalled: "called"
        case .isNamed: "named"
        case .belongsToOthers: "override-or-witness"
        case .attribute: "attribute"
        case .conditions: "conditional"
        case .returns: "returns"
        case .names: "names"
        case .losesComment: "loses-comment"
        case .isEdited: "edited"
        case .compiler: "compiler"
        }
    }

    /// A sentence's end, after "kept, because".
    var words: String {
        switch self {
        case .isPublic: "it is public; --breaking takes these, too"
        case .severalHandlers: "it has a handler for each answer"
        case .isCalled: "something still calls it, or may"
        case .isNamed: "it is named without a call"
        case .belongsToOthers: "it may be an override or what a protocol asks for, or has one"
        case .attribute: "it has an attribute for others than callers, such as @objc"
        case .conditions: "it is in `#if`"
        case .returns: "it returns something"
        case .names: "the async function names its parameters otherwise, or its body has a name of that"
        case .losesComment: "a comment between its parameters would be lost"
        case .isEdited: "the block of its async function was edited: move the body there by hand"
        case .compiler(let messages): "the package does not build without it: " + (messages.first ?? "")
        }
    }
}
