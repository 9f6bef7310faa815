// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Foundation

/// Puts the fault of a mutant into the actions of a bridge; without a mutant, all is done right.
package final class Faults: Sendable {
    /// An action on its way to another time or thread.
    ///
    /// Safe: a fault may break the rules of its bridge; the bridges of these tests have locks.
    private struct Action: @unchecked Sendable {
        let body: () -> Void
    }

    private struct State {
        var visits = 0
        var postponed: [Action] = []
        var kept: [Kept] = []
        /// How many calls have been made.
        var calls = 0
    }

    /// Safe: kept and never used.
    private struct Kept: @unchecked Sendable {
        let value: Any
    }

    /// More calls than any scenario needs: the thread of a mutant that would go on for ever stops here.
    private static let mostCalls = 100_000

    private let mutant: Mutant?
    // Why not a `Mutex`: ThreadSanitizer does not know the standard library's, and this module has no other.
    private let state = Monitor(State())

    package init(_ mutant: Mutant?) { self.mutant = mutant }

    /// The fault at this visit of a place.
    private func fault(at site: String) -> Fault? {
        guard let mutant = self.mutant, mutant.site == site else { return nil }
        let visit = self.state.update { state in
            state.visits += 1
            return state.visits
        }
        return mutant.timing.includes(visit) ? mutant.fault : nil
    }

    // MARK: Places

    /// A call.
    ///
    /// - Parameters:
    ///   - site: The place.
    ///   - other: What a wrong call does instead.
    ///   - body: What is right.
    package func call(_ site: String, instead other: @escaping () -> Void = {}, _ body: @escaping () -> Void) {
        let (calls, postponed) = self.state.update { state in
            state.calls += 1
            defer { state.postponed = [] }
            return (state.calls, state.postponed)
        }
        if self.mutant != nil, calls > Self.mostCalls { DispatchSemaphore(value: 0).wait() }
        switch self.fault(at: site) {
        case .drop?: break
        case .double?:
            body()
            body()
        case .reorder?: self.postpone(body)
        case .elsewhere?: self.start(body)
        case .wrongCall?: other()
        default: body()
        }
        for action in postponed { action.body() }
    }

    private func postpone(_ body: @escaping () -> Void) {
        let action = Action(body: body)
        self.state.update { $0.postponed.append(action) }
    }

    /// Starts a thread that acts when the bridge makes its next call, or soon.
    private func start(_ body: @escaping () -> Void) {
        let action = Action(body: body)
        let calls = self.state.update { $0.calls }
        Thread.detachNewThread {
            for _ in 0..<200 where self.state.update({ $0.calls }) == calls { sched_yield() }
            action.body()
        }
    }

    /// A change of state.
    package func change(_ site: String, _ body: () -> Void) { if self.fault(at: site) == nil { body() } }

    /// A decision.
    package func decision(_ site: String, _ isTrue: Bool) -> Bool {
        self.fault(at: site) == .negate ? !isTrue : isTrue
    }

    /// A number from 0.
    package func number(_ site: String, _ count: Int) -> Int {
        switch self.fault(at: site) {
        case .more?: count == .max ? count : count + 1
        case .fewer?: max(0, count - 1)
        case .zero?: 0
        default: count
        }
    }

    /// A reference that is given up.
    package func release(_ site: String, _ object: Any?, _ body: () -> Void) {
        switch self.fault(at: site) {
        case .forget?: break
        case .retain?:
            self.keep(object)
            body()
        default: body()
        }
    }

    /// A place where a right bridge does nothing.
    package func nothing(_ site: String, _ wrong: () -> Void) { if self.fault(at: site) != nil { wrong() } }

    /// Keeps an object as long as the faults, which are kept by it.
    package func keep(_ object: Any?) {
        guard let object else { return }
        let kept = Kept(value: object)
        self.state.update { $0.kept.append(kept) }
    }
}
