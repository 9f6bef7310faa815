// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import SwiftSyntax

/// Why a declaration gets no twin, or why its twin deserves a warning, and what to write instead.
public struct Refusal: Error {
    /// Which one it is: stable, for tables and reports.
    public let reason: Reason

    /// What is wrong and what to do, in one or two sentences.
    public let message: String

    /// Where it is: a parameter, a type, a name, an argument of the macro.
    public internal(set) var anchor: Syntax

    /// What to write instead, where that is certain.
    public let cures: [Cure]

    /// Whether there is a twin all the same.
    public let isWarning: Bool

    init(
        _ reason: Reason,
        _ message: String,
        at anchor: some SyntaxProtocol,
        cures: [Cure] = [],
        isWarning: Bool = false
    ) {
        self.reason = reason
        self.message = message
        self.anchor = Syntax(anchor)
        self.cures = cures
        self.isWarning = isWarning
    }
}

extension Refusal {
    /// A change that removes the reason.
    public struct Cure: Sendable {
        /// What the change does: "add '@escaping'".
        public let label: String
        /// What is replaced.
        public let old: Syntax
        /// What it is replaced by.
        public let new: Syntax

        init(_ label: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) {
            self.label = label
            self.old = Syntax(old)
            self.new = Syntax(new)
        }
    }

    /// The reasons, whose words are in `Tests/AsyncBridgeSyntaxTests/Expected/Refused`.
    public enum Reason: String, Sendable, CaseIterable {
        case noCompletion, unclearCompletion, severalCompletions, aliasedCompletion, genericOfHandler, notEscaping,
            handlerReturns, handlerSuspends, handlerNests
        case errorAlone, failureWithoutError, failureBesideValues, tooManyValues, packOfValues, handlerParameter,
            cFunction, twoErrors
        case returnsOther, returnsOpaque, variadic, inoutParameter, mutating, ownership, notCopyable,
            asyncAutoclosure
        case overriding, local, hiddenModule, unavailable, initialiser, notAFunction, requirement, optionalRequirement
        case operatorFunction, distributed, privateInType
        case unknownArgument, argumentDoesNotFit, contradiction
        case defaultCompletion, nameSaysMore
        case methodReturns, methodOfType, genericMethod, closureOfCall, unnamedParameter, sameEvent,
            nameOfMember, uselessReply, notSendable, nothingToBridge
    }
}
#endif
