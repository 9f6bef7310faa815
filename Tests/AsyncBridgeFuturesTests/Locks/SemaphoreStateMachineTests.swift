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
        case release
        /// A waiter is cancelled, and has not left the queue yet.
        case cancel(Int)
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
                let waiter = name.map { $0 == 9 ? HandMadeWaiter.cancelled(9) : HandMadeWaiter($0) }
                if let waiter { self.waiters[waiter.name] = waiter }
                return switch self.machine.acquire(orEnlist: waiter?.reference) {
                case .proceed: "proceed"
                case .refuse: "refuse"
                case .suspend: "suspend"
                case .cancelled: "cancelled"
                }
            case .release:
                guard let next = self.machine.release() else { return "kept" }
                let waiter = next.handMade
                next.wake()
                return waiter.outcome == .done ? "\(waiter.name) has it" : "\(waiter.name) was not told"
            case .cancel(let name):
                self.waiters[name]?.cancelWait()
                return ""
            case .leave(let name):
                if let waiter = self.waiters[name] { self.machine.leave(waiter.reference) }
                return ""
            }
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

    @Test(arguments: table)
    func `every event in every state`(row: Row) {
        var world = World(row.permits)
        for event in row.given { _ = world.perform(event) }
        #expect(world.perform(row.event) == row.said)
        #expect(world.left() == row.left)
    }
}
