// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The number of children that a scope waits for, and its error.
///
/// | State     | Holds                                                | Next              |
/// |-----------|------------------------------------------------------|-------------------|
/// | `body`    | the number of children that run; the body runs        | `waiting`, `over` |
/// | `waiting` | the number of children that run, at least one         | `over`            |
/// | `over`    | the number of late children that still run              | none            |
///
/// Invariants: it is over once. Its outcome does not change after that.
package struct CoroutineScopeState {
    private enum Stage {
        case body(children: Int)
        case waiting(children: Int)
        case over(late: Int)
    }

    /// What ran when the surrounding task or coroutine was cancelled.
    private enum Cancellation {
        /// There was none.
        case none
        /// No child was running, and none has started since.
        case ofTheBody
        /// A child was running, or has started since: its work may be incomplete.
        case ofChildren
    }

    private var stage = Stage.body(children: 0)
    private var cancellation = Cancellation.none
    private var firstError: (any Error)?

    package init() {}

    /// The error with which the scope ends, if it does.
    package var error: (any Error)? {
        if let firstError = self.firstError { return firstError }
        switch self.cancellation {
        case .none, .ofTheBody: return nil
        case .ofChildren: return CancellationError()
        }
    }

    /// A child wants to start.
    ///
    /// - Returns: Whether it may. Otherwise it is too late, and must be cancelled.
    package mutating func begin() -> Bool {
        switch self.stage {
        case .body(let children): self.stage = .body(children: children + 1)
        case .waiting(let children): self.stage = .waiting(children: children + 1)
        case .over(let late):
            self.stage = .over(late: late + 1)
            return false
        }
        switch self.cancellation {
        case .none: break
        case .ofTheBody, .ofChildren: self.cancellation = .ofChildren
        }
        return true
    }

    /// The surrounding task or coroutine was cancelled.
    package mutating func cancel() {
        switch self.stage {
        case .body(children: 0):
            switch self.cancellation {
            case .none: self.cancellation = .ofTheBody
            case .ofTheBody, .ofChildren: break
            }
        case .body, .waiting: self.cancellation = .ofChildren
        case .over: break
        }
    }

    /// The body or a child has failed.
    ///
    /// The first error wins.
    ///
    /// - Returns: Whether this was the first error of the scope.
    package mutating func fail(_ error: any Error) -> Bool {
        switch self.stage {
        case .body, .waiting: break
        case .over: return false
        }
        guard self.firstError == nil else { return false }
        self.firstError = error
        return true
    }

    /// A child has ended.
    ///
    /// - Returns: Whether nothing is running any more.
    package mutating func childEnded() -> Bool {
        switch self.stage {
        case .body(let children):
            self.stage = .body(children: children - 1)
            return false
        case .waiting(1):
            self.stage = .over(late: 0)
            return true
        case .waiting(let children):
            self.stage = .waiting(children: children - 1)
            return false
        case .over(let late):
            self.stage = .over(late: late - 1)
            return false
        }
    }

    /// The body has ended.
    ///
    /// - Returns: Whether nothing is running any more.
    package mutating func bodyEnded() -> Bool {
        switch self.stage {
        case .body(children: 0):
            self.stage = .over(late: 0)
            return true
        case .body(let children):
            self.stage = .waiting(children: children)
            return false
        case .waiting, .over:
            preconditionFailure("BUG: the body of a scope ended twice")
        }
    }
}
