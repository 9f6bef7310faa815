// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

/// What a scenario says about its own law may be wrong for the end that it has seen.
@Suite("What to do is said of the end that was seen", .timeLimit(.minutes(10)))
struct SequenceAdviceTests {
    private static func first(
        _ scenario: String,
        _ promises: SequencePromises = .wrong,
        buffering: BufferingPolicy = .unbounded,
        _ retell: @escaping @Sendable (Result<Int?, any Error>) throws -> Int?
    ) async throws -> Violation {
        let violations = await SequenceLaws.check("mine", promises: promises, only: [scenario]) { source in
            Retold(base: buffered(source, buffering), retell: retell)
        }
        return try #require(violations.first)
    }

    @Test func `an error instead of the end`() async throws {
        let violation = try await Self.first("the source sends elements after its end") { result in
            guard let element = try result.get() else { throw OtherError() }
            return element
        }
        #expect(violation.law == .errors, "\(violation)")
        #expect(violation.advice.hasPrefix("end without an error"), "\(violation)")
    }

    @Test func `an error of its own for a cancellation`() async throws {
        let violation = try await Self.first("the task is cancelled during the wait") { result in
            do { return try result.get() } catch is CancellationError { throw OtherError() }
        }
        #expect(violation.law == .cancellation, "\(violation)")
        #expect(violation.advice.contains("not with an error of its own"), "\(violation)")
    }

    @Test func `a cancellation instead of an error of the bridge`() async throws {
        let violation = try await Self.first("the source forgets its closures during the wait") { result in
            do { return try result.get() } catch is BridgeFault { throw CancellationError() }
        }
        #expect(violation.law == .errors, "\(violation)")
        #expect(violation.advice.contains("nobody has cancelled"), "\(violation)")
    }

    @Test func `elements that the source has not sent`() async throws {
        let violation = try await Self.first("the source sends while the consumer waits") { result in
            try result.get().map { $0 + 1_000 }
        }
        #expect(violation.law == .errors, "\(violation)")
        #expect(violation.advice.contains("as they are"), "\(violation)")
    }

    @Test func `the end where the buffer was full`() async throws {
        let promises = SequencePromises.wrong.with { $0.overflow = .fails }
        let violation = try await Self.first(
            "elements, ends and consumers come and go in random order",
            promises,
            buffering: .failing(capacity: 4)
        ) {
            result in
            do { return try result.get() } catch let fault as BridgeFault where fault.code == .bufferOverflow {
                return nil
            }
        }
        #expect(violation.law == .backPressure, "\(violation)")
        #expect(violation.explanation.hasPrefix("expected an error when the buffer was full"), "\(violation)")
    }

    @Test func `an element that was consumed and handed back`() async throws {
        let promises = SequencePromises.wrong.with { $0.handsBackElements = true }
        let violations = await SequenceLaws.check(
            "mine",
            promises: promises,
            only: ["the task is cancelled while it takes elements, many times"]
        ) { source in
            Retold(base: buffered(source, .unbounded)) { result in
                let element = try result.get()
                if let element { source.takeBack(element) }
                return element
            }
        }
        let violation = try #require(violations.first)
        #expect(violation.law == .backPressure, "\(violation)")
        #expect(violation.advice.contains("none that was consumed"), "\(violation)")
    }
}

private func buffered(_ source: SequenceSource, _ buffering: BufferingPolicy) -> CallbackSequence<Int, any Error> {
    CallbackSequence(buffering: buffering, onUndelivered: { source.takeBack($0) }) { sink in
        let handle = source.start(
            onElement: sink.handler(),
            onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
        )
        return { handle.cancel() }
    }
}

/// Tells each result of a sequence in another way.
private struct Retold: AsyncSequence {
    let base: CallbackSequence<Int, any Error>
    let retell: @Sendable (Result<Int?, any Error>) throws -> Int?

    struct Iterator: AsyncIteratorProtocol {
        var base: CallbackSequence<Int, any Error>.AsyncIterator
        let retell: @Sendable (Result<Int?, any Error>) throws -> Int?

        mutating func next() async throws -> Int? {
            let result: Result<Int?, any Error>
            do { result = .success(try await self.base.next()) } catch { result = .failure(error) }
            return try self.retell(result)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: self.base.makeAsyncIterator(), retell: self.retell) }
}
