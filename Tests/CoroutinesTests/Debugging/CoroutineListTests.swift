// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// In processes of their own, where nobody else starts coroutines.
@Suite("CoroutineList", .timeLimit(.minutes(10)))
struct CoroutineListTests {
    /// What the list says of its coroutines, but for the time: name and activity.
    private static var activities: [String] {
        BridgeDiagnostics.coroutines.map { "\($0.name ?? "nameless"): \($0.activity)" }
    }

    /// Without those that run the closure of `scheduler.await`: they are in the list until their scheduler has run
    /// them.
    private static var activitiesOfTheNamed: [String] {
        BridgeDiagnostics.coroutines.compactMap { coroutine in coroutine.name.map { "\($0): \(coroutine.activity)" } }
    }

    // MARK: On and off

    @Test func `off at first lists nothing`() async {
        await #expect(processExitsWith: .success) {
            #expect(!BridgeDiagnostics.tracksCoroutines)
            let scheduler = ManualScheduler()
            scheduler.startCoroutine { try Coroutine.yield() }
            try await withCoroutine { #expect(BridgeDiagnostics.coroutines.isEmpty) }
            scheduler.runOne()
            #expect(BridgeDiagnostics.coroutines.isEmpty)
            // On from here: the coroutine is none of those that start.
            BridgeDiagnostics.tracksCoroutines = true
            #expect(BridgeDiagnostics.coroutines.isEmpty)
            scheduler.run()
            #expect(BridgeDiagnostics.coroutines.isEmpty)
        }
    }

    @Test func `switched off keeps those that it has until they end`() async {
        await #expect(processExitsWith: .success) {
            let scheduler = ManualScheduler()
            BridgeDiagnostics.tracksCoroutines = true
            scheduler.startCoroutine(name: "first") { try Coroutine.yield() }
            BridgeDiagnostics.tracksCoroutines = false
            scheduler.startCoroutine(name: "second") { try Coroutine.yield() }
            #expect(Self.activities == ["first: scheduled"])
            scheduler.runOne()
            #expect(Self.activities == ["first: yielding"])
            scheduler.run()
            #expect(Self.activities == [])
        }
    }

    // MARK: What it says

    @Test func `name place time and scheduler`() async throws {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.tracksCoroutines = true
            let scheduler = NamedScheduler()
            let before = ContinuousClock.now
            scheduler.startCoroutine(name: "import", fileID: "Module/File.swift", line: 7) {}
            let after = ContinuousClock.now
            let coroutine = try #require(BridgeDiagnostics.coroutines.first)
            #expect(coroutine.name == "import")
            #expect(coroutine.started == CallSite(fileID: "Module/File.swift", line: 7))
            #expect((before...after).contains(coroutine.since))
            #expect(coroutine.home == "the list's scheduler")
            #expect(coroutine.activity == .scheduled)
            let line = "\(coroutine)"
            #expect(line.hasPrefix("coroutine 'import' started at Module/File.swift:7, for "))
            #expect(line.hasSuffix(", on the list's scheduler, scheduled"))
            scheduler.startCoroutine(fileID: "Module/File.swift", line: 8) {}
            let nameless = try #require(BridgeDiagnostics.coroutines.last)
            #expect(nameless.name == nil)
            #expect("\(nameless)".hasPrefix("coroutine started at Module/File.swift:8, for "))
            scheduler.closures.run()
        }
    }

    @Test func `a queue by its label`() async {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.tracksCoroutines = true
            let coroutine = DispatchQueue(label: "import").startCoroutine {
                #expect(BridgeDiagnostics.coroutines.map(\.home) == ["queue 'import'"])
            }
            await coroutine.ended()
        }
    }

    @Test func `name and task`() async throws {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.tracksCoroutines = true
            try await Task(name: "importer") {
                let number = String(withUnsafeCurrentTask { UInt(bitPattern: $0?.hashValue ?? 0) }, radix: 16)
                try await withCoroutine(name: "import", fileID: "Module/File.swift", line: 7) {
                    let coroutine = try #require(BridgeDiagnostics.coroutines.first)
                    #expect(coroutine.name == "import")
                    #expect(coroutine.started == CallSite(fileID: "Module/File.swift", line: 7))
                    #expect(coroutine.home == "task \(number) 'importer'")
                    #expect(coroutine.activity == .running)
                }
            }.value
            let coroutine = MainActor.startCoroutine(name: "main", fileID: "Module/File.swift", line: 8) {
                let coroutine = try #require(BridgeDiagnostics.coroutines.first)
                #expect(coroutine.name == "main")
                #expect(coroutine.started == CallSite(fileID: "Module/File.swift", line: 8))
            }
            await coroutine.ended()
            #expect(BridgeDiagnostics.coroutines.isEmpty)
        }
    }

    @Test func `those that started first come first`() async {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.tracksCoroutines = true
            let scheduler = ManualScheduler()
            for line in UInt(0)..<100 { scheduler.startCoroutine(fileID: "Module/File.swift", line: line) {} }
            #expect(BridgeDiagnostics.coroutines.map(\.started.line) == Array(UInt(0)..<100))
            for _ in 0..<50 { scheduler.runOne() }
            #expect(BridgeDiagnostics.coroutines.map(\.started.line) == Array(UInt(50)..<100))
            scheduler.run()
        }
    }

    @Test func `coroutines within each other`() async throws {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.tracksCoroutines = true
            try await withCoroutine(name: "outer") {
                try Coroutine.await(fileID: "Module/File.swift", line: 7) {
                    try await withCoroutine(name: "inner") {
                        #expect(
                            Self.activities == [
                                "outer: waiting for an operation at Module/File.swift:7", "inner: running",
                            ]
                        )
                    }
                }
                #expect(Self.activities == ["outer: running"])
            }
            #expect(Self.activities == [])
        }
    }

    // MARK: Activities

    @Test func `on a scheduler, from start to end`() async throws {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.tracksCoroutines = true
            let (scheduler, gate) = (ManualScheduler(), Gate())
            scheduler.startCoroutine(name: "one") {
                #expect(Self.activities == ["one: running"])
                try Coroutine.yield()
                #expect(Self.activities == ["one: running"])
                try Coroutine.await(fileID: "Module/File.swift", line: 7) { try await gate.pass() }
                #expect(Self.activities == ["one: running"])
            }
            #expect(Self.activities == ["one: scheduled"])
            scheduler.runOne()
            #expect(Self.activities == ["one: yielding"])
            scheduler.runOne()
            #expect(Self.activities == ["one: waiting for an operation at Module/File.swift:7"])
            gate.open()
            try await scheduler.arrivals(atLeast: 3)
            #expect(Self.activities == ["one: scheduled"])
            scheduler.runOne()
            #expect(Self.activities == [])
        }
    }

    @Test func `in a task, from start to end`() async throws {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.tracksCoroutines = true
            let (executor, gate) = (ManualExecutor(), Gate())
            let task = Task(executorPreference: executor) {
                try await withCoroutine(name: "one") {
                    #expect(Self.activities == ["one: running"])
                    try Coroutine.yield()
                    #expect(Self.activities == ["one: running"])
                    try Coroutine.await(fileID: "Module/File.swift", line: 7) { try await gate.pass() }
                    #expect(Self.activities == ["one: running"])
                }
            }
            #expect(Self.activities == [], "it has not begun")
            executor.runOne()
            #expect(Self.activities == ["one: yielding"])
            executor.run()
            #expect(Self.activities == ["one: waiting for an operation at Module/File.swift:7"])
            gate.open()
            try await executor.run(untilEndOf: task)
            #expect(Self.activities == [])
        }
    }

    /// Something for which a coroutine waits until it is cancelled.
    enum Wait: String, CaseIterable, Codable {
        case operation
        case blockingCall
        case callback
        case callbackWithoutAValue
        case callbackWithOneValue
        case callbackWithTwoValues
        case callbackWithThreeValues
        case callbackWithFourValues
        case delay
        case elementOfForEach
        case elementOfALoop
        case closure

        var description: String {
            switch self {
            case .operation, .blockingCall: "an operation"
            case .callback, .callbackWithoutAValue, .callbackWithOneValue, .callbackWithTwoValues,
                .callbackWithThreeValues, .callbackWithFourValues:
                "a callback"
            case .delay: "a delay"
            case .elementOfForEach, .elementOfALoop: "an element"
            case .closure: "a closure on another scheduler"
            }
        }

        /// Waits, in a line that the caller knows.
        func perform(_ world: World) throws {
            let (file, line) = ("Module/File.swift" as StaticString, 7 as UInt)
            switch self {
            case .operation:
                try Coroutine.await(fileID: file, line: line) { try await world.gate.pass() }
            case .blockingCall:
                try blockingAwait(fileID: file, line: line) { try await world.gate.pass() }
            case .callback:
                try Coroutine.await(of: Void.self, fileID: file, line: line) { world.kept.append($0) }
            case .callbackWithoutAValue:
                try Coroutine.await(fileID: file, line: line) { (done: @escaping @Sendable () -> Void) in
                    world.kept.append(done)
                }
            case .callbackWithOneValue:
                _ = try Coroutine.await(fileID: file, line: line) { (done: @escaping @Sendable (Int) -> Void) in
                    world.kept.append(done)
                }
            case .callbackWithTwoValues:
                _ = try Coroutine.await(fileID: file, line: line) { (done: @escaping @Sendable (Int, Int) -> Void) in
                    world.kept.append(done)
                }
            case .callbackWithThreeValues:
                _ = try Coroutine.await(fileID: file, line: line) {
                    (done: @escaping @Sendable (Int, Int, Int) -> Void) in
                    world.kept.append(done)
                }
            case .callbackWithFourValues:
                _ = try Coroutine.await(fileID: file, line: line) {
                    (done: @escaping @Sendable (Int, Int, Int, Int) -> Void) in
                    world.kept.append(done)
                }
            case .delay:
                try Coroutine.delay(.seconds(1), clock: world.clock, fileID: file, line: line)
            case .elementOfForEach:
                try Coroutine.forEach(world.elements, fileID: file, line: line) { _ in }
            case .elementOfALoop:
                for _ in Coroutine.sequence(world.elements, fileID: file, line: line) {}
            case .closure:
                try world.other.await(fileID: file, line: line) {}
            }
        }
    }

    /// What never answers.
    struct World {
        let gate = Gate()
        let clock = TestClock()
        let other = ManualScheduler()
        let kept = Collected<any Sendable>()
        let elements = AsyncStream<Int> { continuation in continuation.onTermination = { _ in } }
    }

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(arguments: Wait.allCases)
    func `what a coroutine on a scheduler waits for`(wait: Wait) async {
        await #expect(processExitsWith: .success) { [wait] in
            BridgeDiagnostics.tracksCoroutines = true
            let (scheduler, world) = (ManualScheduler(), World())
            let coroutine = scheduler.startCoroutine(name: "one") { try wait.perform(world) }
            scheduler.run()
            #expect(Self.activitiesOfTheNamed == ["one: waiting for \(wait.description) at Module/File.swift:7"])
            coroutine.cancel()
            try await scheduler.arrivals(atLeast: 2)
            scheduler.run()
            #expect(Self.activitiesOfTheNamed == [])
            withExtendedLifetime(world) {}
        }
    }

    @Test(arguments: Wait.allCases)
    func `what a coroutine in a task waits for`(wait: Wait) async {
        await #expect(processExitsWith: .success) { [wait] in
            BridgeDiagnostics.tracksCoroutines = true
            let (executor, world) = (ManualExecutor(), World())
            let task = Task(executorPreference: executor) {
                try await withCoroutine(name: "one") { try wait.perform(world) }
            }
            executor.run()
            #expect(Self.activitiesOfTheNamed == ["one: waiting for \(wait.description) at Module/File.swift:7"])
            task.cancel()
            // Whether it throws is the wait's business.
            _ = try? await executor.run(untilEndOf: task)
            #expect(Self.activitiesOfTheNamed == [])
            withExtendedLifetime(world) {}
        }
    }
    #endif

    // MARK: The end

    /// How a coroutine may end.
    enum End: String, CaseIterable, Codable {
        case returned
        case threw
        case cancelledBeforeItBegan
        case droppedBeforeItBegan
        case droppedAndUnwound
    }

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(arguments: End.allCases)
    func `leaves the list, however it ended`(end: End) async {
        await #expect(processExitsWith: .success) { [end] in
            BridgeDiagnostics.tracksCoroutines = true
            let scheduler = ManualScheduler()
            let coroutine = scheduler.startCoroutine(name: "one", onError: { _ in }) {
                try Coroutine.yield()
                if end == .threw { throw Failure() }
            }
            #expect(Self.activities == ["one: scheduled"])
            switch end {
            case .returned, .threw:
                scheduler.run()
            case .cancelledBeforeItBegan:
                coroutine.cancel()
                scheduler.run()
            case .droppedBeforeItBegan:
                scheduler.dropOne()
            case .droppedAndUnwound:
                scheduler.runOne()
                scheduler.dropOne()
            }
            #expect(Self.activities == [])
        }
    }
    #endif

    /// Coroutines start, wait and end on many threads while others read the list.
    @Test func `read while coroutines come and go`() async throws {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            BridgeDiagnostics.tracksCoroutines = true
            let count = StressScale.rounds(200)
            let ended = EventLog()
            for number in 0..<count {
                let queue = DispatchQueue.global()
                let coroutine = queue.startCoroutine(name: "one") {
                    try Coroutine.yield()
                    try Coroutine.await { await Task.yield() }
                    try queue.await {}
                }
                coroutine.whenComplete { ended.record("end") }
                if number % 10 == 0 { #expect(Self.activitiesOfTheNamed.count <= count) }
            }
            try await ended.events(atLeast: count)
            #expect(Self.activitiesOfTheNamed.isEmpty)
        }
    }

    /// A scheduler with a description, which keeps what it gets.
    private struct NamedScheduler: CoroutineScheduler, CustomStringConvertible {
        let closures = ManualScheduler()

        var description: String { "the list's scheduler" }

        func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.closures.scheduleTask(task) }
    }
}
