// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("CallQueue", .timeLimit(.minutes(10)))
struct CallQueueTests {
    typealias Form = CallAsyncTests.Form

    private let queue = CallQueue()
    private let story = Log<String>()

    /// A call that tells when it begins, when its operation ends, and how it ended.
    @discardableResult
    private func call(
        _ name: String,
        _ form: Form = .result,
        _ operation: @escaping @Sendable () async throws -> Void = {}
    ) -> CallHandle {
        let story = self.story
        let body: @Sendable () async throws -> Void = {
            story("\(name) begins")
            defer { story("\(name) ends") }
            try await operation()
        }
        let completion: @Sendable (Result<Void, any Error>) -> Void = { result in
            switch result {
            case .success: story("\(name) done")
            case .failure(let error): story("\(name) \(type(of: error))")
            }
        }
        switch form {
        case .result:
            return callAsync(in: self.queue) {
                try await body()
            } completion: {
                completion($0)
            }
        case .valueAndError:
            return callAsync(in: self.queue) {
                try await body()
            } completion: { (_: Void?, error: (any Error)?) in
                completion(error.map { .failure($0) } ?? .success(()))
            }
        case .inline:
            return callAsync(in: self.queue, deliver: .inline) {
                try await body()
            } completion: {
                completion($0)
            }
        case .executor:
            return callAsync(in: self.queue, deliver: .on(globalConcurrentExecutor)) {
                try await body()
            } completion: {
                completion($0)
            }
        case .function:
            return callAsync(in: self.queue, deliver: .through { call in detachThread(call) }) {
                try await body()
            } completion: {
                completion($0)
            }
        }
    }

    private func whole(_ names: [String]) -> [String] {
        names.flatMap { ["\($0) begins", "\($0) ends", "\($0) done"] }
    }

    // MARK: Order

    @Test(arguments: Form.allCases)
    func `each call starts when the completion of the one before has returned`(_ form: Form) async {
        let names = (0..<100).map { "\($0)" }
        let calls = names.map { self.call($0, form) { await Task.yield() } }
        for call in calls { await call.finished() }
        #expect(self.story.all == self.whole(names))
    }

    @Test func `all forms share one order`() async {
        let forms = Form.allCases + Form.allCases
        let calls = forms.enumerated().map { self.call("\($0)", $1) { await Task.yield() } }
        for call in calls { await call.finished() }
        #expect(self.story.all == self.whole(forms.indices.map { "\($0)" }))
    }

    @Test func `copies are one queue and others are not`() async {
        let (slot, begun) = (ReplySlot<Void>(), Tally())
        let first = self.call("first") { try await slot.wait { begun.add() } }
        await begun.reaches(1)
        let copy = self.queue
        let second = callAsync(in: copy) {
            self.story("copy")
        } completion: { _ in
        }
        await callAsync(in: CallQueue()) {
            self.story("other")
        } completion: { _ in
        }
        .finished()
        slot.resume(returning: ())
        await first.finished()
        await second.finished()
        #expect(self.story.all == ["first begins", "other", "first ends", "first done", "copy"])
    }

    @Test func `a call that fails lets the next one start`() async {
        self.call("first") { throw APIError(code: 1) }
        await self.call("second").finished()
        #expect(self.story.all == ["first begins", "first ends", "first APIError"] + self.whole(["second"]))
    }

    // MARK: Cancellation

    /// Saves with `await lastSave?.finished()` came in the wrong order here: the third waited for the second only.
    @Test(arguments: Form.allCases)
    func `a call cancelled in line ends at once and the next still waits for those before`(_ form: Form) async {
        let (slot, begun) = (ReplySlot<Void>(), Tally())
        let first = self.call("first") { try await slot.wait { begun.add() } }
        await begun.reaches(1)
        let second = self.call("second", form)
        let third = self.call("third", form)
        second.cancel()
        await second.finished()
        #expect(self.story.all == ["first begins", "second CancellationError"])
        slot.resume(returning: ())
        await first.finished()
        await third.finished()
        #expect(
            self.story.all
                == ["first begins", "second CancellationError", "first ends", "first done"] + self.whole(["third"])
        )
    }

    /// The cancellation comes before, while or after the task of the call waits.
    @Test func `calls cancelled as they are made never run and disturb no order`() async {
        for round in 0..<200 {
            let queue = CallQueue()
            let story = Log<Int>()
            let calls = (0..<6).map { number in
                callAsync(in: queue) {
                    await Task.yield()
                    story(number)
                } completion: { _ in
                }
            }
            calls[2].cancel()
            calls[4].cancel()
            for call in calls { await call.finished() }
            #expect(story.all.filter { $0 != 2 && $0 != 4 } == [0, 1, 3, 5], "round \(round)")
            #expect(story.all == story.all.sorted(), "round \(round)")
        }
    }

    @Test func `a call cancelled while it runs ends as its operation does`() async {
        let (slot, begun) = (ReplySlot<Void>(), Tally())
        let first = self.call("first") { try await slot.wait { begun.add() } }
        let second = self.call("second")
        await begun.reaches(1)
        first.cancel()
        await second.finished()
        #expect(self.story.all == ["first begins", "first ends", "first CancellationError"] + self.whole(["second"]))
    }

    @Test func `a call that ignores its cancellation keeps its turn`() async {
        let (begun, cancelled) = (Tally(), Tally())
        let first = self.call("first") {
            begun.add()
            await cancelled.reaches(1)
        }
        let second = self.call("second")
        await begun.reaches(1)
        first.cancel()
        cancelled.add()
        await second.finished()
        #expect(self.story.all == self.whole(["first", "second"]))
    }

    @Test func `a cancellation after the end does nothing`() async {
        let first = self.call("first")
        await first.finished()
        first.cancel()
        await self.call("second").finished()
        #expect(self.story.all == self.whole(["first", "second"]))
    }

    // MARK: Drops

    @Test func `calls run though the handles and the queue are dropped`() async {
        let ended = Tally()
        func make() {
            let queue = CallQueue()
            for number in 0..<3 {
                callAsync(in: queue) {
                    await Task.yield()
                    self.story("\(number)")
                } completion: { _ in
                    ended.add()
                }
            }
        }
        make()
        await ended.reaches(3)
        #expect(self.story.all == ["0", "1", "2"])
    }

    @Test func `a delivery that drops the completion lets the next call start`() async {
        let place = Place()
        callAsync(in: self.queue, deliver: .through(fileID: Place.fileID, line: place.line) { _ in }) {
            self.story("first")
        } completion: { _ in
        }
        await self.call("second").finished()
        #expect(self.story.all == ["first"] + self.whole(["second"]))
        #expect(place.reports.count == 1)
    }

    // MARK: Calls from everywhere

    @Test func `a call may be made in an operation and in a completion of the same queue`() async {
        let made = Slot<CallHandle>()
        let first = callAsync(in: self.queue) {
            self.story("first")
            self.call("inner")
            self.story("first ends")
        } completion: { _ in
            self.story("first done")
            made.put(self.call("last"))
        }
        await first.finished()
        await made.value?.finished()
        #expect(self.story.all == ["first", "first ends", "first done"] + self.whole(["inner", "last"]))
    }

    @Test func `the calls of many threads run one at a time and each thread's in its order`() async {
        let running = Locked(0)
        let (ended, tooMany) = (Tally(), Log<Int>())
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    await onThread {
                        for number in 0..<50 {
                            let handle = callAsync(in: self.queue) {
                                let count = running.withLock { count in
                                    count += 1
                                    return count
                                }
                                if count > 1 { tooMany(count) }
                                await Task.yield()
                                self.story("\(thread) \(number)")
                                running.withLock { $0 -= 1 }
                            } completion: { _ in
                                ended.add()
                            }
                            if number % 5 == 4 { handle.cancel() }
                        }
                    }
                }
            }
        }
        await ended.reaches(400)
        #expect(tooMany.count == 0)
        for thread in 0..<8 {
            let numbers = self.story.all.filter { $0.hasPrefix("\(thread) ") }.compactMap { Int($0.dropFirst(2)) }
            #expect(numbers == numbers.sorted())
            // Those that were cancelled may have run before.
            #expect(numbers.filter { $0 % 5 != 4 } == (0..<50).filter { $0 % 5 != 4 })
        }
    }

    // MARK: Isolation

    /// While a call waits for its turn, its actor is free.
    @Test @MainActor func `an operation keeps its actor and does not occupy it while it waits`() async {
        let (slot, begun) = (ReplySlot<Void>(), Tally())
        let first = self.call("first") { try await slot.wait { begun.add() } }
        await begun.reaches(1)
        let second = callAsync(in: self.queue) {
            MainActor.assertIsolated()
            self.story("second")
        } completion: { _ in
            MainActor.assertIsolated()
        }
        // On the main actor, too.
        await Task { self.story("between") }.value
        slot.resume(returning: ())
        await first.finished()
        await second.finished()
        #expect(self.story.all == ["first begins", "between", "first ends", "first done", "second"])
    }
}
