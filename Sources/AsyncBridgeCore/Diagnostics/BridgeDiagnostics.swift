// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// What happens when code uses a bridge wrongly, and where that is reported.
///
/// A bridge survives misuse: a second answer is handed back, a dropped callback ends its wait with an error. To make
/// the mistake visible, each place that makes it is reported once, to a handler that you can replace:
///
/// ```swift
/// BridgeDiagnostics.setHandler { misuse in
///     logger.warning("\(misuse)")
/// }
/// ```
public enum BridgeDiagnostics {
    /// What a mistake leads to.
    @nonexhaustive
    public enum Policy: Sendable {
        /// The handler is called, once for each kind and place. This is the default.
        case report
        /// The process ends with the message: for test runs and debug builds.
        ///
        /// Elements dropped by a buffer whose policy is to drop them are not a mistake, and a bridge that is added late
        /// may be none: these are reported as usual.
        case trap
        /// Nothing.
        case ignore
    }

    private struct State {
        var policy = Policy.report
        var handler: @Sendable (Misuse) -> Void = BridgeDiagnostics.writeToStandardError
        // As many as there are wrong places in the program: few enough to search. A set would bring 8 KB of specialised
        // code into each program that has a callback.
        var reported: [Misuse.Identity] = []
    }

    private static let state = Mutex(State())

    /// What a mistake leads to, in the whole process.
    ///
    /// Isolation: may be read and set on any thread.
    public static var policy: Policy {
        get { self.state.withLock { $0.policy } }
        set { self.state.withLock { $0.policy = newValue } }
    }

    /// Replaces the handler that receives reports of mistakes, in the whole process.
    ///
    /// ## Isolation
    /// The handler runs on the thread on which the mistake was noticed, in the middle of the call that made it or of
    /// a `deinit`, and outside every lock. It may be called by several threads at once.
    ///
    /// - Parameter handler: Gets each mistake, once for each kind and place.
    public static func setHandler(_ handler: @escaping @Sendable (Misuse) -> Void) {
        releaseHere(self.state.withLock { exchange(&$0.handler, with: handler) })
    }

    /// Goes back to the handler that writes one line to standard error.
    public static func resetHandler() { self.setHandler(self.writeToStandardError) }

    /// Forgets which places have been reported, so that the next mistake of each is reported again.
    public static func forgetReportedPlaces() { self.state.withLock { $0.reported = [] } }

    /// Reports a mistake: for your own bridges, so that their reports go to the same handler.
    ///
    /// - Parameter misuse: The mistake.
    /// - Complexity: O(*n*) in the number of places reported so far. Takes a lock; for mistakes, not for hot paths.
    public static func report(_ misuse: Misuse) {
        let (policy, handler) = self.state.withLock { state -> (Policy, (@Sendable (Misuse) -> Void)?) in
            // Neither need be a mistake.
            let isHint = misuse.kind == .elementsDropped || misuse.kind == .addedLate
            let policy = state.policy == .trap && isHint ? .report : state.policy
            guard policy == .report else { return (policy, nil) }
            if state.reported.contains(misuse.identity) { return (policy, nil) }
            state.reported.append(misuse.identity)
            return (policy, state.handler)
        }
        switch policy {
        case .report: handler?(misuse)
        case .trap: fatalError("\(misuse)")
        case .ignore: break
        }
    }

    /// Whether a mistake would be reported: for mistakes that are costly to describe, and may be made again and again.
    ///
    /// - Parameters:
    ///   - kind: What was done wrong.
    ///   - made: Where.
    ///   - address: See ``Misuse/address``.
    /// - Returns: Whether reporting it would do anything.
    package static func wantsToHear(of kind: Misuse.Kind, at made: CallSite, address: UInt) -> Bool {
        let identity = Misuse.Identity(kind: kind, made: made, address: address)
        return self.state.withLock { state in
            switch state.policy {
            case .report: !state.reported.contains(identity)
            case .trap: true
            case .ignore: false
            }
        }
    }

    private static let writeToStandardError: @Sendable (Misuse) -> Void = { misuse in
        StandardError.writeLine("swift-async-bridge: \(misuse)")
    }
}
