// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// One sequence whose steps the test takes by hand, and all that it tells.
final class SequenceTrial<Failure: Error>: Sendable {
    typealias Sequence = CallbackSequence<Int, Failure>

    let place = Place()
    let sink = Slot<Sequence.Sink>()
    /// `nil` once the test has dropped it.
    let sequence = Slot<Sequence>()
    let undelivered = Log<Int>()
    let terminations = Log<SequenceTermination>()
    let received = Log<Int>()
    /// End the tasks that the test leaves waiting.
    private let endings = Log<@Sendable () -> Void>()

    deinit { for end in self.endings.all { end() } }

    private func ending<Value>(_ wait: HandDriven<Value>) -> HandDriven<Value> {
        self.endings {
            wait.cancel()
            wait.turn()
        }
        return wait
    }

    /// A hot sequence with a teardown.
    init(_ buffering: BufferingPolicy = .unbounded, throwing: Failure.Type) {
        let (undelivered, terminations) = (self.undelivered, self.terminations)
        let (sequence, sink) = Sequence.makeSequence(
            buffering: buffering,
            onUndelivered: { undelivered($0) },
            fileID: Place.fileID,
            line: self.place.line
        )
        sink.onTermination { terminations($0) }
        self.sequence.put(sequence)
        self.sink.put(sink)
    }

    /// A cold sequence, which puts its sink into ``sink``.
    init(
        coldly buffering: BufferingPolicy,
        throwing: Failure.Type,
        start: @escaping @Sendable (Sequence.Sink) -> Void
    ) {
        let (undelivered, terminations, sink) = (self.undelivered, self.terminations, self.sink)
        let sequence = Sequence.starting(
            buffering: buffering,
            onUndelivered: { undelivered($0) },
            fileID: Place.fileID,
            line: self.place.line
        ) { made in
            made.onTermination { terminations($0) }
            sink.put(made)
            start(made)
        }
        self.sequence.put(sequence)
    }

    func fault(_ code: BridgeFault.Code) -> BridgeFault { BridgeFault(code, made: self.place.site) }

    @discardableResult
    func yield(_ element: Int) -> Sequence.YieldResult? { self.sink.value?.yield(element) }

    /// Iterates to the end, or for some elements only; the sequence itself stays with the test.
    func consumer(taking limit: Int = .max) -> HandDriven<Void> {
        let (sequence, received) = (self.sequence, self.received)
        return self.ending(
            HandDriven {
                guard let iterator = sequence.value?.makeAsyncIterator() else { return }
                try await iterate(iterator, taking: limit) { received($0) }
            }
        )
    }

    /// A consumer that has parked.
    func parkedConsumer(taking limit: Int = .max) -> HandDriven<Void> {
        let consumer = self.consumer(taking: limit)
        consumer.turn()
        return consumer
    }

    /// Sends, in a task of its own.
    func sender(_ element: Int) -> HandDriven<Bool> {
        let sink = self.sink
        return self.ending(HandDriven { try await sink.value?.send(element) ?? false })
    }

    /// A sender that waits for room.
    func waitingSender(_ element: Int) -> HandDriven<Bool> {
        let sender = self.sender(element)
        sender.turn()
        return sender
    }
}

/// A loop in a frame of its own: when it has returned, the iterator is gone.
func iterate<Element, Failure>(
    _ iterator: consuming CallbackSequence<Element, Failure>.AsyncIterator,
    taking limit: Int,
    _ body: (Element) -> Void
) async throws {
    var iterator = iterator
    var count = 0
    while count < limit, let element = try await iterator.next() {
        body(element)
        count += 1
    }
}

extension SequenceTrial where Failure == any Error {
    convenience init(_ buffering: BufferingPolicy = .unbounded) {
        self.init(buffering, throwing: (any Error).self)
    }

    convenience init(
        coldly buffering: BufferingPolicy,
        start: @escaping @Sendable (Sequence.Sink) -> Void = { _ in }
    ) {
        self.init(coldly: buffering, throwing: (any Error).self, start: start)
    }
}
