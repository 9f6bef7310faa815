// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import Foundation
import Synchronization

/// Ctrl-C, and the signal that ends programs: what was begun is undone before this one ends.
final class Interruption {
    /// It was interrupted.
    struct Interrupted: Error {}

    private let request = Request()
    private let sources: [any DispatchSourceSignal]

    init() {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number)
        }
        for source in sources {
            source.setEventHandler { [request] in request.make() }
            source.activate()
        }
    }

    /// Fails if somebody has asked to stop.
    func check() throws {
        if request.isMade { throw Interrupted() }
    }

    /// Names the program to end with this one; `nil` for none.
    func watch(_ child: pid_t?) { request.watch(child) }
}

/// Whether somebody has asked to stop, and the program that must end then.
private final class Request: Sendable {
    private struct State {
        var isMade = false
        var child: pid_t?
    }

    private let state = Mutex(State())

    var isMade: Bool { state.withLock { $0.isMade } }

    func make() {
        let child = state.withLock { state in
            state.isMade = true
            return state.child
        }
        if let child { Self.end(child) }
    }

    func watch(_ child: pid_t?) {
        let isMade = state.withLock { state in
            state.child = child
            return state.isMade
        }
        if isMade, let child { Self.end(child) }
    }

    /// Ends a program with those that it has started, if it leads a group of them.
    private static func end(_ child: pid_t) { kill(getpgid(child) == child ? -child : child, SIGINT) }
}
