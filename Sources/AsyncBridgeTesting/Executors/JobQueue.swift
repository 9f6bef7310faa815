// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The jobs of an executor, run one at a time by whichever thread asks for one.
final class JobQueue: Sendable {
    /// Something to run.
    ///
    /// Safe: an entry is run once, by the thread that took it out.
    @safe
    enum Entry: Sendable {
        case task(UnownedJob, UnownedTaskExecutor)
        case serial(UnownedJob, UnownedSerialExecutor)
        case block(@Sendable () -> Void)

        func run() {
            switch self {
            // Safe: the executor is alive, since it is running this.
            case .task(let job, let executor): unsafe job.runSynchronously(on: executor)
            case .serial(let job, let executor): unsafe job.runSynchronously(on: executor)
            case .block(let block): block()
            }
        }
    }

    /// How much there is to do, for tasks that wait for it.
    ///
    /// Why not under the queue's lock: a change of the tally resumes its waiter, and that may queue a job.
    struct Tally: Sendable {
        /// Jobs that are not done.
        ///
        /// Counted before a job is in the queue, so that it never shows less than there is.
        var outstanding = 0
        /// Jobs that came.
        ///
        /// Counted when a job is in the queue, so that it never shows one that cannot be run yet.
        var arrived = 0
        /// Jobs that were begun.
        var begun = 0

        var isIdle: Bool { self.outstanding == 0 }

        var queued: Int { self.arrived - self.begun }
    }

    struct State {
        var entries: [Entry] = []
        var runner: ThreadID?
        var isClosed = false
    }

    private let state = Monitor(State())

    let tally = Watched(Tally())

    var count: Int { self.state.update { $0.entries.count } }

    var isCurrent: Bool { self.state.update { $0.runner } == ThreadID.current }

    func append(_ entry: Entry) {
        // Race: as soon as the entry is in the queue, another thread may run it, and with it may end the code that kept
        // the executor alive, before this call is over. The runtime's reference to an executor does not count.
        // Safe: balanced by the release below; nothing in between throws or returns.
        let kept = unsafe Unmanaged.passRetained(self)
        defer { unsafe kept.release() }
        self.tally.update { $0.outstanding += 1 }
        self.state.update { $0.entries.append(entry) }
        self.tally.update { $0.arrived += 1 }
    }

    /// Runs the oldest entry, if there is one.
    func runOne() -> Bool {
        let entry: Entry? = self.state.wait { state in
            self.assertNotNested(state)
            // Another thread is running an entry: wait for it, because serial means serial.
            guard state.runner == nil else { return nil }
            return .some(Self.take(&state))
        }
        guard let entry else { return false }
        self.run(entry)
        return true
    }

    /// Runs entries as they come, until the queue is closed and empty.
    ///
    /// Blocks the thread while there is none.
    func runUntilClosed() {
        while true {
            let entry: Entry? = self.state.wait { state in
                guard state.runner == nil else { return nil }
                if let entry = Self.take(&state) { return .some(entry) }
                return state.isClosed ? .some(nil) : nil
            }
            guard let entry else { return }
            self.run(entry)
        }
    }

    /// Lets ``runUntilClosed()`` return when it has run what is there.
    func close() { self.state.update { $0.isClosed = true } }

    private static func take(_ state: inout State) -> Entry? {
        guard !state.entries.isEmpty else { return nil }
        state.runner = .current
        return state.entries.removeFirst()
    }

    private func run(_ entry: Entry) {
        self.tally.update { $0.begun += 1 }
        entry.run()
        self.state.update { $0.runner = nil }
        self.tally.update { $0.outstanding -= 1 }
    }

    private func assertNotNested(_ state: State) {
        precondition(
            state.runner != .current,
            "A job of a ManualExecutor must not run its other jobs: return, and let the test run them"
        )
    }
}
