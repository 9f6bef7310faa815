// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a function does with a handler that it gets, as far as its paths tell.
package struct HandlerUse: Sendable {
    /// How often its paths call the handler, or hand it to a function under a label that promises one call.
    package var frequency: Frequency
    /// Whether it is called in each turn of a loop, or in a closure that is called many times, or a comment says so.
    package var isRepeated: Bool
    /// The paths that call it never or twice: warnings and errors of the rules, without those that a comment silences.
    package var findings: [Finding]
}

extension Analysis {
    /// What functions do with the handlers whose names are at these positions, whatever they are called.
    package func uses(ofHandlersAt positions: Set<Int>, in file: SourceFile) -> [Int: HandlerUse] {
        guard !positions.isEmpty else { return [:] }
        let suppressions = Suppressions(file)
        let rules = Rules.all.map { $0.init() }
        var uses: [Int: HandlerUse] = [:]
        let options = TokenFinder.Options(positions: positions)
        for token in TokenFinder.tokens(in: file, knowledge: knowledge, options: options)
        where token.kind == .handler && positions.contains(token.position) {
            let trace = Lowering.trace(token, in: file, knowledge: knowledge)
            let scopes = ScopeReport.all(of: token, trace, in: file)
            let found = Set(scopes.flatMap { scope in rules.flatMap { $0.findings(in: scope) } })
            let wanted = found.filter { $0.level > .note && suppressions.comment(for: $0) == nil }
            uses[token.position] = HandlerUse(
                frequency: trace.frequency,
                isRepeated: trace.isRepeated
                    || scopes.contains { $0.isDocumented(.repeated, at: token.position) },
                findings: wanted.sorted { ($0.location, $0.rule) < ($1.location, $1.rule) }
            )
        }
        return uses
    }
}

extension Trace {
    /// Whether a loop or a closure that is called many times delivers.
    fileprivate var isRepeated: Bool {
        doubles.contains(where: \.isInLoop)
            || inner.contains { $0.carrier.kind == .many && $0.trace.isUsed || $0.trace.isRepeated }
    }
}
