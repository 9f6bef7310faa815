// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("CallbackSequence: handlers of a sink", .timeLimit(.minutes(10)))
struct SinkHandlerTests {
    typealias Sink<Failure: Error> = CallbackSequence<Int, Failure>.Sink

    /// What a sequence came to whose source has ended.
    private func end<Failure>(
        throwing: Failure.Type,
        of source: (Sink<Failure>) -> Void
    ) -> SequenceTermination? {
        let trial = SequenceTrial(.unbounded, throwing: Failure.self)
        trial.sink.value.map(source)
        return trial.terminations.all.first
    }

    private func end(of source: (Sink<any Error>) -> Void) -> SequenceTermination? {
        self.end(throwing: (any Error).self, of: source)
    }

    @Test func `completion without a value finishes`() {
        func old(_ completion: @escaping @Sendable () -> Void) { completion() }
        #expect(self.end { old($0.completionHandler()) } == .finished)
        #expect(self.end(throwing: Never.self) { old($0.completionHandler()) } == .finished)
    }

    @Test(arguments: [false, true])
    func `(Error?) -> Void`(fails: Bool) {
        let error = fails ? APIError(code: 5) : nil
        func old(_ completion: @escaping @Sendable ((any Error)?) -> Void) { completion(error) }
        func known(_ completion: @escaping @Sendable (APIError?) -> Void) { completion(error) }
        let end: SequenceTermination = fails ? .failed : .finished
        #expect(self.end { old($0.completionHandler()) } == end)
        #expect(self.end { known($0.completionHandler()) } == end)
        #expect(self.end(throwing: APIError.self) { known($0.completionHandler()) } == end)
    }

    @Test(arguments: [false, true])
    func `(Result<Void, Error>) -> Void`(fails: Bool) {
        let error = APIError(code: 5)
        func old(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
            completion(fails ? .failure(error) : .success(()))
        }
        func known(_ completion: @escaping @Sendable (Result<Void, APIError>) -> Void) {
            completion(fails ? .failure(error) : .success(()))
        }
        let end: SequenceTermination = fails ? .failed : .finished
        #expect(self.end { old($0.completionHandler()) } == end)
        #expect(self.end { known($0.completionHandler()) } == end)
        #expect(self.end { sink in known { sink.finish(with: $0) } } == end)
        #expect(self.end(throwing: APIError.self) { known($0.completionHandler()) } == end)
    }

    @Test func `error handler fails`() throws {
        func known(_ failure: @escaping @Sendable (APIError) -> Void) { failure(APIError(code: 5)) }
        let trial = SequenceTrial()
        trial.yield(1)
        trial.sink.value.map { known($0.errorHandler()) }
        let consumer = trial.parkedConsumer()
        #expect(throws: APIError(code: 5)) { try consumer.get() }
        #expect(trial.received.all == [1])
        #expect(self.end(throwing: APIError.self) { known($0.errorHandler()) } == .failed)
    }

    @Test func `closures make elements or the end`() throws {
        let trial = SequenceTrial()
        let handler = Slot<@Sendable (Int, Int, (any Error)?) -> Void>()
        trial.sink.value.map { sink in
            handler.put(
                sink.handler { first, second, error in
                    if let error { throw error }
                    return first + second
                }
            )
        }
        handler.value?(1, 2, nil)
        handler.value?(3, 4, nil)
        handler.value?(5, 6, APIError(code: 7))
        handler.value?(8, 9, nil)
        let consumer = trial.parkedConsumer()
        #expect(throws: APIError(code: 7)) { try consumer.get() }
        #expect(trial.received.all == [3, 7])
        #expect(trial.undelivered.all == [17])
    }

    @Test func `closures where nothing can fail`() throws {
        func old(_ onElement: @escaping (String) -> Void) { onElement("3") }
        let trial = SequenceTrial(.unbounded, throwing: Never.self)
        @Sendable func decode(_ text: String) -> Int { Int(text) ?? 0 }
        trial.sink.value.map { sink in old(sink.handler { Int($0) ?? 0 }) }
        trial.sink.value.map { sink in old(sink.handler(decode)) }
        trial.sink.value?.finish()
        let consumer = trial.parkedConsumer()
        try consumer.get()
        #expect(trial.received.all == [3, 3])
    }

    /// As for a sink itself.
    @Test func `a sink is not dropped as long as a handler of its end lives`() throws {
        let trial = SequenceTrial()
        let consumer = trial.parkedConsumer()
        let handler = Slot<@Sendable () -> Void>()
        trial.sink.value.map { handler.put($0.completionHandler()) }
        trial.sink.take()
        #expect(trial.terminations.all.isEmpty)
        handler.value?()
        consumer.turn()
        #expect(throws: Never.self) { try consumer.get() }
    }
}
