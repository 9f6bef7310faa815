// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

/// Every event in every state, against a table written by hand, with no thread.
@Suite("The state machine of a semaphore", .timeLimit(.minutes(10)))
struct SemaphoreStateMachineTests {
    enum Event: Hashable, Sendable {
        /// Nobody waits if it is `nil`; 9 was cancelled before.
        case acquire(by: Int?)
        /// As in a wait with a timeout: what waits begins to wait by itself; 9 was cancelled before.
        case select(by: Int)
        case release
        /// A waiter is cancelled, and has not left the queue yet.
        case cancel(Int)
        /// The time of a waiter is up, and it has not left the queue yet.
        case timeOut(Int)
        case leave(Int)
    }

    struct Row: CustomTestStringConvertible {
        let permits: Int
        let given: [Event]
        let event: Event
        let said: String
        /// What is left: permits, and who gets the next ones.
        let left: String

        init(_ permits: Int, _ given: [Event], _ event: Event, _ said: String, _ left: String) {
            self.permits = permits
            self.given = given
            self.event = event
            self.said = said
            self.left = left
        }

        var testDescription: String { "\(self.permits) permits, \(self.given): \(self.event)" }
    }

    struct World: ~Copyable {
        var machine: SemaphoreStateMachine
        var waiters: [Int: HandMadeWaiter] = [:]

        init(_ permits: Int) { self.machine = SemaphoreStateMachine(permits: permits) }

        mutating func perform(_ event: Event) -> String {
            switch event {
            case .acquire(let name):
                let waiter = name.map { self.waiter($0) }
                return switch self.machine.acquire(orEnlist: waiter?.reference) {
                case .proceed: "proceed"
                case .refuse: "refuse"
                case .suspend: "suspend"
                case .cancelled: "cancelled"
                }
            case .select(let name):
                let waiter = self.waiter(name)
                switch self.machine.acquire(orEnlist: nil) {
                case .proceed: return "proceed"
                case .refuse: break
                case .suspend, .cancelled: return "was not asked for that"
                }
                guard waiter.begin() else { return "cancelled" }
                self.machine.enterBegun(waiter.reference)
                return "suspend"
            case .release:
                guard let next = self.machine.release() else { return "kept" }
                let waiter = next.handMade
                next.wake()
                return waiter.outcome == .done ? "\(waiter.name) has it" : "\(waiter.name) was not told"
            case .cancel(let name):
                self.waiters[name]?.cancelWait()
                return ""
            case .timeOut(let name):
                guard let waiter = self.waiters[name], waiter.claim() else { return "too late" }
                waiter.wake()
                return ""
            case .leave(let name):
                if let waiter = self.waiters[name] { self.machine.leave(waiter.reference) }
                return ""
            }
        }

        private mutating func waiter(_ name: Int) -> HandMadeWaiter {
            let waiter = name == 9 ? HandMadeWaiter.cancelled(9) : HandMadeWaiter(name)
            self.waiters[name] = waiter
            return waiter
        }

        /// Permits, and who gets the next ones.
        consuming func left() -> String {
            let permits = self.machine.permits
            var next: [String] = []
            for _ in 0..<4 { next.append(self.perform(.release)) }
            return (["\(permits)"] + next.filter { $0 != "kept" }).joined(separator: ", ")
        }
    }

    static let two: [Event] = [.acquire(by: 1), .acquire(by: 2)]

    /// 1 waits with a timeout.
    static let timed: [Event] = [.select(by: 1), .acquire(by: 2)]

    static let table: [Row] = [
        Row(0, [], .acquire(by: nil), "refuse", "0"),
        Row(0, [], .acquire(by: 3), "suspend", "0, 3 has it"),
        Row(0, [], .acquire(by: 9), "cancelled", "0"),
        Row(0, [], .release, "kept", "1"),
        Row(2, [], .acquire(by: nil), "proceed", "1"),
        Row(2, [], .acquire(by: 3), "proceed", "1"),
        // A permit that is there is acquired by one that was cancelled too.
        Row(2, [], .acquire(by: 9), "proceed", "1"),
        Row(2, [], .release, "kept", "3"),
        Row(2, two, .acquire(by: nil), "refuse", "0"),
        Row(2, two, .acquire(by: 3), "suspend", "0, 3 has it"),
        Row(2, two, .release, "kept", "1"),
        // The first to come is the first to have it.
        Row(0, two, .acquire(by: nil), "refuse", "0, 1 has it, 2 has it"),
        Row(0, two, .acquire(by: 3), "suspend", "0, 1 has it, 2 has it, 3 has it"),
        Row(0, two, .acquire(by: 9), "cancelled", "0, 1 has it, 2 has it"),
        Row(0, two, .release, "1 has it", "0, 2 has it"),
        Row(0, two + [.release], .release, "2 has it", "0"),
        Row(0, two + [.release, .release], .release, "kept", "1"),
        // Cancelled ones are passed over, whether they have left or not.
        Row(0, two + [.cancel(1)], .release, "2 has it", "0"),
        Row(0, two + [.cancel(1), .cancel(2)], .release, "kept", "1"),
        Row(0, two + [.cancel(1), .cancel(2)], .acquire(by: 3), "suspend", "0, 3 has it"),
        Row(0, two + [.cancel(1)], .leave(1), "", "0, 2 has it"),
        Row(0, two + [.cancel(2)], .leave(2), "", "0, 1 has it"),
        // Too late: it has it.
        Row(0, two + [.release, .cancel(1)], .leave(1), "", "0, 2 has it"),
    ]

    static let timeouts: [Row] = [
        Row(0, [], .select(by: 3), "suspend", "0, 3 has it"),
        Row(0, [], .select(by: 9), "cancelled", "0"),
        Row(2, [], .select(by: 3), "proceed", "1"),
        Row(2, [], .select(by: 9), "proceed", "1"),
        Row(2, two, .select(by: 3), "suspend", "0, 3 has it"),
        Row(0, two, .select(by: 3), "suspend", "0, 1 has it, 2 has it, 3 has it"),
        Row(0, two, .select(by: 9), "cancelled", "0, 1 has it, 2 has it"),
        Row(0, timed, .acquire(by: nil), "refuse", "0, 1 has it, 2 has it"),
        Row(0, timed, .acquire(by: 3), "suspend", "0, 1 has it, 2 has it, 3 has it"),
        Row(0, timed, .acquire(by: 9), "cancelled", "0, 1 has it, 2 has it"),
        Row(0, timed, .release, "1 has it", "0, 2 has it"),
        Row(0, timed, .timeOut(1), "", "0, 2 has it"),
        Row(0, timed, .cancel(1), "", "0, 2 has it"),
        // Those that have timed out are passed over, whether they have left or not.
        Row(0, timed + [.timeOut(1)], .release, "2 has it", "0"),
        Row(0, timed + [.timeOut(1)], .acquire(by: 3), "suspend", "0, 2 has it, 3 has it"),
        Row(0, timed + [.timeOut(1)], .select(by: 3), "suspend", "0, 2 has it, 3 has it"),
        Row(0, timed + [.timeOut(1)], .cancel(1), "", "0, 2 has it"),
        Row(0, timed + [.timeOut(1)], .leave(1), "", "0, 2 has it"),
        Row(0, timed + [.timeOut(1), .cancel(2)], .release, "kept", "1"),
        Row(0, timed + [.cancel(1)], .timeOut(1), "too late", "0, 2 has it"),
        // Too late: it has it.
        Row(0, timed + [.release], .timeOut(1), "too late", "0, 2 has it"),
        Row(0, timed + [.release, .timeOut(1)], .leave(1), "", "0, 2 has it"),
        Row(0, timed + [.release, .release], .release, "kept", "1"),
    ]

    @Test(arguments: table + timeouts)
    func `every event in every state`(row: Row) {
        var world = World(row.permits)
        for event in row.given { _ = world.perform(event) }
        #expect(world.perform(row.event) == row.said)
        #expect(world.left() == row.left)
    }
}
