// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce

/// A call of a function that has a twin, and what becomes of it.
package struct CallerSite: Sendable {
    package enum Outcome: Sendable {
        /// It calls the twin.
        case rewritten(SourceEdit)
        case left(Reason)
    }

    /// Why a call stays as it is.
    package enum Reason: Hashable, Sendable {
        case notAsync
        case noTwin
        case severalHandlers
        case inTwin
        case codeFollows
        case inLoop
        case resultIsUsed
        case mayNotBeCalled
        case otherFunctions
        case noClosure
        case captures
        case otherAnswer
        case otherClosure
        case leavesSwitch
        case readsOtherSide
        case losesComment
        case inContinuation
        case otherResume
        case twinThrows
        /// What the compiler says of the rewritten call.
        case compiler([String])
    }

    package let path: String
    package let location: Location
    /// The function that is called, with its type and its labels.
    package let title: String
    /// The call, as it is written.
    let text: String
    package internal(set) var outcome: Outcome

    /// The change, unless the call stays as it is.
    package var edit: SourceEdit? {
        switch outcome {
        case .rewritten(let edit): edit
        case .left: nil
        }
    }

    /// Why it stays as it is.
    package var reason: Reason? {
        switch outcome {
        case .rewritten: nil
        case .left(let reason): reason
        }
    }
}

extension CallerSite.Reason {
    /// The word for reports; the version of the report changes if one changes its meaning.
    var word: String {
        switch self {
        case .notAsync: "not-async"
        case .noTwin: "no-twin"
        case .severalHandlers: "several-handlers"
        case .inTwin: "in-twin"
        case .codeFollows: "code-follows"
        case .inLoop: "in-loop"
        case .resultIsUsed: "result-is-used"
        case .mayNotBeCalled: "optional-chaining"
        case .otherFunctions: "other-functions"
        case .noClosure: "no-closure"
        case .captures: "captures"
        case .otherAnswer: "other-answer"
        case .otherClosure: "other-closure"
        case .leavesSwitch: "leaves-switch"
        case .readsOtherSide: "reads-other-side"
        case .losesComment: "loses-comment"
        case .inContinuation: "in-continuation"
        case .otherResume: "other-resume"
        case .twinThrows: "twin-throws"
        case .compiler: "compiler"
        }
    }

    /// A sentence's end, after "left, because".
    var words: String {
        switch self {
        case .notAsync: "the code around it is not async"
        case .noTwin: "no async function has its parameters, or answers as it does"
        case .severalHandlers: "it has a handler for each answer"
        case .inTwin: "it stands in that async function, or in one that is called like it"
        case .codeFollows: "the code after it does not wait for the answer"
        case .inLoop: "in a loop one call would wait for the other"
        case .resultIsUsed: "what it returns is used"
        case .mayNotBeCalled: "it may not be called at all, for its `?.`"
        case .otherFunctions: "another function of that name has no twin, or one with other answers"
        case .noClosure: "its handler is not a closure"
        case .captures: "its closure captures something else than self"
        case .otherAnswer: "its handler gets no Result, nor an error with one value at most, so nothing tells failure"
        case .otherClosure: "its closure is not one switch, guard, if or do that parts success from failure"
        case .leavesSwitch: "a `break` or `fallthrough` leaves a case of its switch"
        case .readsOtherSide: "it reads the error after a success, or the value after a failure"
        case .losesComment: "a comment in it would be lost"
        case .inContinuation: "the closure of its continuation does something else, too"
        case .otherResume: "the continuation is resumed with something else than what the handler gets"
        case .twinThrows: "the async function can throw, and the code around it cannot"
        case .compiler(let messages): "it does not compile: " + (messages.first ?? "")
        }
    }
}
