// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The continuation of a parked waiter, wrapped so that its unsafety stays here.
///
/// Safe: the state machine lets exactly one event resume it.
@safe @usableFromInline
package struct ParkedContinuation: Sendable {
    private let continuation: UnsafeContinuation<Void, Never>

    @usableFromInline
    package init(_ continuation: UnsafeContinuation<Void, Never>) { unsafe self.continuation = continuation }

    @usableFromInline
    package func resume() { unsafe self.continuation.resume() }
}

/// A waiter parked until its answer comes: a task, or something else that can be resumed on a thread.
package enum ParkedWaiter: Sendable {
    case task(ParkedContinuation)
    case other(Resumable)

    /// A function, and the waiter that it resumes.
    ///
    /// Safe: the state machine lets exactly one event resume a waiter, and until then it is alive.
    @safe
    package struct Resumable: @unchecked Sendable {
        private let function: @convention(c) (UnsafeMutableRawPointer) -> Void
        private let waiter: UnsafeMutableRawPointer

        package init(_ waiter: UnsafeMutableRawPointer, _ function: @convention(c) (UnsafeMutableRawPointer) -> Void) {
            unsafe self.function = function
            unsafe self.waiter = waiter
        }

        func resume() { unsafe self.function(self.waiter) }
    }

    func resume() {
        switch self {
        case .task(let continuation): continuation.resume()
        case .other(let waiter): waiter.resume()
        }
    }
}
