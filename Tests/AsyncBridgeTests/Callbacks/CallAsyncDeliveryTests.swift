// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Foundation
import Testing

@Suite("callAsync: where the completion runs", .timeLimit(.minutes(10)))
struct CallAsyncDeliveryTests {
    @MainActor
    @Test func `on the main actor, if it was written there`() async {
        var story: [String] = []
        let result = callAsync {
            story.append("operation \(MainQueue.isCurrent)")
        } completion: { _ in
            story.append("completion \(MainQueue.isCurrent)")
        }
        await result.finished()
        let pair = callAsync {
            story.append("operation \(MainQueue.isCurrent)")
        } completion: { _, _ in
            story.append("completion \(MainQueue.isCurrent)")
        }
        await pair.finished()
        #expect(story == ["operation true", "completion true", "operation true", "completion true"])
    }

    @Test func `on a custom actor, if it was written there`() async {
        let desk = CallDesk()
        await desk.untilFinished(await desk.onTheActor { $0.call() })
        await desk.untilFinished(await desk.onTheActor { $0.callForValueAndError() })
        #expect(await desk.onTheActor({ $0.story }) == ["operation", "completion", "operation", "completion"])
    }

    /// A function that is on no actor may be called from anywhere; its closures stay off the caller's actor.
    @MainActor
    @Test func `off the main actor, if it was written on none`() async {
        let story = Log<Bool>()
        await Self.callOffTheActor(story).finished()
        #expect(story.all == [false, false])
    }

    private nonisolated static func callOffTheActor(_ story: Log<Bool>) -> CallHandle {
        callAsync {
            story(MainQueue.isCurrent)
        } completion: { _ in
            story(MainQueue.isCurrent)
        }
    }

    /// The operation keeps its actor, whatever the completion does.
    @MainActor
    @Test func `the operation stays on the main actor, when the completion is delivered elsewhere`() async {
        var operation: [Bool] = []
        let completion = Log<Bool>()
        let handle = callAsync(deliver: .inline) {
            operation.append(MainQueue.isCurrent)
        } completion: { _ in
            completion(true)
        }
        await handle.finished()
        #expect(operation == [true])
        #expect(completion.count == 1)
    }

    @Test func `inline runs before the call is over, on no actor`() async {
        let completion = Log<Bool>()
        let handle = callAsync(deliver: .inline) {
            1
        } completion: { _ in
            completion(MainQueue.isCurrent)
        }
        await handle.finished()
        #expect(completion.all == [false])
    }

    @Test func `on an executor, runs there`() async {
        let executor = ManualExecutor()
        let completion = Log<Bool>()
        let handle = callAsync(deliver: .on(executor)) {
            1
        } completion: { _ in
            completion(executor.isCurrent)
        }
        await executor.hasJob()
        #expect(completion.count == 0)
        executor.run()
        await handle.finished()
        #expect(completion.all == [true])
    }

    @Test func `through a queue, runs there`() async {
        let (queue, key) = (DispatchQueue(label: "completions"), DispatchSpecificKey<Bool>())
        queue.setSpecific(key: key, value: true)
        let completion = Log<Bool?>()
        let handle = callAsync(deliver: .through { queue.async(execute: $0) }) {
            1
        } completion: { _ in
            completion(DispatchQueue.getSpecific(key: key))
        }
        await handle.finished()
        #expect(completion.all == [true])
    }

    /// A queue that throws its work away: the call is over all the same, and the loss is reported.
    @Test func `through a function that forgets, does not hang`() async {
        let place = Place()
        let completion = Log<Void>()
        let delivery = CompletionDelivery.through(fileID: Place.fileID, line: place.line) { _ in }
        let handle = callAsync(deliver: delivery) {
            1
        } completion: { _ in
            completion(())
        }
        await handle.finished()
        #expect(completion.count == 0)
        #expect(place.reports.map(\.kind) == [.droppedCallback])
        // Not the API's fault, and the code has no `withCallback`.
        #expect(place.reports.map(\.bridge) == ["callAsync"])
    }

    @Test func `inline runs where the operation ended, on its actor`() async {
        let desk = CallDesk()
        let completion = Log<Bool>()
        await desk.untilFinished(await desk.onTheActor { $0.callInline { completion(desk.executor.isCurrent) } })
        #expect(completion.all == [true])
        #expect(await desk.onTheActor({ $0.story }) == ["operation"])
    }

    @MainActor
    @Test func `inline runs where the operation ended, on the main actor`() async {
        let completion = Log<Bool>()
        let handle = callAsync(deliver: .inline) {
            MainActor.assertIsolated()
        } completion: { _ in
            completion(MainQueue.isCurrent)
        }
        await handle.finished()
        #expect(completion.all == [true])
    }

    @Test func `through a function that runs it twice, calls the completion once`() async {
        let place = Place()
        let completion = Log<Void>()
        let delivery = CompletionDelivery.through(fileID: Place.fileID, line: place.line) { call in
            call()
            call()
        }
        let handle = callAsync(deliver: delivery) {
            1
        } completion: { _ in
            completion(())
        }
        await handle.finished()
        #expect(completion.count == 1)
        #expect(place.reports.map(\.kind) == [.duplicateAnswer])
        // Not the API's fault, as a second answer of `withCallback` would be.
        #expect(place.reports.map(\.bridge) == ["callAsync"])
    }

    @Test(arguments: [false, true])
    func `cancelled calls are delivered as well`(throughAQueue: Bool) async {
        let (slot, begun) = (ReplySlot<Int>(), Tally())
        let ends = Log<Result<Int, any Error>>()
        let queue = DispatchQueue(label: "completions")
        let delivery: CompletionDelivery =
            throughAQueue ? .through { queue.async(execute: $0) } : .on(globalConcurrentExecutor)
        let handle = callAsync(deliver: delivery) {
            try await slot.wait { begun.add() }
        } completion: {
            ends($0)
        }
        await begun.reaches(1)
        handle.cancel()
        await handle.finished()
        #expect(ends.count == 1)
        #expect(throws: CancellationError.self) { try ends.all.first?.get() }
    }
}
