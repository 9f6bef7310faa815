// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// An element that was taken is handled, and a source that had finished is not called cancelled.
@Suite("forEach: its cancellation and the last element", .timeLimit(.minutes(10)))
struct ForEachEndTests {
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

    /// Two numbers; the task is cancelled while the first one is on its way out.
    private struct CancelledInside: AsyncSequence, AsyncIteratorProtocol, Sendable {
        typealias Failure = Never
        private var next = 1

        func makeAsyncIterator() -> CancelledInside { self }

        mutating func next() async -> Int? {
            defer { self.next += 1 }
            withUnsafeCurrentTask { $0?.cancel() }
            return self.next <= 2 ? self.next : nil
        }
    }

    @Test func `an element that was taken is handled`() async {
        let handle = CancelledInside().forEach {
            self.elements($0)
        } onCompletion: {
            self.ended($0)
        }
        await handle.finished()
        #expect(self.elements.all == [1])
        #expect(self.ends.all == ["cancelled"])
    }

    /// The handler of the last element cancels, and the source had finished before.
    @Test(arguments: ["finished", "failed 3"])
    func `a source that had ended is not called cancelled`(_ end: String) async {
        let trial = SequenceTrial()
        for element in 1...3 { trial.yield(element) }
        if end == "finished" { trial.sink.value?.finish() } else { trial.sink.value?.fail(APIError(code: 3)) }
        let handles = Slot<CallHandle>()
        let handle = trial.sequence.take()?.forEach {
            self.elements($0)
            spin { handles.value != nil }
            if $0 == 3 { handles.value?.cancel() }
        } onCompletion: {
            self.ended($0)
        }
        handle.map(handles.put)
        await handle?.finished()
        #expect(self.elements.all == [1, 2, 3])
        #expect(self.ends.all == [end])
        #expect(trial.undelivered.all.isEmpty)
    }

    @Test func `a typed source that had finished is not called cancelled`() async {
        let trial = SequenceTrial(throwing: Never.self)
        for element in 1...3 { trial.yield(element) }
        trial.sink.value?.finish()
        let handles = Slot<CallHandle>()
        let handle = trial.sequence.take()?.forEach {
            self.elements($0)
            spin { handles.value != nil }
            if $0 == 3 { handles.value?.cancel() }
        } onCompletion: {
            self.ended($0)
        }
        handle.map(handles.put)
        await handle?.finished()
        #expect(self.elements.all == [1, 2, 3])
        #expect(self.ends.all == ["finished"])
    }

    /// An element that nobody handled is left: that is a cancellation.
    @Test(arguments: [true, false])
    func `a finished source with elements left is called cancelled`(isTyped: Bool) async {
        let handles = Slot<CallHandle>()
        let handle: CallHandle?
        if isTyped {
            let trial = SequenceTrial(throwing: Never.self)
            for element in 1...3 { trial.yield(element) }
            trial.sink.value?.finish()
            handle = trial.sequence.take()?.forEach {
                self.elements($0)
                spin { handles.value != nil }
                if $0 == 2 { handles.value?.cancel() }
            } onCompletion: {
                self.ended($0)
            }
        } else {
            let trial = SequenceTrial()
            for element in 1...3 { trial.yield(element) }
            trial.sink.value?.finish()
            handle = trial.sequence.take()?.forEach {
                self.elements($0)
                spin { handles.value != nil }
                if $0 == 2 { handles.value?.cancel() }
            } onCompletion: {
                self.ended($0)
            }
        }
        handle.map(handles.put)
        await handle?.finished()
        #expect(self.elements.all == [1, 2])
        #expect(self.ends.all == ["cancelled"])
    }

    @Test func `in a task already cancelled the source is not started, and that is a cancellation`() async {
        let trial = SequenceTrial(coldly: .unbounded)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            guard let sequence = trial.sequence.value else { return }
            for try await _ in sequence {}
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(trial.sink.value == nil)
    }
}

@Suite("forEach: its cancellation and the last element, under stress", .serialized, .timeLimit(.minutes(60)))
struct ForEachEndStressTests {
    /// Every element is handled or comes back, and the end is the source's if all were handled.
    @Test func `nothing is lost`() async {
        let wrong = Log<String>()
        for round in 0..<max(1, Stress.iterations / 4) {
            let (handled, undelivered, ends) = (Log<Int>(), Log<Int>(), Log<Bool>())
            let (sequence, sink) = CallbackSequence<Int, any Error>.makeSequence(onUndelivered: { undelivered($0) })
            let handle = sequence.forEach {
                handled($0)
            } onCompletion: { result in
                if case .success = result { ends(true) } else { ends(false) }
            }
            for number in 0..<10 { sink.yield(number) }
            sink.finish()
            handle.cancel()
            await handle.finished()
            let count = handled.count + undelivered.count
            if count != 10 { wrong("\(round): \(handled.all) and \(undelivered.all)") }
            if ends.all != [handled.count == 10] { wrong("\(round): \(handled.count) handled, ended \(ends.all)") }
        }
        #expect(wrong.all.isEmpty, "\(wrong.all.prefix(3)) of \(wrong.count)")
    }
}
