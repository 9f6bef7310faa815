// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Synchronization

/// A one-shot state that many threads change, one event at a time.
///
/// Lock-free because a lock costs twice the rest of a call (`Benchmarks/README.md`, "hub"). The table of
/// ``OneShotState`` lists the allowed transitions.
@usableFromInline
package struct OneShotWord: ~Copyable, Sendable {
    @usableFromInline let word: Atomic<UInt>

    @_alwaysEmitIntoClient
    package init(_ state: OneShotState = .idle) { self.word = Atomic(state.rawValue) }

    /// The state at this moment.
    package var state: OneShotState { Self.decode(self.word.load(ordering: .acquiring)) }

    @_alwaysEmitIntoClient
    static func decode(_ raw: UInt) -> OneShotState {
        guard let state = OneShotState(rawValue: raw) else { preconditionFailure("BUG: \(raw) is not a state") }
        return state
    }

    /// Applies an event and returns the caller's action.
    ///
    /// Release and acquire together: a thread that sees `full` sees the result, one that resumes sees the continuation.
    @_alwaysEmitIntoClient
    package func apply<Action>(_ event: (OneShotState) -> (next: OneShotState, action: Action)) -> Action {
        self.word.update { seen in
            let (next, action) = event(Self.decode(seen))
            return (next.rawValue, action)
        }
    }
}
