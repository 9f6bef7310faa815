// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

// What a careful user writes without this package.

/// An operation that can be cancelled, as old APIs return them.
final class Request: Sendable {
    private let cancellations = Atomic<Int>(0)

    func cancel() { self.cancellations.add(1, ordering: .relaxed) }
}

/// Awaits a callback, ready for cancellation at any moment: before the wait, during it, and racing with the answer.
///
/// Stays on the caller's actor all the way. A dropped callback hangs forever, and a second one is ignored silently.
func awaitByHand(
    isolation: isolated (any Actor)? = #isolation,
    _ start: (@escaping @Sendable (Int) -> Void) -> Void
) async throws -> Int {
    let latch = Latch()
    return try await withTaskCancellationHandler {
        // Keeps the closure on the caller's actor.
        _ = isolation
        return try await withCheckedThrowingContinuation { continuation in
            guard latch.wait(continuation) else { return continuation.resume(throwing: CancellationError()) }
            start { latch.resume(returning: $0) }
        }
    } onCancel: {
        latch.cancel()
    }
}

/// As ``awaitByHand(_:)``, and cancels the request.
///
/// `cancel()` runs under a lock of the runtime's, as in most code of this kind.
func awaitByHand(
    isolation: isolated (any Actor)? = #isolation,
    _ start: (@escaping @Sendable (Int) -> Void) -> Request
) async throws -> Int {
    let latch = Latch()
    return try await withTaskCancellationHandler {
        // Keeps the closure on the caller's actor.
        _ = isolation
        return try await withCheckedThrowingContinuation { continuation in
            guard latch.wait(continuation) else { return continuation.resume(throwing: CancellationError()) }
            let request = start { latch.resume(returning: $0) }
            latch.register(request)
        }
    } onCancel: {
        latch.cancel()
    }
}

/// Lets one of answer and cancellation win, whichever comes first.
private final class Latch: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Int, any Error>, Request?)
        case cancelled
        case done
    }

    private let state = Mutex(State.open)

    /// Whether the wait may begin; `false` if it was cancelled already.
    func wait(_ continuation: CheckedContinuation<Int, any Error>) -> Bool {
        self.state.withLock { state in
            guard case .open = state else { return false }
            state = .waiting(continuation, nil)
            return true
        }
    }

    func register(_ request: Request) {
        let isCancelled = self.state.withLock { state in
            switch state {
            case .waiting(let continuation, _):
                state = .waiting(continuation, request)
                return false
            case .cancelled: return true
            case .open, .done: return false
            }
        }
        if isCancelled { request.cancel() }
    }

    func resume(returning value: Int) {
        let continuation: CheckedContinuation<Int, any Error>? = self.state.withLock { state in
            guard case .waiting(let continuation, _) = state else { return nil }
            state = .done
            return continuation
        }
        continuation?.resume(returning: value)
    }

    func cancel() {
        let waiting: (CheckedContinuation<Int, any Error>, Request?)? = self.state.withLock { state in
            switch state {
            case .waiting(let continuation, let request):
                state = .cancelled
                return (continuation, request)
            case .open:
                state = .cancelled
                return nil
            case .cancelled, .done:
                return nil
            }
        }
        waiting?.1?.cancel()
        waiting?.0.resume(throwing: CancellationError())
    }
}
