// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax

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

extension Refusal {
    /// What becomes of the function.
    func decision(_ writesMacros: Bool) -> Decision {
        .refused(reason: reason.rawValue, message: writesMacros ? message : messageForBlocks)
    }

    /// The message for those who get blocks: there is no attribute that could take an argument.
    private var messageForBlocks: String {
        let advice: String
        switch reason {
        case .returnsOther:
            let stop = message.contains("{ $0() }") ? "{ $0() }" : "{ $0.cancel() }"
            let stopping = message.contains(stop) ? "withCallback { … } onCancel: \(stop) if that stops the work, " : ""
            advice = "\(stopping)withCallback { _ = … } if nobody needs it"
        case .nameSaysMore: advice = "with a name of its own"
        case .severalCompletions: advice = "withCallback { … } with the one that answers"
        case .aliasedCompletion: advice = "withCallback { … } with what the handler gets"
        default: return message
        }
        // What is wrong; what follows is what to write into the attribute.
        let problem = message.split(separator: ". ", maxSplits: 1).first ?? ""
        let words = problem.replacing("a macro cannot look into '@escaping ", with: "a macro cannot look into '")
            .replacing("a macro cannot look into", with: "nothing here tells what the handler gets:")
        return "\(words). Write one by hand: \(advice)"
    }
}
