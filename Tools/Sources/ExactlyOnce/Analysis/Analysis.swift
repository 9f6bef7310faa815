// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// From a file's text to its findings: tokens, paths, rules.
///
/// Pure: it reads and writes nothing.
package struct Analysis: Sendable {
    /// How much is reported.
    package enum Profile: String, Sendable, CaseIterable {
        /// Only what concerns continuations: few findings, for a gate.
        case continuations
        case `default`
        /// Also handlers that only their type announces.
        case strict
    }

    package var profile: Profile
    package var knowledge: Knowledge

    package init(profile: Profile = .default, knowledge: Knowledge = Knowledge()) {
        self.profile = profile
        self.knowledge = knowledge
    }

    /// Everything that the rules find in a file, in the order of the file, notes too.
    package func findings(in file: SourceFile) -> [Finding] {
        let options = TokenFinder.Options(takesTypeShapes: profile == .strict)
        let rules = Rules.all.map { $0.init() }
        var found: Set<Finding> = []
        for token in TokenFinder.tokens(in: file, knowledge: knowledge, options: options)
        where profile != .continuations || token.isContinuation {
            let trace = Lowering.trace(token, in: file, knowledge: knowledge)
            for scope in ScopeReport.all(of: token, trace, in: file) {
                for rule in rules { found.formUnion(rule.findings(in: scope)) }
            }
        }
        for rule in rules { found.formUnion(rule.findings(in: file)) }
        return found.sorted { ($0.location, $0.rule, $0.token) < ($1.location, $1.rule, $1.token) }
    }
}
