// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeCombine
import BenchmarkSupport
import OpenCombineShim

/// Elements of a publisher, through a sequence.
enum ElementContests {
    static let contests = [Self.numbers, Self.subject]

    private static let numbers = Contest(
        "an element of a publisher that obeys demand, through a sequence",
        operations: 1_000_000,
        [
            .ours("elements(buffering: .bounded(capacity: 64))", .against("values", atMost: 0.33)) { elements in
                var sum = 0
                for await element in (0..<elements).publisher.elements(buffering: .bounded(capacity: 64)) {
                    sum &+= element
                }
                keep(sum)
            },
            .ours("elements(buffering: .bounded(capacity: 1))", .against("values", atMost: 0.67)) { elements in
                var sum = 0
                for await element in (0..<elements).publisher.elements(buffering: .bounded(capacity: 1)) {
                    sum &+= element
                }
                keep(sum)
            },
            .peer("values") { elements in
                var sum = 0
                for await element in (0..<elements).publisher.values { sum &+= element }
                keep(sum)
            },
            // What the publisher itself costs.
            .peer("sink, without a sequence") { elements in
                nonisolated(unsafe) var sum = 0
                // Safe: the publisher sends in this call.
                let subscription = (0..<elements).publisher.sink { sum &+= $0 }
                keep((sum, subscription))
            },
        ]
    )

    /// How many elements are sent before they are consumed.
    private static let batch = 1000

    private static let subject = Contest(
        "an element of a subject, through a sequence, 1000 sent and then consumed",
        operations: 1_000_000,
        [
            .ours("elements(buffering: .unbounded)", .against("buffer(…).values", atMost: 0.33)) { elements in
                for _ in 0..<max(1, elements / Self.batch) {
                    let subject = PassthroughSubject<Int, Never>()
                    let sequence = subject.elements(buffering: .unbounded, subscribing: .immediately)
                    for element in 0..<Self.batch { subject.send(element) }
                    subject.send(completion: .finished)
                    var sum = 0
                    for await element in sequence { sum &+= element }
                    keep(sum)
                }
            },
            // Without the operator, `values` loses all but the first.
            .peer("buffer(…).values") { elements in
                for _ in 0..<max(1, elements / Self.batch) {
                    let subject = PassthroughSubject<Int, Never>()
                    let buffered = subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
                    var iterator = buffered.values.makeAsyncIterator()
                    for element in 0..<Self.batch { subject.send(element) }
                    subject.send(completion: .finished)
                    var sum = 0
                    while let element = await iterator.next() { sum &+= element }
                    keep(sum)
                }
            },
        ]
    )
}
