// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// What waits for a time in these tests: it says what becomes of it.
///
/// Safe: the entry is its own, and all that is read or written is behind a lock.
@safe
final class HandMadeWait: @unchecked Sendable {
    enum State: Equatable {
        case waiting
        /// Something else has ended the wait: the timers must leave it alone.
        case over
        case claimed
        case woken
    }

    let name: Int
    private let state = Locked(State.waiting)
    private let entry = UnsafeMutablePointer<TimerEntry>.allocate(capacity: 1)
    private let whenWoken: @Sendable () -> Void

    /// Those that are not released, where LeakSanitizer finds them.
    private static let all = Mutex<[HandMadeWait]>([])

    /// Not released before the process ends: the timers do not count their references.
    static func kept(
        _ name: Int = 0,
        wakesOthersCode: Bool = false,
        whenWoken: @escaping @Sendable () -> Void = {}
    ) -> HandMadeWait {
        let wait = HandMadeWait(name, wakesOthersCode, whenWoken)
        self.all.withLock { $0.append(wait) }
        return wait
    }

    private init(_ name: Int, _ wakesOthersCode: Bool, _ whenWoken: @escaping @Sendable () -> Void) {
        self.name = name
        self.whenWoken = whenWoken
        let wait = unsafe TimedWait(
            Unmanaged.passUnretained(self).toOpaque(),
            wakesOthersCode: wakesOthersCode,
            claim: { unsafe Unmanaged<HandMadeWait>.fromOpaque($0).takeUnretainedValue().claim() },
            wake: { unsafe Unmanaged<HandMadeWait>.fromOpaque($0).takeUnretainedValue().wake() }
        )
        unsafe self.entry.initialize(to: TimerEntry(wait))
    }

    var reference: TimerEntryReference { unsafe TimerEntryReference(self.entry) }

    var now: State { self.state.withLock { $0 } }

    func end() { self.state.withLock { $0 = .over } }

    private func claim() -> Bool {
        self.state.withLock { state in
            guard state == .waiting else { return false }
            state = .claimed
            return true
        }
    }

    private func wake() {
        self.state.withLock { state in
            precondition(state == .claimed, "it was woken unclaimed, or twice")
            state = .woken
        }
        self.whenWoken()
    }
}

/// An alarm that rings when the test says so.
final class HandMadeAlarm: Alarm {
    private struct State {
        var now = Duration.zero
        var process: UInt32 = 0
        var set: [Duration] = []
        var leaves = 0
    }

    private let state = Locked(State())

    var now: Duration {
        get { self.state.withLock { $0.now } }
        set { self.state.withLock { $0.now = newValue } }
    }

    var process: UInt32 { self.state.withLock { $0.process } }

    func set(_ time: Duration) { self.state.withLock { $0.set.append(time) } }

    func leave() { self.state.withLock { $0.leaves += 1 } }

    /// The times for which it was set, since this was last asked.
    func takeSet() -> [Duration] { self.state.withLock { exchange(&$0.set, with: []) } }

    var leaves: Int { self.state.withLock { $0.leaves } }

    /// The process has forked, and this is the child.
    func fork() { self.state.withLock { $0.process += 1 } }
}

private func exchange<Value>(_ value: inout Value, with next: Value) -> Value {
    let before = value
    value = next
    return before
}
