// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import ExactlyOnce
import SwiftSyntax

// Signs by which the planner decides.

extension DeclaredFunction {
    /// Whether it is called as a delegate's method is: with its sender, as in `session(_ session: Session, did…)`.
    var looksLikeADelegates: Bool {
        guard parameters.count > 2, parameters[0].firstName.text == "_",
            let type = parameters[0].type.path.last
        else { return false }
        return type.lowercased().hasSuffix(name.lowercased())
    }
}

extension PlannedFunction {
    /// Whether it is an initializer, or gets no twin because of what it does or returns.
    var isRejected: Bool {
        switch decision {
        case .refused(let reason, _):
            [Refusal.Reason.initialiser, .returnsOther].map(\.rawValue).contains(reason)
        case .severalShots:
            function.isInitializer || function.node.signature.returnClause?.type.handlerFunction(meanings) != nil
        case .hidden:
            function.node.signature.returnClause != nil
                && outcome(at: Rung()).refusals.contains { $0.reason == .returnsOther }
        case .twin, .existing, .inherited: false
        }
    }

    /// Whether it is one like `withLock { value in … }`, which waits for its closure.
    var lendsByItsName: Bool {
        guard function.name.beginsWithWord("with") else { return false }
        let handlers = handlers.map { function.parameters[$0] }
        return !handlers.contains { $0.saysOnce || $0.type.getsAFailure(meanings) }
    }

    /// Whether it returns work with the handler that only its caller starts: `session.dataTask(with: url) { … }`.
    ///
    /// A wait for that would never end: the work that nobody starts keeps the handler.
    func returnsWorkToStart(in body: CodeBlockSyntax) -> Bool {
        guard function.node.signature.returnClause != nil else { return false }
        let words = Set(body.tokens(viewMode: .sourceAccurate).map(\.text))
        let makers: Set = ["dataTask", "uploadTask", "downloadTask", "BlockOperation", "DispatchWorkItem"]
        let starters: Set = [
            "resume", "start", "addOperation", "addOperations", "perform", "async", "asyncAfter", "execute",
        ]
        return !words.isDisjoint(with: makers) && words.isDisjoint(with: starters)
    }

    /// Whether code mentions one of the handlers.
    func mentionsHandlers(in body: CodeBlockSyntax) -> Bool {
        let parameters = function.parameters
        let names = Set(handlers.map { parameters[$0].innerName.text })
        return body.tokens(viewMode: .sourceAccurate).contains { names.contains($0.text) }
    }
}
