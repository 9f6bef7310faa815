// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The wait of a sender for room.
///
/// Safe: `continuation` is written by the sender before it is in the line, `outcome` by the one event that resumes the
/// sender; the event reads the first, the resumed sender the second.
final class SenderWait<Element: Sendable>: CancellationListener, @unchecked Sendable {
    private let cancel: @Sendable () -> Void
    private nonisolated(unsafe) var continuation: ParkedContinuation?
    private nonisolated(unsafe) var outcome: SenderContinuation<Element>.Outcome?

    init(cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

    override func taskWasCancelled() { self.cancel() }

    /// Waits.
    ///
    /// - Parameter park: Gets the continuation, in the current task, to be resumed once.
    /// - Returns: How the wait ended.
    nonisolated(nonsending) func outcome(
        _ park: (SenderContinuation<Element>) -> Void
    ) async -> SenderContinuation<Element>.Outcome {
        await self.suspend { continuation in
            unsafe self.continuation = continuation
            park(SenderContinuation(self))
        }
        guard let outcome = unsafe self.outcome else {
            preconditionFailure("BUG: a sender's wait ended without an outcome")
        }
        return outcome
    }

    func resume(with outcome: SenderContinuation<Element>.Outcome) {
        unsafe self.outcome = outcome
        guard let continuation = unsafe self.continuation else {
            preconditionFailure("BUG: a sender was resumed that had not parked")
        }
        continuation.resume()
    }
}

/// What resumes a sender that waits for room.
///
/// Safe: the machine gives it to exactly one event, which resumes the sender; until then the sender's call holds the
/// object.
@safe @usableFromInline
package struct SenderContinuation<Element: Sendable>: Sendable {
    /// How the wait ended; an element that was not sent comes back.
    @usableFromInline
    package enum Outcome: Sendable {
        case sent
        case ended(Element)
        case cancelled(Element)
    }

    private let wait: Unmanaged<SenderWait<Element>>

    init(_ wait: SenderWait<Element>) { unsafe self.wait = Unmanaged.passUnretained(wait) }

    func resume(with outcome: Outcome) { unsafe self.wait.takeUnretainedValue().resume(with: outcome) }
}
