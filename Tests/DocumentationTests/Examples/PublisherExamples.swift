// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import OpenCombineShim
import Testing

// Examples that are tests themselves, and so cannot stand in `Snippets/`.

@Suite("The examples of the publishers' verification", .timeLimit(.minutes(10)))
struct PublisherExamples {
    @Test func obeysTheRules() async {
        let promises = PublisherPromises.standard.with { $0.stopsAtOnce = false }
        let violations = await PublisherVerification("numbers", promises: promises) { count in
            (0..<count).publisher
        }
        .endless { (0...).publisher }
        .check()
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func otherHistories() async {
        let promises = PublisherPromises.standard.with { $0.stopsAtOnce = false }
        let verification = PublisherVerification("numbers", promises: promises) { (0..<$0).publisher }
        let again = verification.seed(17)
        let others = verification.seed(.random(in: 0 ... .max))
        for histories in [again, others] {
            let violations = await histories.check(only: ["random histories are played"])
            #expect(violations.isEmpty, "\(violations)")
        }
    }

    @Test func drivenByHand() async {
        let verification = PublisherVerification.driven("subject", promises: .subject) { driver in
            let subject = PassthroughSubject<Int, SourceError>()
            driver.onEvent { event in
                switch event {
                case .element(let element): subject.send(element)
                case .finished: subject.send(completion: .finished)
                case .failed(let error): subject.send(completion: .failure(error))
                @unknown default: break
                }
            }
            return subject
        }
        let violations = await verification.check()
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func sinkObeysTheRules() async {
        let promises = SubscriberPromises.standard.with { $0.cancelsEarly = false }
        let violations = await SubscriberVerification("sink", promises: promises) { publisher in
            let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            return { subscription.cancel() }
        }
        .check()
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func otherHistoriesOfSubscribers() async {
        let promises = SubscriberPromises.standard.with { $0.cancelsEarly = false }
        let verification = SubscriberVerification("sink", promises: promises) { publisher in
            let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            return { subscription.cancel() }
        }
        let violations = await verification.seed(17).check(only: ["random histories are played"])
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func promises() {
        let promises: PublisherPromises =
            // snippet.PROMISES
            .standard.with { $0.counts = 1...1 }
        // snippet.end
        #expect(promises.counts == 1...1)
    }
}
#endif
