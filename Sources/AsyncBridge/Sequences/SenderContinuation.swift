// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The continuation of a sender that waits for room, wrapped so that its unsafety stays here.
///
/// Safe: the machine gives it to exactly one event, which resumes it.
@safe @usableFromInline
package struct SenderContinuation<Element: Sendable>: Sendable {
    /// How the wait ended; an element that was not sent comes back.
    @usableFromInline
    package enum Outcome: Sendable {
        case sent
        case ended(Element)
        case cancelled(Element)
    }

    private let continuation: UnsafeContinuation<Outcome, Never>

    init(_ continuation: UnsafeContinuation<Outcome, Never>) { unsafe self.continuation = continuation }

    func resume(with outcome: Outcome) { unsafe self.continuation.resume(returning: outcome) }
}
