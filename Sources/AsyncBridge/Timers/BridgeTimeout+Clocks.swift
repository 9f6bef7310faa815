// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension BridgeTimeout {
    /// A timeout on a given clock: a suspending one, or a test's.
    ///
    /// If the clock throws, and its sleep was not cancelled, the wait times out: better early than never. A `Duration`
    /// of more than 100 years counts as 100 years.
    ///
    /// Isolation: a `ContinuousClock` or `SuspendingClock` needs neither a task nor a thread of Swift's pool: that the
    /// time is up is decided in time even if all its threads are busy. Any other clock sleeps in its own task.
    ///
    /// - Parameters:
    ///   - duration: How long to wait, in the clock's own unit.
    ///   - tolerance: How late the end may be; `nil` leaves it to the clock. The standard clocks do not use it.
    ///   - clock: The clock.
    /// - Returns: The timeout.
    public static func after<C: Clock>(_ duration: C.Duration, tolerance: C.Duration? = nil, on clock: C)
        -> BridgeTimeout
    {
        let duration = Self.limited(duration)
        if let timers = Timers.of(clock), let duration = duration as? Duration {
            return BridgeTimeout(TimerMeasure(timers: timers, duration: duration))
        }
        let tolerance = tolerance.map { Self.limited($0) }
        return BridgeTimeout(SleepMeasure { try await clock.sleep(for: duration, tolerance: tolerance) })
    }

    /// The longest timeout on a clock that counts in `Duration`: some 100 years.
    ///
    /// The clocks trap when a deadline overflows.
    private static var longest: Duration { .seconds(Int64(100) * 365 * 86_400) }

    /// A duration for which no clock traps.
    package static func limited<D: DurationProtocol>(_ duration: D) -> D {
        guard let known = duration as? Duration, known > Self.longest, let limited = Self.longest as? D else {
            return duration
        }
        return limited
    }

    /// A duration from a number of units, and the number of units in a second.
    ///
    /// `Duration` itself traps when the number is too large.
    private static func duration(_ count: Double, perSecond: Double) -> Duration {
        let seconds = count / perSecond
        // NaN counts as zero: better early than never.
        guard seconds > 0 else { return .zero }
        return seconds < 100 * 365 * 86_400 ? .seconds(seconds) : Self.longest
    }

    /// A timeout on the continuous clock, which keeps running while the machine sleeps.
    ///
    /// - Parameter duration: How long to wait.
    /// - Returns: The timeout.
    public static func after(_ duration: Duration) -> BridgeTimeout { .after(duration, on: .continuous) }

    /// A timeout in seconds on the continuous clock.
    ///
    /// - Parameter seconds: How long to wait, in seconds. `infinity` never times out; a negative number or NaN times
    ///   out at once.
    /// - Returns: The timeout.
    public static func seconds(_ seconds: Double) -> BridgeTimeout { .after(Self.duration(seconds, perSecond: 1)) }

    /// A timeout in whole seconds on the continuous clock: for a variable, such as a number of a configuration.
    ///
    /// `.seconds(1 / 2)` is a division of integers, as in `Duration.seconds`: write `0.5`.
    ///
    /// - Parameter seconds: How long to wait, in seconds. A negative number times out at once.
    /// - Returns: The timeout.
    @_disfavoredOverload
    public static func seconds(_ seconds: some BinaryInteger) -> BridgeTimeout { .seconds(Double(seconds)) }

    /// A timeout in milliseconds on the continuous clock.
    ///
    /// - Parameter milliseconds: How long to wait, in milliseconds. `infinity` never times out; a negative number
    ///   or NaN times out at once.
    /// - Returns: The timeout.
    public static func milliseconds(_ milliseconds: Double) -> BridgeTimeout {
        .after(Self.duration(milliseconds, perSecond: 1_000))
    }

    /// A timeout in whole milliseconds on the continuous clock: for a variable, such as a number of a configuration.
    ///
    /// `.milliseconds(1 / 2)` is a division of integers: write `0.5`.
    ///
    /// - Parameter milliseconds: How long to wait, in milliseconds. A negative number times out at once.
    /// - Returns: The timeout.
    @_disfavoredOverload
    public static func milliseconds(_ milliseconds: some BinaryInteger) -> BridgeTimeout {
        .milliseconds(Double(milliseconds))
    }
}
