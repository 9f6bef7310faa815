// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// Why a function of a group has no twin.
struct Obstacle {
    enum Reason {
        case refused(Refusal)
        /// It looks as if it called its handler many times.
        case severalShots
        /// Its twin would take `self`, which is not `Sendable`, into a task.
        case notSendable
    }

    let name: String
    let reason: Reason

    init(_ function: FunctionDeclSyntax, _ reason: Reason) {
        self.name = function.name.text
        self.reason = reason
    }

    init(_ function: FunctionDeclSyntax, _ refusal: Refusal) { self.init(function, .refused(refusal)) }

    /// Why nobody should try.
    init?(_ function: FunctionDeclSyntax, in surroundings: Surroundings) {
        if function.looksLikeSeveralShots {
            self.init(function, .severalShots)
        } else if function.isAsync, !surroundings.seemsSendable, !function.has(.static) {
            self.init(function, .notSendable)
        } else {
            return nil
        }
    }

    /// Whether there was nothing to bridge in the first place.
    fileprivate var isNothing: Bool {
        if case .refused(let refusal) = self.reason { refusal.reason == .noCompletion } else { false }
    }

    fileprivate var words: String {
        switch self.reason {
        case .refused(let refusal): refusal.message
        case .severalShots:
            "it looks as if it called its handler many times. If it calls it once, write '@\(HubNames.bridged)' at it"
        case .notSendable:
            """
            a task would get 'self', and the type is not declared 'Sendable'. If nothing else uses it meanwhile, write \
            '@\(HubNames.bridged)(.unchecked)' at the function
            """
        }
    }
}

extension Refusal {
    /// A macro for all members that finds none: the first function that is something to bridge says why.
    static func nothingToBridge(_ obstacles: [Obstacle], _ attribute: AttributeSyntax) -> Refusal {
        guard let obstacle = obstacles.first(where: { !$0.isNothing }) else {
            return Refusal(
                .nothingToBridge,
                """
                no function here gets a twin: none is async or has a completion handler, or the twins are there \
                already. Remove '@\(attribute.name)'
                """,
                at: attribute,
                cures: [attribute.removal],
                isWarning: true
            )
        }
        var cures: [Cure] = []
        var anchor = Syntax(attribute)
        if case .refused(let refusal) = obstacle.reason {
            cures = refusal.cures
            anchor = refusal.anchor
        }
        return Refusal(
            .nothingToBridge,
            "no function here gets a twin, not '\(obstacle.name)' either: \(obstacle.words)",
            at: anchor,
            cures: cures,
            isWarning: true
        )
    }
}
#endif
