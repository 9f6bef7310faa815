// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization
import Testing

import AsyncBridgeCombine

/// `elements(buffering:)` of a publisher that sends what the law suite's source sends, and ignores demand.
@Suite("elements(buffering:) obeys the laws", .timeLimit(.minutes(10)))
struct ElementsLawTests {
    private struct SourcePublisher: Publisher {
        typealias Output = Int
        typealias Failure = any Error

        let source: SequenceSource

        func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Int, Downstream.Failure == any Error {
            let line = Line()
            subscriber.receive(subscription: line)
            let receiver = Receiver(subscriber)
            line.started(
                self.source.start(
                    onElement: { _ = receiver.subscriber.receive($0) },
                    onCompletion: { error in
                        receiver.subscriber.receive(completion: error.map { .failure($0) } ?? .finished)
                    }
                )
            )
        }
    }

    /// Does not hold the subscriber: the source does, and may forget it.
    private final class Line: Subscription, Sendable {
        private enum State: Sendable {
            case starting
            case running(SourceHandle)
            case over
        }

        private let state = Mutex(State.starting)

        func started(_ handle: SourceHandle) {
            let isOver = self.state.withLock { state in
                if case .over = state { return true }
                state = .running(handle)
                return false
            }
            // Cancelled while it was started.
            if isOver { handle.cancel() }
        }

        func request(_ demand: Subscribers.Demand) {}

        func cancel() {
            let state = self.state.withLock { state in
                defer { state = .over }
                return state
            }
            if case .running(let handle) = state { handle.cancel() }
        }
    }

    @Test(arguments: [
        BufferingPolicy.unbounded, .bounded(capacity: 1), .bounded(capacity: 16), .watermark(low: 2, high: 16),
    ])
    func cold(_ buffer: BufferingPolicy) async {
        CollectedReports.begin()
        let promises = SequencePromises.standard.with { promises in
            promises.handsBackElements = true
            // A publisher that has ended is not cancelled.
            promises.stopsEndedSource = false
        }
        let violations = await SequenceLaws.check("elements(buffering: \(buffer))", promises: promises) { source in
            SourcePublisher(source: source)
                .elements(buffering: buffer, onUndelivered: { source.takeBack($0) })
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(arguments: [
        BufferingPolicy.unbounded, .bounded(capacity: 1), .bounded(capacity: 16), .watermark(low: 2, high: 16),
    ])
    func hot(_ buffer: BufferingPolicy) async {
        CollectedReports.begin()
        let promises = SequencePromises.standard.with { promises in
            promises.handsBackElements = true
            promises.stopsEndedSource = false
        }
        let violations = await SequenceLaws.check("elements, at once, \(buffer)", promises: promises) { source in
            SourcePublisher(source: source)
                .elements(buffering: buffer, subscribing: .immediately, onUndelivered: { source.takeBack($0) })
        }
        #expect(violations.isEmpty, "\(violations)")
    }
}
#endif
