// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Dispatch
import OpenCombineShim
import Testing

/// Numbers to which a queue subscribes.
private struct LateNumbers: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    /// Safe: the queue is the only one that uses it.
    private struct Handover<S>: @unchecked Sendable {
        let subscriber: S
    }

    let count: Int

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        let handover = Handover(subscriber: AnySubscriber(subscriber))
        DispatchQueue.global().async { [count] in Numbers(count).receive(subscriber: handover.subscriber) }
    }
}

@Suite("Right publishers obey the rules", .timeLimit(.minutes(10)))
struct RightPublisherTests {
    @Test func numbers() async {
        let promises = PublisherPromises.right.with { $0.finishesWithoutRequest = true }
        expectNone(await PublisherVerification.numbers("Numbers", promises: promises).check())
    }

    /// As deep as the stack would be long: at 16 bytes for each call, it would need 30 times what it has.
    @Test func `a million requests inside each other`() async {
        let promises = PublisherPromises.right.with { $0.recursionCount = 1_000_000 }
        let verification = PublisherVerification.numbers("Numbers", promises: promises)
        expectNone(await verification.check(only: ["each of very many receive(_:) requests one more"]))
    }

    @Test func relay() async {
        expectNone(await PublisherVerification.driven("Relay", promises: .right) { Relay($0) }.check())
    }

    /// Its subscription comes later, on another thread.
    @Test func `numbers that subscribe late`() async {
        let promises = PublisherPromises.right.with { $0.counts = 0...1_000 }
        let verification = PublisherVerification("LateNumbers", promises: promises) { LateNumbers(count: $0) }
        expectNone(await verification.check())
    }

    @Test func `other elements`() async {
        let verification = PublisherVerification(
            "texts",
            promises: .right,
            number: { (text: String) in Int(text) ?? -1 },
            elements: { Numbers($0).map { "\($0)" } }
        )
        expectNone(await verification.check())
    }
}
#endif
