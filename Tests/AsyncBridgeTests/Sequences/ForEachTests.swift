// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("forEach", .timeLimit(.minutes(10)))
struct ForEachTests {
    private let elements = Log<Int>()
    private let ends = Log<String>()

    private func ended(_ result: Result<Void, any Error>) {
        switch result {
        case .success: self.ends("finished")
        case .failure(let error as APIError): self.ends("failed \(error.code)")
        case .failure(is CancellationError): self.ends("cancelled")
        case .failure(let error): self.ends("\(error)")
        }
    }

    @Test func `calls for each element in order then for the end`() async {
        let trial = SequenceTrial()
        let handle = trial.sequence.take()?.forEach {
            self.elements($0)
        } onCompletion: {
            self.ended($0)
        }
        for element in 1...100 { trial.yield(element) }
        trial.sink.value?.finish()
        await handle?.finished()
        #expect(self.elements.all == Array(1...100))
        #expect(self.ends.all == ["finished"])
        #expect(trial.terminations.all == [.finished])
    }

    @Test func `tells of the sequences error`() async {
        let trial = SequenceTrial()
        let handle = trial.sequence.take()?.forEach {
            self.elements($0)
        } onCompletion: {
            self.ended($0)
        }
        trial.yield(1)
        trial.sink.value?.fail(APIError(code: 8))
        await handle?.finished()
        #expect(self.elements.all == [1])
        #expect(self.ends.all == ["failed 8"])
    }

    @Test(arguments: [true, false])
    func `cancel ends it once and stops the source`(isTyped: Bool) async {
        BridgeDiagnostics.tracksPendingWaits = true
        let place: Place
        let terminations: Log<SequenceTermination>
        let handle: CallHandle?
        if isTyped {
            let trial = SequenceTrial(throwing: Never.self)
            (place, terminations) = (trial.place, trial.terminations)
            handle = trial.sequence.take()?.forEach {
                self.elements($0)
            } onCompletion: {
                self.ended($0)
            }
            await until { place.waits(of: "CallbackSequence") == 1 }
            handle?.cancel()
            await handle?.finished()
        } else {
            let trial = SequenceTrial()
            (place, terminations) = (trial.place, trial.terminations)
            handle = trial.sequence.take()?.forEach {
                self.elements($0)
            } onCompletion: {
                self.ended($0)
            }
            await until { place.waits(of: "CallbackSequence") == 1 }
            handle?.cancel()
            await handle?.finished()
        }
        #expect(self.ends.all == ["cancelled"])
        #expect(terminations.all == [.cancelled])
        #expect(self.elements.all.isEmpty)
    }

    @Test func `a handler that cancels gets no more elements`() async {
        let trial = SequenceTrial()
        let handles = Slot<CallHandle>()
        for element in 1...3 { trial.yield(element) }
        let handle = trial.sequence.take()?.forEach {
            self.elements($0)
            spin { handles.value != nil }
            handles.value?.cancel()
        } onCompletion: {
            self.ended($0)
        }
        handle.map(handles.put)
        await handle?.finished()
        #expect(self.elements.all == [1])
        #expect(self.ends.all == ["cancelled"])
        #expect(trial.terminations.all == [.cancelled])
    }

    /// Three numbers, without an ear for cancellation.
    private struct Deaf: AsyncSequence, AsyncIteratorProtocol, Sendable {
        typealias Failure = Never
        private var rest = 3

        func makeAsyncIterator() -> Deaf { self }

        mutating func next() async -> Int? {
            defer { self.rest -= 1 }
            return self.rest > 0 ? self.rest : nil
        }
    }

    @Test func `a handler that cancels a deaf sequence gets no more elements`() async {
        let handles = Slot<CallHandle>()
        let handle = Deaf().forEach {
            self.elements($0)
            spin { handles.value != nil }
            handles.value?.cancel()
        } onCompletion: {
            self.ended($0)
        }
        handles.put(handle)
        await handle.finished()
        #expect(self.elements.all == [3])
        #expect(self.ends.all == ["cancelled"])
    }

    @Test func `dropping the handle does not cancel`() async {
        let trial = SequenceTrial()
        trial.sequence.take()?.forEach {
            self.elements($0)
        } onCompletion: {
            self.ended($0)
        }
        trial.yield(1)
        trial.sink.value?.finish()
        await until { self.ends.count == 1 }
        #expect(self.elements.all == [1])
        #expect(self.ends.all == ["finished"])
    }

    @MainActor
    @Test func `handlers run on the actor where they were written`() async {
        let trial = SequenceTrial()
        var seen: [Int] = []
        var ends = 0
        let handle = trial.sequence.take()?.forEach { element in
            MainActor.preconditionIsolated()
            seen.append(element)
        } onCompletion: { _ in
            MainActor.preconditionIsolated()
            ends += 1
        }
        for element in 1...3 { trial.yield(element) }
        trial.sink.value?.finish()
        await handle?.finished()
        #expect(seen == [1, 2, 3])
        #expect(ends == 1)
    }
}
