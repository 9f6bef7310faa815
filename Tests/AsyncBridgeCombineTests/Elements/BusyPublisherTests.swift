// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeTesting
import Dispatch
import OpenCombineShim
import Testing

/// A cancellation reaches a publisher that works inside `subscribe` or `request(_:)`, where no wait can notice it.
@Suite("Cancelling a publisher that works inside a request", .serialized, .timeLimit(.minutes(10)))
struct BusyPublisherTests {
    /// A thread that a publisher may keep: the pool has few.
    private final class OwnThread: TaskExecutor {
        private let queue = DispatchQueue(label: "busy")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Cancels a task once the publisher works, and waits for the task's end.
    private func cancel<Value: Sendable>(
        _ publisher: BusyPublisher,
        _ body: @escaping @Sendable (BusyPublisher) async throws -> Value
    ) async -> Result<Value, any Error> {
        let task = Task(executorPreference: OwnThread()) { try await body(publisher) }
        await until { publisher.isBusy.value }
        task.cancel()
        return await task.result
    }

    @Test(arguments: [0, 1, 5])
    func `elements(buffering:), at the first request and at a later one`(count: Int) async throws {
        let values = await self.cancel(BusyPublisher(elements: count)) { publisher in
            var values: [Int] = []
            for await value in publisher.elements(buffering: .bounded(capacity: 1)) { values.append(value) }
            return values
        }
        #expect(try values.get() == Array(1..<(count + 1)))
    }

    @Test(arguments: [0, 1])
    func `the publisher drops its subscriber then, which is no fault`(count: Int) async {
        CollectedReports.begin()
        let line: UInt = #line
        let result = await self.cancel(BusyPublisher(elements: count)) { publisher in
            let elements = publisher.setFailureType(to: (any Error).self).elements(
                buffering: .bounded(capacity: 1),
                fileID: #fileID,
                line: line
            )
            for try await _ in elements {}
        }
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(CollectedReports.all(about: CallSite(fileID: #fileID, line: line)).isEmpty)
    }

    @Test
    func `one value`() async {
        let calls: [@Sendable (BusyPublisher) async throws -> Int?] = [
            { try await $0.firstValue() }, { try await $0.lastValue() },
            { try await $0.setFailureType(to: (any Error).self).firstValueOrNil() },
            { try await $0.singleValue() },
        ]
        for call in calls {
            let result = await self.cancel(BusyPublisher(), call)
            #expect(throws: CancellationError.self) { try result.get() }
        }
        let notThrowing: [@Sendable (BusyPublisher) async -> Int?] = [
            { await $0.firstValueOrNil() }, { await $0.firstValue(ifNone: -1) }, { await $0.lastValue(ifNone: -1) },
            { await $0.singleValue(ifNone: -1) },
        ]
        for call in notThrowing {
            let result = await self.cancel(BusyPublisher(), call)
            guard case .success(let value) = result, value == nil || value == -1 else {
                Issue.record("\(result)")
                return
            }
        }
    }

    @Test
    func `in a cancelled task nothing more is asked for`() async {
        for size in [1, 2] {
            let numbers = Counting(from: 1)
            let task = Task {
                for await _ in numbers.elements(buffering: .bounded(capacity: size)) {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await task.value
            #expect(numbers.requests.all == [.max(size)])
            #expect(numbers.cancels.value == 1)
        }
    }

    @Test
    @MainActor
    func `one value is asked for on the caller's actor`() async throws {
        let publisher = (1...1).publisher.handleEvents(
            receiveSubscription: { _ in MainActor.assertIsolated() },
            receiveRequest: { _ in MainActor.assertIsolated() }
        )
        let first = try await publisher.firstValue()
        #expect(first == 1)
        var values: [Int] = []
        for await value in publisher.elements(buffering: .bounded(capacity: 1)) { values.append(value) }
        #expect(values == [1])
    }
}
#endif
