// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import ContactsModel
import ContactsSteps
import Dispatch
import GRDB
import OpenCombineShim
import Synchronization
import Testing

/// Callers that have not moved see what they saw in step 1, for as long as there is something for them.
@Suite("Old callers", .timeLimit(.minutes(10)))
struct OldCallerTests {
    private static let steps = ContactsStep.allCases.filter { $0 != .callbacksRemoved }
    private static let people = [Contact.test("A", uid: "a"), Contact.test("B", uid: "b")]

    /// Makes one call of each kind, and records what comes back, and where.
    private static func callAll(_ world: World, _ log: EventLog) throws {
        let callers = try world.oldCallers()
        @Sendable func record<Value>(_ name: String, _ result: Result<Value, any Error>) {
            let place = world.isOnQueue ? "" : ", elsewhere"
            switch result {
            case .success: log.record("\(name): success\(place)")
            case .failure(let error as DatabaseError): log.record("\(name): \(error.resultCode.rawValue)\(place)")
            case .failure(let error): log.record("\(name): \(error)\(place)")
            }
        }
        callers.fetchContacts { record("fetch", $0) }
        callers.loadNames { record("names", $0) }
        callers.saveContacts([.test("New")]) { record("save", $0) }
    }

    /// Waits until an answer that came twice would have been seen.
    private static func settle(_ world: World) async throws {
        let callers = try world.oldCallers()
        for _ in 0..<3 {
            _ = await withCallback(of: Void.self, ifInterrupted: { _ in }, cancellation: .ignore) { callback in
                callers.saveContacts([]) { _ in callback.resume() }
            }
        }
    }

    @Test func `the last step has none of them`() throws {
        #expect(throws: (any Error).self) { try World(.callbacksRemoved).oldCallers() }
    }

    @Test(arguments: Self.steps) func `one answer on their queue`(_ step: ContactsStep) async throws {
        let (world, log) = (try World(step, Self.people), EventLog())
        try Self.callAll(world, log)
        try await log.events(atLeast: 3)
        try await Self.settle(world)
        #expect(log.events.sorted() == ["fetch: success", "names: success", "save: success"])
    }

    @Test(arguments: Self.steps) func `one error on their queue, when closed`(_ step: ContactsStep) async throws {
        let (world, log) = (try World(step, Self.people), EventLog())
        try world.database.close()
        try Self.callAll(world, log)
        try await log.events(atLeast: 3)
        try await Self.settle(world)
        // SQLITE_MISUSE, by which GRDB says that the connection is closed.
        #expect(log.events.sorted() == ["fetch: 21", "names: 21", "save: 21"])
    }

    @Test(arguments: Self.steps) func `one error on their queue, when in use`(_ step: ContactsStep) async throws {
        let (world, log) = (try World(step, Self.people), EventLog())
        let other = try world.otherProgram()
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try Self.callAll(world, log)
        try await log.events(atLeast: 3)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await Self.settle(world)
        // SQLITE_BUSY.
        #expect(log.events.sorted() == ["fetch: success", "names: success", "save: 5"])
    }

    @Test(arguments: Self.steps) func `one error on their queue, when damaged`(_ step: ContactsStep) async throws {
        let (world, log) = (try World(step, Self.people), EventLog())
        try await world.database.write { try $0.execute(sql: "UPDATE contact SET card = 'FN' WHERE id = 'uid:b'") }
        try Self.callAll(world, log)
        try await log.events(atLeast: 3)
        try await Self.settle(world)
        let damaged = ContactsError.damagedCard("uid:b")
        #expect(log.events.sorted() == ["fetch: \(damaged)", "names: success", "save: success"])
    }

    /// Not once in the call itself, which callers with locks would not survive.
    @Test(arguments: Self.steps) func `the answer does not come in the call`(_ step: ContactsStep) async throws {
        let (world, log) = (try World(step, Self.people), EventLog())
        let callers = try world.oldCallers()
        try world.database.close()
        world.queue.async {
            callers.fetchContacts { _ in log.record("answer") }
            callers.loadNames { _ in log.record("answer") }
            callers.saveContacts([]) { _ in log.record("answer") }
            log.record("calls have returned")
        }
        try await log.events(atLeast: 4)
        #expect(log.events.first == "calls have returned")
    }

    @Test(arguments: Self.steps) func `saves are in the order of the calls`(_ step: ContactsStep) async throws {
        let (world, log) = (try World(step), EventLog())
        let callers = try world.oldCallers()
        // Every second batch is more urgent, so that it overtakes where nothing keeps the order.
        let called = EventLog()
        for batch in 0..<20 {
            Task(priority: batch.isMultiple(of: 2) ? .background : .high) {
                for number in (batch * 25)..<(batch * 25 + 25) {
                    callers.saveContacts([.test("\(number)", uid: "same")]) { _ in log.record("\(number)") }
                }
                called.record("batch")
            }
            try await called.events(atLeast: batch + 1)
        }
        try await log.events(atLeast: 500)
        #expect(log.events == (0..<500).map(String.init))
        #expect(try await world.program.names() == ["499"])
    }

    @Test(arguments: Self.steps) func `a call in an answer`(_ step: ContactsStep) async throws {
        let (world, log) = (try World(step), EventLog())
        let callers = try world.oldCallers()
        callers.saveContacts([.test("A")]) { _ in
            callers.saveContacts([.test("B")]) { _ in
                callers.loadNames { log.record("\((try? $0.get()) ?? [])") }
            }
        }
        try await log.events(atLeast: 1)
        #expect(log.events == ["[\"A\", \"B\"]"])
    }

    @Test(arguments: Self.steps) func `the program is dropped meanwhile`(_ step: ContactsStep) async throws {
        let (gate, log) = (Gate(), EventLog())
        let world = try World(step, Self.people, gate: gate)
        try {
            let other = step.program(database: world.database, callbackQueue: world.queue)
            guard let callers = other as? any OldCallers else { throw CancellationError() }
            callers.fetchContacts { log.record("\((try? $0.get().count) ?? -1)\(world.isOnQueue)") }
        }()
        try await gate.log.events(atLeast: 1)
        gate.open()
        try await log.events(atLeast: 1)
        try await Self.settleReading(world)
        #expect(log.events == ["2true"])
    }

    @Test(arguments: Self.steps) func `ten thousand at once`(_ step: ContactsStep) async throws {
        let world = try World(step, Self.people)
        let callers = try world.oldCallers()
        let answers = Answers(10_000)
        for number in 0..<10_000 { callers.fetchContacts { answers.add(number, $0, world.isOnQueue) } }
        try await answers.log.events(atLeast: 1)
        try await Self.settle(world)
        #expect(answers.counts.allSatisfy { $0 == 1 })
        #expect(answers.isAllRight)
    }

    @Test(arguments: Self.steps) func `a publisher sends one value`(_ step: ContactsStep) async throws {
        let (gate, log) = (Gate(), EventLog())
        let world = try World(step, Self.people, gate: gate)
        let subscription = Self.subscribe(try world.oldCallers().contactsPublisher(), world, log)
        gate.open()
        try await log.events(atLeast: 2)
        try await Self.settleReading(world)
        #expect(log.events == ["2", "finished"])
        subscription.cancel()
    }

    @Test(arguments: Self.steps) func `a publisher fails`(_ step: ContactsStep) async throws {
        let (gate, log) = (Gate(), EventLog())
        let world = try World(step, Self.people, gate: gate)
        try await world.database.write { try $0.execute(sql: "UPDATE stored SET card = 'FN' WHERE id = 'uid:b'") }
        let subscription = Self.subscribe(try world.oldCallers().contactsPublisher(), world, log)
        gate.open()
        try await log.events(atLeast: 1)
        try await Self.settleReading(world)
        #expect(log.events == ["\(ContactsError.damagedCard("uid:b"))"])
        subscription.cancel()
    }

    /// In steps 1 and 2 a `Future` that has failed before it is subscribed to says so in the call of `sink`.
    @Test(arguments: [ContactsStep.asyncPublishers, .sendableHandlers, .asyncCore, .callersMoved])
    func `a publisher fails on the queue, even at once`(_ step: ContactsStep) async throws {
        for _ in 0..<20 {
            let (world, log) = (try World(step, Self.people), EventLog())
            try world.database.close()
            let subscription = Self.subscribe(try world.oldCallers().contactsPublisher(), world, log)
            try await log.events(atLeast: 1)
            #expect(log.events.count == 1 && log.events.first?.contains("elsewhere") == false)
            subscription.cancel()
        }
    }

    private static func subscribe(
        _ publisher: AnyPublisher<[Contact], any Error>,
        _ world: World,
        _ log: EventLog
    ) -> AnyCancellable {
        publisher.sink { completion in
            let place = world.isOnQueue ? "" : ", elsewhere"
            switch completion {
            case .finished: log.record("finished\(place)")
            case .failure(let error): log.record("\(error)\(place)")
            }
        } receiveValue: { contacts in
            log.record("\(contacts.count)\(world.isOnQueue ? "" : ", elsewhere")")
        }
    }

    @Test(arguments: Self.steps) func `a publisher waits for subscribers, and serves each`(_ step: ContactsStep)
        async throws
    {
        let (world, log) = (try World(step), EventLog())
        let publisher = try world.oldCallers().contactsPublisher()
        _ = try await world.program.importContacts(Self.people)
        let subscriptions = (0..<2).map { _ in
            publisher.sink { _ in
            } receiveValue: {
                log.record("\($0.count)")
            }
        }
        try await log.events(atLeast: 2)
        #expect(log.events == ["2", "2"])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test(arguments: Self.steps) func `a subscription is dropped`(_ step: ContactsStep) async throws {
        let (gate, log) = (Gate(), EventLog())
        let world = try World(step, Self.people, gate: gate)
        var subscription: AnyCancellable? = try world.oldCallers().contactsPublisher().sink { _ in
            log.record("end")
        } receiveValue: { _ in
            log.record("value")
        }
        try await gate.log.events(atLeast: 1)
        subscription?.cancel()
        subscription = nil
        gate.open()
        try await Self.settleReading(world)
        #expect(log.events == [])
    }

    /// For worlds with a gate, whose contacts are only read.
    private static func settleReading(_ world: World) async throws {
        let callers = try world.oldCallers()
        for _ in 0..<10 {
            _ = await withCallback(of: Void.self, ifInterrupted: { _ in }, cancellation: .ignore) { callback in
                callers.fetchContacts { _ in callback.resume() }
            }
        }
    }
}

/// Counts the answers to many calls.
private final class Answers: Sendable {
    /// Records when each call may have been answered.
    let log = EventLog()
    private let state: Mutex<(counts: [Int], total: Int, isAllRight: Bool)>

    init(_ count: Int) { self.state = Mutex((Array(repeating: 0, count: count), 0, true)) }

    var counts: [Int] { self.state.withLock { $0.counts } }

    var isAllRight: Bool { self.state.withLock { $0.isAllRight } }

    func add(_ number: Int, _ result: Result<[Contact], any Error>, _ isOnQueue: Bool) {
        let isLast = self.state.withLock { state in
            state.counts[number] += 1
            state.total += 1
            state.isAllRight = state.isAllRight && isOnQueue && (try? result.get().count) == 2
            return state.total == state.counts.count
        }
        if isLast { self.log.record("all") }
    }
}
