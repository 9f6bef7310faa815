// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import Synchronization

/// A dispatch source that may be cancelled while it is suspended.
///
/// Dispatch ends the program when a suspended source is released.
///
/// Safe: the source is changed under the lock only, and its functions call no other code. Its handler reads the count.
final class PausableSource: @unchecked Sendable {
    private enum State {
        case active
        case suspended
        case cancelled
    }

    private let source: any DispatchSourceProtocol
    private let state = Mutex(State.active)

    /// - Parameter source: A source that was never activated.
    init(_ source: any DispatchSourceProtocol) { self.source = source }

    /// Once, before anything else.
    func activate() { self.source.activate() }

    /// What an event has counted.
    ///
    /// For the source's handler: in some of Apple's SDKs it is `@Sendable`, as the source is not.
    var count: Int { Int(self.source.data) }

    func suspend() {
        self.state.withLock { state in
            guard state == .active else { return }
            self.source.suspend()
            state = .suspended
        }
    }

    func resume() {
        self.state.withLock { state in
            guard state == .suspended else { return }
            self.source.resume()
            state = .active
        }
    }

    func cancel() {
        self.state.withLock { state in
            self.source.cancel()
            if state == .suspended { self.source.resume() }
            state = .cancelled
        }
    }
}
