// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// One scope of a token and what its paths do, for the rules.
struct ScopeReport: Sendable {
    let token: Token
    let trace: Trace
    let file: SourceFile
    /// The closure that is the scope, unless it is the token's own.
    let carrier: Carrier?
    /// Whether the scope is run once, for certain.
    let isCertain: Bool
    /// Whether a path without delivery loses the token: nobody else has it.
    let hasSoleDuty: Bool
    /// Whether it is a closure of which a loop makes another one in each turn.
    let isRepeated: Bool

    /// The scope of a token and those of all closures in it that have it, too.
    static func all(of token: Token, _ trace: Trace, in file: SourceFile) -> [ScopeReport] {
        // What an object calls in each turn of a loop tells of events.
        let isOfEvents = token.kind == .storedHandler && trace.doubles.contains(where: \.isInLoop)
        guard !isOfEvents, token.kind != .storedHandler || !trace.hasInnerLoop else { return [] }
        let top = ScopeReport(
            token: token,
            trace: trace,
            file: file,
            carrier: nil,
            isCertain: token.kind == .continuation || token.kind == .handler,
            hasSoleDuty: !token.scope.isAtMostOnce && (token.kind != .storedHandler || trace.seemsToOwe),
            isRepeated: false
        )
        return top.withInner()
    }

    private func withInner() -> [ScopeReport] {
        [self]
            + trace.inner.flatMap { inner in
                ScopeReport(
                    token: token,
                    trace: inner.trace,
                    file: file,
                    carrier: inner.carrier,
                    isCertain: isCertain && inner.carrier.kind == .later,
                    hasSoleDuty: hasSoleDuty && dependsOn(inner.carrier),
                    isRepeated: trace.repeated.contains(inner.carrier.position)
                )
                .withInner()
            }
    }

    /// Whether some path has nothing but this closure to deliver.
    private func dependsOn(_ carrier: Carrier) -> Bool {
        if carrier.isHalf, carrier.kind == .likely {
            return trace.ends.contains { $0.state.isDeliveredConditionally && !$0.state.hasEscaped }
        }
        guard [.later, .likely, .derived].contains(carrier.kind), !carrier.hasRivals else { return false }
        return trace.ends.contains { end in
            guard case .once(let delivery) = end.state.count, !end.state.hasEscaped else { return false }
            return delivery.position == carrier.position && end.state.excuses.isDisjoint(with: [.latch, .sibling])
        }
    }

    // MARK: Paths without delivery

    /// Why the token is lost on a path.
    enum Loss: Hashable {
        case plain
        case thrown
        case dropped(Drop)
        /// Neither a value nor an error.
        case nilNil
    }

    /// The ends of paths that lose the token, by place.
    func losses() -> [(loss: Loss, end: Trace.End)] {
        guard hasSoleDuty else { return [] }
        var result: [(loss: Loss, end: Trace.End)] = []
        for end in trace.ends where end.state.isMissing {
            guard let loss = loss(of: end) else { continue }
            // With a possible double delivery, conditions probably exclude each other: one finding is enough.
            if loss == .plain, end.kind == .end, !trace.doubles.isEmpty { continue }
            result.append((loss, end))
        }
        return result
    }

    /// The places at which the token is lost for this reason, unless a simpler reason holds there, too.
    func places(of isWanted: (Loss) -> Bool) -> [(position: Int, end: Trace.End, loss: Loss)] {
        let losses = losses()
        let plain = Set(losses.filter { $0.loss == .plain }.map { place(of: $0.end) })
        var seen: Set<Int> = []
        return losses.compactMap { loss, end in
            let position = place(of: end)
            guard isWanted(loss), loss == .plain || !plain.contains(position), seen.insert(position).inserted else {
                return nil
            }
            return (position, end, loss)
        }
    }

    private func loss(of end: Trace.End) -> Loss? {
        if end.kind == .throw {
            if let carrier { return carrier.swallowsErrors ? .thrown : nil }
            return nil
        }
        if let drop = end.state.drop { return .dropped(drop) }
        let nils = end.state.facts.filter { $0.value }
        if nils.count >= 2 { return .nilNil }
        return .plain
    }

    /// Where to report a path's end: at the way out, or at the branch that parted from those that deliver.
    func place(of end: Trace.End) -> Int {
        switch end.kind {
        case .return, .throw: end.position
        case .end: end.state.blame?.position ?? scopeEnd
        }
    }

    private var scopeEnd: Int { carrier?.end ?? token.scope.end }

    // MARK: Findings

    func finding(
        _ rule: any Rule.Type,
        _ level: Level,
        at position: Int,
        _ message: String,
        related: [(Int, String)] = [],
        fix: Fix? = nil
    ) -> Finding {
        Finding(
            rule: rule.page.id,
            level: level,
            message: message,
            path: file.path,
            location: file.location(of: position),
            related: related.map { Finding.Related(location: file.location(of: $0.0), message: $0.1) },
            token: token.name,
            declaration: token.scope.declaration,
            fix: fix
        )
    }

    /// “continuation ‘c’ is resumed”, “handler ‘completion’ is called”.
    var noun: String { token.isContinuation ? "continuation ‘\(token.name)’" : "handler ‘\(token.name)’" }
    var verb: String { token.isContinuation ? "resumed" : "called" }

    /// What to say of a path that ends without delivery.
    func way(_ end: Trace.End) -> String {
        switch end.kind {
        case .return: "before this return"
        case .throw: "if an error is thrown"
        case .end:
            switch end.state.blame?.way {
            case .whenFalse?: "if this condition is false"
            case .whenTrue?: "if this condition is true"
            case .case?: "in this case"
            case .caught?: "after this error was caught"
            case .loopEnds?: "if this loop ends by itself"
            case nil: "on a path that ends here"
            }
        }
    }
}

extension Trace {
    /// Whether a function that could leave a stored handler to others delivers on all paths but one that leaves early.
    fileprivate var seemsToOwe: Bool {
        var deliveries: Set<Int> = []
        var losses: Set<Int> = []
        for end in ends {
            if end.state.hasEscaped { return false }
            if case .once(let delivery) = end.state.count { deliveries.insert(delivery.position) }
            guard end.state.isMissing, end.kind != .throw else { continue }
            let isEarly = end.kind == .return || end.state.blame?.way == .caught
            guard isEarly else { return false }
            losses.insert(end.kind == .return ? end.position : end.state.blame?.position ?? 0)
        }
        return deliveries.count > 1 && losses.count == 1
    }

    /// Whether only closures that become parts of objects, such as buttons, have the handler.
    var isOnlyInObjects: Bool {
        !isHandedOn && inner.contains(where: \.carrier.isPartOfAnObject) && ends.allSatisfy { $0.state.count == .none }
    }

    /// Whether it delivers in each turn of a loop.
    var isInLoops: Bool { !repeated.isEmpty || doubles.contains(where: \.isInLoop) }

    /// Whether a closure in it delivers again in a later turn of a loop.
    fileprivate var hasInnerLoop: Bool {
        inner.contains { $0.trace.doubles.contains(where: \.isInLoop) || $0.trace.hasInnerLoop }
    }

    /// Whether more is made of the handler than a hook that tells when something has been shown, or a button pressed.
    var isMoreThanAHook: Bool {
        let isCalled = ends.contains { end in
            switch end.state.count {
            case .once(let delivery), .twice(let delivery):
                delivery.manner == .call || delivery.manner == .delegate && !delivery.isHook
            case .none, .raced: end.state.hasEscaped && isHandedOn
            }
        }
        return isCalled || inner.contains { !$0.carrier.isPartOfAnObject && $0.trace.isMoreThanAHook }
    }
}
