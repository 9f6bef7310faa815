// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// A source that can run once at a time, as a manager with one session can.
private struct Session: AsyncSequence, Sendable {
    let story = Log<String>()
    /// Opened by the test: until then, iterators take no notice of their cancellation.
    let gate = ReplySlot<Void>(overlap: .share)

    final class Iterator: AsyncIteratorProtocol {
        private let session: Session
        private var next = 1

        init(_ session: Session) {
            self.session = session
            session.story("start")
        }

        deinit { self.session.story("stop") }

        func next() async -> Int? {
            self.next += 1
            if self.next == 2 { return 1 }
            let gate = self.session.gate
            // In a task of its own, which nobody cancels.
            await Task { try? await gate.wait() }.value
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}

@Suite("share(): one run of the source after the other", .timeLimit(.minutes(10)))
struct SharedSequenceRunTests {
    @Test func `the next run begins when the last one has stopped`() async {
        let session = Session()
        let shared = session.share()
        for await _ in shared { break }
        // The source waits on, though nobody consumes it.
        await until { session.gate.isWaiting }

        let second = Task {
            for await element in shared { return element }
            return 0
        }
        // Enough turns for a run that does not wait.
        for _ in 0..<1000 { await Task.yield() }
        session.gate.resume(returning: ())
        #expect(await second.value == 1)
        #expect(session.story.all.prefix(3) == ["start", "stop", "start"])
        session.gate.close()
        await until { session.story.count == 4 }
    }

    /// The run that waits for the source is given up before it has it.
    @Test func `a run that waits for the source can be left`() async {
        let session = Session()
        let shared = session.share()
        for await _ in shared { break }
        await until { session.gate.isWaiting }

        let second = Task { for await _ in shared {} }
        for _ in 0..<100 { await Task.yield() }
        second.cancel()
        await second.value
        session.gate.close()
        await until { session.story.count == 2 }
        for await element in shared {
            #expect(element == 1)
            break
        }
        #expect(session.story.all.prefix(3) == ["start", "stop", "start"])
    }
}
