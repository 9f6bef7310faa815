// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge

/// The alarm of a standard clock: a thread of this package's own, which both clocks share (Alarms.c).
enum SystemAlarm: Alarm {
    case continuous
    case suspending

    private var clock: Int32 {
        switch self {
        case .continuous: Int32(casyncbridge_continuous)
        case .suspending: Int32(casyncbridge_suspending)
        }
    }

    var now: Duration {
        let now = casyncbridge_now(self.clock)
        return Duration(secondsComponent: now.seconds, attosecondsComponent: now.nanoseconds * 1_000_000_000)
    }

    var process: UInt32 { casyncbridge_alarm_process() }

    func set(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        // Rounded up: not before its time.
        let nanoseconds = (attoseconds + 999_999_999) / 1_000_000_000
        let (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        casyncbridge_set_alarm(
            self.clock,
            casyncbridge_time(seconds: seconds + carry, nanoseconds: rest),
            { ($0 == Int32(casyncbridge_continuous) ? Timers.continuous : Timers.suspending).ring() }
        )
    }

    func leave() { casyncbridge_leave_alarms() }
}
