// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// The events that no caller may raise: the machine stops the process rather than go on with a wrong state.
@Suite("OneShotState traps", .timeLimit(.minutes(10)))
struct OneShotStateExitTests {
    static let cannotPublish: [OneShotState] = [
        .idle, .parked, .wakeRequested, .full, .cancelled, .cancelledAnswered, .timedOut, .timedOutAnswered, .dropped,
    ]

    static let cannotParkOrClose: [OneShotState] = [.parked, .claimedParked, .closed, .closedAnswered]

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(arguments: cannotPublish.map(\.rawValue))
    func `on a publication that nobody has claimed`(in state: UInt) async {
        await #expect(processExitsWith: .failure) { [state] in _ = OneShotState(rawValue: state)?.publish() }
    }

    @Test(arguments: cannotParkOrClose.map(\.rawValue))
    func `on a waiter that parks twice`(in state: UInt) async {
        await #expect(processExitsWith: .failure) { [state] in _ = OneShotState(rawValue: state)?.park() }
    }

    @Test(arguments: cannotParkOrClose.map(\.rawValue))
    func `on a waiter that leaves twice, or while it is parked`(in state: UInt) async {
        await #expect(processExitsWith: .failure) { [state] in _ = OneShotState(rawValue: state)?.close() }
    }
    #endif

    @Test func `a state that does not trap lets the process end well`() async {
        await #expect(processExitsWith: .success) { _ = OneShotState.claimed.publish() }
    }
}
