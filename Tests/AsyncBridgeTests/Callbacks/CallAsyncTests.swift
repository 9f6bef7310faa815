// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

@Suite("callAsync", .timeLimit(.minutes(10)))
struct CallAsyncTests {
    private enum Local {
        @TaskLocal static var number = 0
    }

    /// The shapes of the completion handler and its deliveries.
    enum Form: CaseIterable {
        case result
        case valueAndError
        case inline
        case executor
        case function
    }

    private let ends = Log<Result<Int, any Error>>()

    private func call(_ form: Form, _ operation: @escaping @Sendable () async throws -> Int) -> CallHandle {
        switch form {
        case .result:
            return callAsync {
                try await operation()
            } completion: {
                self.ends($0)
            }
        case .valueAndError:
            return callAsync {
                try await operation()
            } completion: { value, error in
                switch (value, error) {
                case (let value?, nil): self.ends(.success(value))
                case (nil, let error?): self.ends(.failure(error))
                default: Issue.record("both or neither: \(String(describing: value)), \(String(describing: error))")
                }
            }
        case .inline:
            return callAsync(deliver: .inline) {
                try await operation()
            } completion: {
                self.ends($0)
            }
        case .executor:
            return callAsync(deliver: .on(globalConcurrentExecutor)) {
                try await operation()
            } completion: {
                self.ends($0)
            }
        case .function:
            return callAsync(deliver: .through { call in detachThread(call) }) {
                try await operation()
            } completion: {
                self.ends($0)
            }
        }
    }

    // MARK: Exactly one call

    @Test(arguments: Form.allCases)
    func `the completion is called once with the value`(_ form: Form) async throws {
        await self.call(form) { 1 }.finished()
        #expect(try self.ends.all.map { try $0.get() } == [1])
    }

    @Test(arguments: Form.allCases)
    func `the completion is called once with the error`(_ form: Form) async {
        await self.call(form) { throw APIError(code: 1) }.finished()
        #expect(self.ends.count == 1)
        #expect(throws: APIError(code: 1)) { try self.ends.all.first?.get() }
    }

    @Test(arguments: Form.allCases)
    func `a call cancelled meanwhile ends as its operation does`(_ form: Form) async {
        let begun = Tally()
        let slot = ReplySlot<Int>()
        let handle = self.call(form) { try await slot.wait { begun.add() } }
        await begun.reaches(1)
        #expect(!handle.isCancelled)
        handle.cancel()
        #expect(handle.isCancelled)
        await handle.finished()
        #expect(self.ends.count == 1)
        #expect(throws: CancellationError.self) { try self.ends.all.first?.get() }
    }

    @Test(arguments: Form.allCases)
    func `an operation that ignores its cancellation is not cut short`(_ form: Form) async throws {
        let (begun, cancelled) = (Tally(), Tally())
        let handle = self.call(form) {
            begun.add()
            await cancelled.reaches(1)
            return 2
        }
        await begun.reaches(1)
        handle.cancel()
        cancelled.add()
        await handle.finished()
        #expect(try self.ends.all.map { try $0.get() } == [2])
    }

    /// The operation's actor is busy, so the operation cannot have started.
    @Test func `cancelled before it started, the operation does not run`() async {
        let desk = CallDesk()
        let handle = await desk.onTheActor { $0.call() }
        await desk.executor.hasJob()
        handle.cancel()
        await desk.executor.turn()
        await desk.untilFinished(handle)
        #expect(await desk.onTheActor({ $0.story }) == ["CancellationError"])
    }

    @Test func `dropping the handle does not cancel`() async throws {
        let (slot, begun, ended) = (ReplySlot<Int>(), Tally(), Tally())
        _ = callAsync {
            try await slot.wait { begun.add() }
        } completion: {
            self.ends($0)
            ended.add()
        }
        await begun.reaches(1)
        slot.resume(returning: 1)
        await ended.reaches(1)
        #expect(try self.ends.all.map { try $0.get() } == [1])
    }

    @Test(arguments: Form.allCases)
    func `finished() returns after the completion has returned`(_ form: Form) async {
        for round in 1...50 {
            await self.call(form) { round }.finished()
            #expect(self.ends.count == round)
        }
    }

    @Test func `finished waits though the waiting task is cancelled`() async {
        let (slot, begun) = (ReplySlot<Int>(), Tally())
        let handle = callAsync {
            try await slot.wait { begun.add() }
        } completion: {
            self.ends($0)
        }
        await begun.reaches(1)
        let wait = HandDriven { await handle.finished() }
        wait.cancel()
        wait.turn()
        #expect(!wait.hasEnded)
        #expect(!handle.isCancelled)
        slot.resume(returning: 1)
        await wait.turnWhenWoken()
        #expect(wait.hasEnded)
        #expect(self.ends.count == 1)
    }

    // MARK: What goes along

    @Test
    func `task-locals go along, into the completion too`() async {
        let seen = Log<Int>()
        let handle = Local.$number.withValue(7) {
            callAsync {
                seen(Local.number)
            } completion: { _ in
                seen(Local.number)
            }
        }
        await handle.finished()
        #expect(seen.all == [7, 7])
    }

    @Test func `the priority goes along`() async {
        let seen = Log<TaskPriority?>()
        let calls = Task.detached(priority: .utility) {
            [
                callAsync {
                    seen(Task.basePriority)
                } completion: { _ in
                },
                callAsync(priority: .background) {
                    seen(Task.basePriority)
                } completion: { _ in
                },
            ]
        }
        for handle in await calls.value { await handle.finished() }
        #expect(
            seen.all.compactMap(\.?.rawValue).sorted() == [TaskPriority.background, .utility].map(\.rawValue).sorted()
        )
    }

    // MARK: Values that are not Sendable

    private final class Draft {
        var text = "draft"
    }

    @Test func `a value that is not sendable is handed over`() async {
        let texts = Log<String>()
        let calls = [
            callAsync {
                Draft()
            } completion: { result in
                texts((try? result.get())?.text ?? "none")
            },
            callAsync {
                Draft()
            } completion: { (draft: sending Draft?, _) in
                texts(draft?.text ?? "none")
            },
        ]
        for handle in calls { await handle.finished() }
        #expect(texts.all == ["draft", "draft"])
    }

    @Test
    func `an operation without a value tells of success, too`() async {
        let (results, errors) = (Log<Bool>(), Log<Bool>())
        await callAsync {
        } completion: { (result: Result<Void, any Error>) in
            results((try? result.get()) != nil)
        }
        .finished()
        await callAsync {
        } completion: { done, error in
            errors(done != nil && error == nil)
        }
        .finished()
        #expect(results.all == [true])
        #expect(errors.all == [true])
    }
}
