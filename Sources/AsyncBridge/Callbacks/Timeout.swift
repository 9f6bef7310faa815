// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A time after which a wait gives up, measured by any clock.
///
/// ```swift
/// let answer = try await withCallback(timeout: .seconds(30)) { callback in
///     service.ask(question, reply: callback.handler())
/// }
/// ```
public struct Timeout: Sendable {
    let sleep: @Sendable () async throws -> Void

    /// A timeout on a clock of the caller's choice: a suspending one, or one of a test.
    ///
    /// If the clock throws, and nobody has cancelled its sleep, the time is up: better early than never.
    ///
    /// Isolation: the clock sleeps in a task of its own.
    ///
    /// - Parameters:
    ///   - duration: How long to wait, in the clock's own unit.
    ///   - tolerance: By how much the end may be late; `nil` leaves it to the clock.
    ///   - clock: What measures the time.
    /// - Returns: The timeout.
    public static func after<C: Clock>(_ duration: C.Duration, tolerance: C.Duration? = nil, on clock: C) -> Timeout {
        Timeout(sleep: { try await clock.sleep(for: duration, tolerance: tolerance) })
    }

    /// A timeout on the continuous clock, which goes on while the machine sleeps.
    ///
    /// - Parameter duration: How long to wait.
    /// - Returns: The timeout.
    public static func after(_ duration: Duration) -> Timeout { .after(duration, on: .continuous) }

    /// A timeout of so many seconds on the continuous clock.
    ///
    /// - Parameter seconds: How long to wait, in seconds.
    /// - Returns: The timeout.
    public static func seconds(_ seconds: Double) -> Timeout { .after(.seconds(seconds)) }

    /// A timeout of so many milliseconds on the continuous clock.
    ///
    /// - Parameter milliseconds: How long to wait, in milliseconds.
    /// - Returns: The timeout.
    public static func milliseconds(_ milliseconds: Double) -> Timeout { .after(.milliseconds(milliseconds)) }
}
