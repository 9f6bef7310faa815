// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A path that ends without delivery.
struct MissingDelivery: Rule {
    static let page = RulePage(
        id: "missing-delivery",
        summary: "One path ends without resuming the continuation, or without calling the handler.",
        levels:
            "error for a continuation in code that runs once for certain, else warning; note if the function answers "
            + "`false` there, or a text where it else answers `nil`, or calls another handler, and for hooks that only "
            + "tell when something was shown or a button pressed, and where a comment says that it is meant",
        why: """
            On this path the task hangs for ever, or the caller never hears back. The usual places are a `guard` that
            returns early, an `if let` without `else`, and a case of a `switch` that only logs.
            """,
        bad: """
            func load(_ url: URL?, completion: @escaping (Data?) -> Void) {
                guard let url else { return }
                client.get(url) { data in completion(data) }
            }
            """,
        good: """
            func load(_ url: URL?, completion: @escaping (Data?) -> Void) {
                guard let url else {
                    completion(nil)
                    return
                }
                client.get(url) { data in completion(data) }
            }
            """,
        instead: """
            func load(_ url: URL?) async throws -> Data {
                guard let url else { throw URLError(.badURL) }
                // The compiler checks that every path returns or throws.
                return try await withCallback { callback in client.get(url, completion: callback.handler()) }
            }
            """,
        limits: "What happens after the token was stored or passed on is not seen."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        guard scope.carrier != nil || !NeverDelivered.applies(to: scope) else { return [] }
        let places = scope.places { $0 == .plain }.map { position, end, _ in
            (position, end, level: level(of: end, in: scope))
        }
        // One mistake in one scope is one finding, however many ways lead past the delivery.
        return Level.allCases.flatMap { level -> [Finding] in
            let here = places.filter { $0.level == level }
            guard let (position, end, _) = here.first else { return [] }
            let others = here.dropFirst().map { ($0.0, "nor \(scope.way($0.1))") }
            let fixes = here.compactMap { AddDelivery.fix(for: $0.1, in: scope) }
            return [
                scope.finding(
                    Self.self,
                    level,
                    at: position,
                    "\(scope.noun) is not \(scope.verb) \(scope.way(end))",
                    related: others + (scope.carrier.map { [($0.position, "in this closure")] } ?? []),
                    fix: fixes.first.map {
                        Fix(
                            message: $0.message,
                            isApplied: fixes.count == here.count && fixes.allSatisfy(\.isApplied),
                            edits: Set(fixes.flatMap(\.edits)).sorted { $0.offset < $1.offset }
                        )
                    }
                )
            ]
        }
    }

    private func level(of end: Trace.End, in scope: ScopeReport) -> Level {
        let excuses = end.state.excuses
        if !excuses.isDisjoint(with: [.sibling, .refused, .emptyLoop, .futureCase]) { return .note }
        // What another closure should have set is not set, and there is no error: one of the two is, always.
        if excuses.contains(.unset), end.state.facts.contains(where: \.value), !scope.token.isContinuation {
            return .note
        }
        let delivered = scope.trace.ends.filter { if case .once = $0.state.count { true } else { false } }
        // A function that only makes something which has the handler may answer `nil` instead.
        if excuses.contains(.answeredNil), delivered.isEmpty { return .note }
        // An observer that says `true` when it has delivered, and else `false`, is asked again.
        let says = delivered.map { $0.state.excuses.intersection([.saidYes, .saidNo]) }
        let own = excuses.intersection([.saidYes, .saidNo])
        if scope.carrier != nil || scope.token.scope.answersBool, let first = says.first, !first.isEmpty, !own.isEmpty,
            says.allSatisfy({ $0 == first }),
            own != first
        {
            return .note
        }
        // One that says what went wrong, and `nil` where it delivers, has answered.
        let saysNil = !delivered.isEmpty && delivered.allSatisfy { $0.state.excuses.contains(.answeredNil) }
        // One that answers what is wrong, and has told the caller, answers `nil` if all is right.
        let saysValue =
            !delivered.isEmpty
            && delivered.allSatisfy { end in
                guard case .once(let delivery) = end.state.count, delivery.manner == .call else { return false }
                return end.state.excuses.contains(.answeredValue)
            }
        if excuses.contains(.answeredNil), saysValue, scope.carrier == nil { return .note }
        // One whose last statement is what it makes has told only why it makes nothing.
        let isLast = scope.carrier == nil && scope.token.scope.body.last?.start == end.position
        if excuses.contains(.answeredText) || excuses.contains(.answeredValue) && isLast, saysNil { return .note }
        // What is called in each turn of a loop is told of events.
        if Names.isEvent(scope.token.name), scope.trace.isInLoops { return .note }
        // A closure that cannot escape is often called for each of several things.
        if scope.token.isLocal, let carrier = scope.carrier, !carrier.getsAnswer { return .note }
        // A hook for the end of an animation, rather than an answer.
        let isHook = scope.token.isOptional && scope.token.takesNothing && !scope.trace.isMoreThanAHook
        // The button that would call it is not there.
        let isAtTheEnd = end.kind == .end || scope.token.scope.body.last?.start == end.position
        let isMissingButton = isAtTheEnd && scope.trace.isOnlyInObjects
        if scope.token.kind == .handler, isHook || isMissingButton { return .note }
        if scope.token.kind == .handler, Names.dropsCalls(scope.functionName) { return .note }
        // A test's stand-in answers if it was told what.
        let isUntold = end.kind == .end && end.state.blame?.way == .whenFalse
        if scope.token.kind == .handler, scope.isTestDouble, isUntold { return .note }
        if !scope.token.isContinuation, scope.isDocumented(.dropped, at: scope.place(of: end)) { return .note }
        return scope.token.kind == .continuation && scope.isCertain && !scope.trace.isIncomplete ? .error : .warning
    }
}
