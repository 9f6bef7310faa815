// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// One bridge of each kind, as a user describes it to a suite, in at most ten lines; and one with a mistake. Each runs
// one scenario: that the suites find what they should is for the tests of AsyncBridgeTesting. A line that a violation
// must name ends with `// made`.

import AsyncBridge
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import OpenCombineShim

enum Right {
    static func oneShot() async -> [Violation] {
        await OneShotLaws.check("fetchQuote", only: ["the task is cancelled during the wait"]) { source in
            try await withCallback { callback in
                source.start(callback.handler())
            } onCancel: { handle in
                handle.cancel()
            }
        }
    }

    static func sequence() async -> [Violation] {
        await SequenceLaws.check("locations", only: ["the task is cancelled during the wait"]) { source in
            CallbackSequence<Int, any Error> { sink in
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { if let error = $0 { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        }
    }

    static func publisher() async -> [Violation] {
        let promises = PublisherPromises.standard.with { $0.stopsAtOnce = false }
        let verification = PublisherVerification("numbers", promises: promises) { count in (0..<count).publisher }
        return await verification.check(only: ["three are requested, then two, then the rest"])
    }

    static func subscriber() async -> [Violation] {
        let verification = SubscriberVerification("sink") { publisher in
            let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            return { subscription.cancel() }
        }
        return await verification.check(only: ["elements come as they are requested"])
    }
}

enum Wrong {
    /// Does not stop the request when the task is cancelled.
    static func oneShot() async -> [Violation] {
        await OneShotLaws.check("fetchQuote", only: ["the task is cancelled during the wait"]) { source in  // made
            try await withCallback { callback in
                _ = source.start(callback.handler())
            }
        }
    }

    /// Does not stop the source when the loop ends.
    static func sequence() async -> [Violation] {
        let promises = SequencePromises.standard.with { $0.patience = .milliseconds(200) }
        let names: Set = ["the task is cancelled during the wait"]
        return await SequenceLaws.check("locations", promises: promises, only: names) { source in  // made
            AsyncThrowingStream<Int, any Error> { sink in
                _ = source.start(
                    onElement: { sink.yield($0) },
                    onCompletion: { sink.finish(throwing: $0) }
                )
            }
        }
    }

    /// Sends all that it has, whatever is requested.
    struct Impatient: Publisher {
        typealias Output = Int
        typealias Failure = Never

        let count: Int

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            subscriber.receive(subscription: Subscriptions.empty)
            for number in 0..<self.count { _ = subscriber.receive(number) }
            subscriber.receive(completion: .finished)
        }
    }

    static func publisher() async -> [Violation] {
        let verification = PublisherVerification("numbers") { Impatient(count: $0) }  // made
        return await verification.check(only: ["three are requested, then two, then the rest"])
    }

    /// Requests nothing.
    struct Silent: Subscriber {
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) {}
        func receive(_ input: Int) -> Subscribers.Demand { .none }
        func receive(completion: Subscribers.Completion<SourceError>) {}
    }

    static func subscriber() async -> [Violation] {
        let promises = SubscriberPromises.standard.with { $0.patience = .milliseconds(200) }
        let verification = SubscriberVerification("silent", promises: promises) { publisher in  // made
            publisher.subscribe(Silent())
            return {}
        }
        return await verification.check(only: ["elements come as they are requested"])
    }
}
