// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What `cancel()` does to each kind of future, and to its source.
///
/// | Made by                          | Kind       | It ends           | Then it cancels           | `abandon()`   |
/// |----------------------------------|------------|-------------------|---------------------------|---------------|
/// | a promise, callback, coroutine   | `ends`     | at once           | nothing (`whenCancelled`)  | ends it       |
/// | `map`, `flatMap`, …              | `ends`     | at once           | the future it observes    | ends it       |
/// | `all`, `any`, `race`, `settled`  | `ends`     | at once           | its parts, then observers | ends it       |
/// | `result(of: task)`, `.propagate` | `ends`     | at once           | the task                  | ends it       |
/// | `result(of: task)`, `.abandon`   | `ends`     | at once           | nothing                   | ends it       |
/// | `result(of: task)`, `.ignore`    | `nothing`  | not at all        | nothing                   | ends it       |
/// | `receiveFuture`                  | `endsWait` | unless it has one | its wait in the channel   | as `cancel()` |
///
/// The future itself comes first, so that no transform turns the cancellation into something else. ``FutureFiring``
/// does all this in a loop. A cancelled *waiter* of a future does what its ``WaitPolicy`` says: go on waiting, leave,
/// or leave and `cancel()`.
enum FutureCancellation {
    /// It ends with `CancellationError`, and its source is cancelled.
    case ends
    /// Its wait is cancelled, which ends it: an element that was already taken for it still arrives.
    case endsWait
    /// Nothing happens.
    case nothing
}

extension AnyCoFuture {
    /// Ends this future and its work with `CancellationError`.
    ///
    /// The whole chain is cancelled: the future from which this one was made with `map` and the like, and so on up to
    /// the first one, whose ``whenCancelled(_:)`` ends the work; and all futures made from any of these. Nothing
    /// happens if there is a result.
    ///
    /// Isolation: may be called on any thread. Observers run in this call, unless little of the stack is left: see
    /// ``CoFuture``.
    ///
    /// - Complexity: O(*n*) in the number of futures and observers in the chain.
    public final func cancel() { FutureFiring.cancel(self) }

    /// Ends this future with `CancellationError`, and lets its work continue, for other futures.
    ///
    /// Nothing happens if there is a result. A future made by `receiveFuture` is cancelled: no other code waits for its
    /// element.
    ///
    /// Isolation: may be called on any thread. Observers run in this call, unless little of the stack is left: see
    /// ``CoFuture``.
    ///
    /// - Complexity: O(*n*) in the number of observers.
    public final func abandon() {
        switch self.cancellation {
        case .ends, .nothing: self.settle(failure: CancellationError())
        case .endsWait: self.cancel()
        }
    }

    /// Cancels this future alone.
    ///
    /// - Parameter firing: Takes the futures to cancel with it.
    /// - Returns: Its observers, to be fired before those are.
    final func cancelled(_ firing: inout FutureFiring) -> ObserverList {
        switch self.cancellation {
        case .nothing: return .empty
        case .endsWait: return self.cancelWork(.empty, &firing)
        case .ends:
            guard self.claim() else { return .empty }
            return self.cancelWork(self.settleClaimed(failure: CancellationError()), &firing)
        }
    }
}
