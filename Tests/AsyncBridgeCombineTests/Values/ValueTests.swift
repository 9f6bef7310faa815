// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import OpenCombineShim
import Testing

import AsyncBridgeCombine

/// The functions that wait for one of a publisher's elements, and the future of one, against one table.
@Suite("One value of a publisher", .timeLimit(.minutes(10)))
struct ValueTests {
    /// How the value is asked for.
    enum Form: CaseIterable {
        case first
        case firstOrNil
        case last
        case single
        case futureOfFirst
        case futureOfLast
        case futureOfSingle

        var contract: PublisherValue {
            switch self {
            case .first, .firstOrNil, .futureOfFirst: .first
            case .last, .futureOfLast: .last
            case .single, .futureOfSingle: .single
            }
        }

        var demand: Subscribers.Demand {
            switch self.contract {
            case .single: .max(2)
            case .last: .unlimited
            case .first: .max(1)
            }
        }
    }

    enum Outcome: Equatable {
        case value(Int?)
        case noValue
        case severalValues
        case failure
        case cancellation
        case other
    }

    /// What a publisher does, and what must come of it.
    struct Row: CustomTestStringConvertible {
        let values: [Int]
        let fails: Bool
        let first: Outcome
        let last: Outcome
        let single: Outcome

        var testDescription: String { "\(self.values), \(self.fails ? "fails" : "finishes")" }

        func outcome(_ form: Form) -> Outcome {
            switch form.contract {
            case .last: return self.last
            case .single: return self.single
            case .first: return form == .firstOrNil && self.first == .noValue ? .value(nil) : self.first
            }
        }
    }

    static let table = [
        Row(values: [], fails: false, first: .noValue, last: .noValue, single: .noValue),
        Row(values: [], fails: true, first: .failure, last: .failure, single: .failure),
        Row(values: [1], fails: false, first: .value(1), last: .value(1), single: .value(1)),
        Row(values: [1], fails: true, first: .value(1), last: .failure, single: .failure),
        Row(values: [1, 2], fails: false, first: .value(1), last: .value(2), single: .severalValues),
        Row(values: [1, 2], fails: true, first: .value(1), last: .failure, single: .severalValues),
        Row(values: [1, 2, 3], fails: false, first: .value(1), last: .value(3), single: .severalValues),
    ]

    static let made = CallSite(fileID: #fileID, line: 1)

    nonisolated(nonsending) static func outcome<P: Publisher>(
        _ form: Form,
        of publisher: P
    ) async -> Outcome where P.Output == Int {
        let (file, line) = (Self.made.fileIDLiteral, Self.made.line)
        do {
            switch form {
            case .first: return .value(try await publisher.firstValue(fileID: file, line: line))
            case .firstOrNil: return .value(try await publisher.firstValueOrNil(fileID: file, line: line))
            case .last: return .value(try await publisher.lastValue(fileID: file, line: line))
            case .single: return .value(try await publisher.singleValue(fileID: file, line: line))
            case .futureOfFirst, .futureOfLast, .futureOfSingle:
                let future = publisher.subscribeCoFuture(form.contract, fileID: file, line: line)
                return .value(try await future.value(cancellation: .propagate))
            }
        } catch let fault as BridgeFault {
            if fault == BridgeFault(.noValue, made: Self.made) { return .noValue }
            return fault == BridgeFault(.severalValues, made: Self.made) ? .severalValues : .other
        } catch {
            return error is StepFailure ? .failure : error is CancellationError ? .cancellation : .other
        }
    }

    @Test(arguments: Form.allCases, table)
    func `each contract, with a publisher that sends while it is subscribed to`(_ form: Form, _ row: Row) async {
        let publisher = StepPublisher(obeys: true)
        publisher.take(.subscription)
        for value in row.values { publisher.take(.value(value)) }
        publisher.take(row.fails ? .fail : .finish)
        #expect(await Self.outcome(form, of: publisher) == row.outcome(form))
        #expect(publisher.requested == form.demand)
        #expect(publisher.cancels == (publisher.hasCompleted ? 0 : 1))
        // It is not asked for more than settles it.
        #expect(publisher.sent.count <= (form.demand.max ?? .max))
    }

    @Test(arguments: Form.allCases, table)
    func `each contract, with a publisher that sends later`(_ form: Form, _ row: Row) async {
        for obeys in [true, false] {
            let publisher = StepPublisher(obeys: obeys)
            let executor = ManualExecutor()
            let task = Task(executorPreference: executor) { await Self.outcome(form, of: publisher) }
            executor.run()
            #expect(publisher.requested == .none)
            publisher.take(.subscription)
            #expect(publisher.requested == form.demand)
            for value in row.values { publisher.take(.value(value)) }
            publisher.take(row.fails ? .fail : .finish)
            executor.run()
            #expect(await task.value == row.outcome(form))
            #expect(publisher.cancels == (publisher.hasCompleted ? 0 : 1))
        }
    }

    @Test(arguments: Form.allCases, 0...4)
    func `a cancellation after each step of the publisher's`(_ form: Form, _ steps: Int) async {
        let publisher = StepPublisher(obeys: false)
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) { await Self.outcome(form, of: publisher) }
        executor.run()
        let events: [StepPublisher.Event] = [.subscription, .value(1), .value(2), .finish]
        for event in events.prefix(steps) { publisher.take(event) }
        let settlesAt =
            switch form.contract {
            case .last: 4
            case .single: 3
            case .first: 2
            }
        task.cancel()
        executor.run()
        let outcome = await task.value
        #expect((outcome == .cancellation) == (steps < settlesAt))
        // Before the subscription comes, after it, after a value.
        for event in events.dropFirst(steps) { publisher.take(event) }
        #expect(publisher.subscribers == 1)
        #expect(publisher.cancels == (publisher.hasCompleted ? 0 : 1))
        #expect(publisher.hasCompleted == (form.contract == .last && steps == 4))
    }

    @Test(arguments: [Form.first, .firstOrNil, .last, .single]
    )
    func `in a cancelled task the publisher is not subscribed to`(_ form: Form) async {
        let publisher = StepPublisher(obeys: true)
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) { await Self.outcome(form, of: publisher) }
        task.cancel()
        executor.run()
        #expect(await task.value == .cancellation)
        #expect(publisher.subscribers == 0)
    }

    @Test
    func `a publisher that forgets its subscriber is a fault`() async throws {
        CollectedReports.begin()
        BridgeDiagnostics.tracksPendingWaits = true
        let functions: [(String, @Sendable (HandPublisher<Int, any Error>, CallSite) async throws -> Int?)] = [
            ("firstValue()", { try await $0.firstValue(fileID: $1.fileIDLiteral, line: $1.line) }),
            ("firstValueOrNil()", { try await $0.firstValueOrNil(fileID: $1.fileIDLiteral, line: $1.line) }),
            ("lastValue()", { try await $0.lastValue(fileID: $1.fileIDLiteral, line: $1.line) }),
            ("singleValue()", { try await $0.singleValue(fileID: $1.fileIDLiteral, line: $1.line) }),
        ]
        for (index, (name, function)) in functions.enumerated() {
            let made = CallSite(fileID: #fileID, line: 1_000_000 + UInt(index))
            let publisher = HandPublisher<Int, any Error>()
            let executor = ManualExecutor()
            let task = Task(executorPreference: executor) { try await function(publisher, made) }
            executor.run()
            #expect(BridgeDiagnostics.pendingWaits.filter { $0.made == made }.map(\.bridge) == [name])
            publisher.forget()
            executor.run()
            await #expect(throws: BridgeFault(.subscriberDropped, made: made)) { try await task.value }
            Self.expectWords(of: name, CollectedReports.all(about: made))
        }
    }

    private static func expectWords(of bridge: String, _ reports: [BridgeDiagnostics.Misuse]) {
        #expect(reports.map(\.kind) == [.droppedSubscriber])
        #expect(reports.map(\.bridge) == [bridge])
        // No word of callbacks, which the caller has none of.
        #expect(reports.allSatisfy { $0.advice.contains("publisher") && !$0.description.contains("allback") })
    }

    @Test
    func `and so it is for a future, whose waiters would wait forever`() async {
        CollectedReports.begin()
        let made = CallSite(fileID: #fileID, line: 2_000_000)
        let publisher = HandPublisher<Int, any Error>()
        let future = publisher.subscribeCoFuture(fileID: made.fileIDLiteral, line: made.line)
        publisher.forget()
        await #expect(throws: BridgeFault(.subscriberDropped, made: made)) { try await future.value }
        Self.expectWords(of: "subscribeCoFuture", CollectedReports.all(about: made))
    }

    @Test
    func `a publisher that was cancelled may forget its subscriber`() async {
        CollectedReports.begin()
        let made = CallSite(fileID: #fileID, line: 3_000_000)
        let publisher = HandPublisher<Int, any Error>()
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) {
            try await publisher.firstValue(fileID: made.fileIDLiteral, line: made.line)
        }
        executor.run()
        task.cancel()
        executor.run()
        publisher.forget()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(CollectedReports.all(about: made).isEmpty)
    }

    // MARK: Locks

    /// Uses the subscription when it goes away.
    private final class Toucher: Sendable {
        let touch: @Sendable () -> Void

        init(_ touch: @escaping @Sendable () -> Void) { self.touch = touch }

        deinit { self.touch() }
    }

    /// With the lock held, the value's `deinit` would wait for it forever.
    @Test(arguments: [PublisherValue.last, .single])
    func `values are released outside the lock`(_ wanted: PublisherValue) {
        for fails in [true, false] {
            let publisher = HandPublisher<Toucher?, any Error>()
            let touched = Count()
            let future = publisher.subscribeCoFuture(wanted)
            guard let receiver = publisher.current?.receiver else { return }
            @Sendable func touch() {
                touched.add()
                _ = receiver.subscriber.receive(nil)
            }
            publisher.send(Toucher(touch))
            if fails { publisher.send(completion: .failure(Failure())) } else { publisher.send(nil) }
            #expect(touched.value == 1)
            future.cancel()
        }
    }

    @Test
    func `a failure is no missing value, also if it is the same fault of the same line`() async {
        await #expect(throws: BridgeFault.self) {
            _ = try await TaskPublisher { try await Empty<Int, Never>().firstValue() }.firstValueOrNil()
        }
    }
}
#endif
