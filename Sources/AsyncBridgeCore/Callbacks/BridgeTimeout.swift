// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A time after which a wait gives up, measured by any clock.
///
/// ```swift
/// let answer = try await withCallback(timeout: .seconds(30)) { callback in
///     service.ask(question, reply: callback.handler())
/// }
/// ```
///
/// The module `AsyncBridge` makes them. A program that has `AsyncBridgeCore` alone has no timers in it, and waits
/// without a timeout.
public struct BridgeTimeout: Sendable {
    /// What measures it.
    package let measure: any TimeoutMeasure

    package init(_ measure: some TimeoutMeasure) { self.measure = measure }
}

/// What measures the time of a timeout.
package protocol TimeoutMeasure: Sendable {
    /// Begins to measure.
    ///
    /// - Parameters:
    ///   - runsOthersCode: Whether the action may run code that is not this package's, and takes long.
    ///   - action: Called when the time is up, at most once, outside every lock.
    /// - Returns: What is to be stopped when the wait is over.
    func begin(runsOthersCode: Bool, _ action: @escaping @Sendable () -> Void) -> any RunningTimeout
}

/// A timeout that has begun.
package protocol RunningTimeout: AnyObject, Sendable {
    /// Stops it: the wait is over.
    func cancel()
}

extension BridgeTimeout {
    /// Begins to measure the time that a wait may take, and ends the wait then.
    ///
    /// - Parameters:
    ///   - wait: The wait.
    ///   - resumesOthersCode: Whether resuming the waiter may run code that is not this package's, and takes long.
    /// - Returns: What is to be cancelled when the wait is over.
    package func begin(_ wait: OneShotWait, resumesOthersCode: Bool) -> any RunningTimeout {
        self.measure.begin(runsOthersCode: resumesOthersCode) { wait.end(.timedOut) }
    }
}
