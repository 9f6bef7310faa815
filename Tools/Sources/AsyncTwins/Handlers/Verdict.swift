// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce
import SwiftSyntax

/// What the checker says of the handler of a function.
package enum Verdict: Sendable, Hashable {
    /// Every path that the checker follows calls the handler once, or hands it to what promises one call.
    case proven
    /// It is not seen, or not told by syntax.
    case unproven
    /// Some path never calls it: where, and what the checker says.
    case dropped([Finding])
    /// Some path calls it twice: where, and what the checker says.
    case doubled([Finding])

    /// The word for marks and reports.
    package var word: String {
        switch self {
        case .proven: "proven"
        case .unproven: "unproven"
        case .dropped: "dropped"
        case .doubled: "doubled"
        }
    }

    /// What the checker has found.
    package var findings: [Finding] {
        switch self {
        case .proven, .unproven: []
        case .dropped(let findings), .doubled(let findings): findings
        }
    }

    /// The verdict of one handler; `nil` is one that the checker does not look at.
    init(_ use: HandlerUse?, of function: DeclaredFunction) {
        guard let use else {
            self = .unproven
            return
        }
        let doubled = use.findings.filter { ["double-delivery", "deliver-in-loop"].contains($0.rule) }
        let dropped = use.findings.filter { Self.rulesOfLoss.contains($0.rule) }
        if !doubled.isEmpty {
            self = .doubled(doubled)
        } else if !dropped.isEmpty {
            self = .dropped(dropped)
        } else {
            self = use.frequency == .always && use.findings.isEmpty && !function.assertsPaths ? .proven : .unproven
        }
    }

    private static let rulesOfLoss: Set = [
        "never-delivered", "missing-delivery", "lost-on-throw", "optional-receiver-drop", "weak-self-drop",
    ]
}

extension DeclaredFunction {
    /// Whether its body says of a path that nothing comes there, in a way that release builds do not check.
    fileprivate var assertsPaths: Bool {
        let calls = node.body?.all(FunctionCallExprSyntax.self) ?? []
        return calls.contains { ["assert", "assertionFailure"].contains($0.calledExpression.trimmedDescription) }
    }
}
