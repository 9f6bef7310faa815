// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import Coroutines
import Testing

/// A task that waits for a future, a channel, a lock or a selection, and what can become of its wait.
///
/// Each is made and called at a line of its own, which is how the tests find it in a list that other tests fill too.
enum ListedWait: UInt, CaseIterable, Sendable {
    case channelSend = 1_000_001
    case channelReceive
    case broadcastSend
    case semaphore
    case mutex
    case semaphoreWithTimeout
    case semaphoreWithTimeoutInACoroutine
    case future
    case futureInACoroutine
    case selection
    case scope

    enum End: CaseIterable, Sendable {
        case served
        case cancelled
        /// What is waited for comes to an end, or fails.
        case ended
    }

    /// How the list calls it.
    var bridge: String {
        switch self {
        case .channelSend: "CoChannel.send"
        case .channelReceive: "CoChannel.receive"
        case .broadcastSend: "CoBroadcast.send"
        case .semaphore, .semaphoreWithTimeout, .semaphoreWithTimeoutInACoroutine: "CoSemaphore"
        case .mutex: "CoMutex"
        case .future, .futureInACoroutine: "CoFuture"
        case .selection: "select"
        case .scope: "withCoroutineScope"
        }
    }

    func site(for end: End) -> CallSite { CallSite(fileID: Self.fileID, line: self.line(for: end)) }

    private static let fileID: StaticString = "Tests/TaskWaitListTests.swift"

    private func line(for end: End) -> UInt {
        switch end {
        case .served: self.rawValue
        case .cancelled: self.rawValue + 100
        case .ended: self.rawValue + 200
        }
    }

    /// A task that waits, and what ends its wait.
    func start(_ end: End) async throws -> (task: Task<Void, any Error>, end: @Sendable () -> Void) {
        let (fileID, line) = (Self.fileID, self.line(for: end))
        switch self {
        case .channelSend:
            let channel = CoChannel<Int>(buffering: .bounded(capacity: 0), fileID: fileID, line: line)
            return (
                Task { try await channel.send(1) },
                { if end == .served { _ = channel.poll() } else { channel.close() } }
            )
        case .channelReceive:
            let channel = CoChannel<Int>(buffering: .bounded(capacity: 0), fileID: fileID, line: line)
            return (
                Task { _ = try await channel.receive() },
                { if end == .served { channel.offer(1) } else { channel.close() } }
            )
        case .broadcastSend:
            let broadcast = CoBroadcast(of: Int.self, fileID: fileID, line: line)
            let receiver = broadcast.subscribe(buffering: .rendezvous)
            return (
                Task { try await broadcast.send(1) },
                { if end == .served { _ = receiver.poll() } else { broadcast.close() } }
            )
        case .semaphore:
            let semaphore = CoSemaphore(permits: 0, fileID: fileID, line: line)
            return (Task { try await semaphore.acquire() }, { semaphore.release() })
        case .semaphoreWithTimeout:
            let semaphore = CoSemaphore(permits: 0, fileID: fileID, line: line)
            return (Task { try await semaphore.acquire(timeout: .seconds(3600)) }, { semaphore.release() })
        case .semaphoreWithTimeoutInACoroutine:
            let semaphore = CoSemaphore(permits: 0, fileID: fileID, line: line)
            return (
                Task { try await withCoroutine { try semaphore.awaitAcquire(timeout: .seconds(3600)) } },
                { semaphore.release() }
            )
        case .mutex:
            let mutex = CoMutex(0, fileID: fileID, line: line)
            let taken = Gate()
            let owner = Task { try await mutex.withLock { _ in try await taken.pass() } }
            try await taken.arrivals(atLeast: 1)
            return (
                Task {
                    try await mutex.withLock { _ in }
                    try await owner.value
                },
                { taken.open() }
            )
        case .future:
            let promise = CoPromise<Int>()
            return (
                Task { _ = try await promise.value(cancellation: .abandon, fileID: fileID, line: line) },
                { if end == .served { promise.success(1) } else { promise.fail(Failure(1)) } }
            )
        case .futureInACoroutine:
            let promise = CoPromise<Int>()
            return (
                Task { try await withCoroutine { _ = try promise.await(fileID: fileID, line: line) } },
                { if end == .served { promise.success(1) } else { promise.fail(Failure(1)) } }
            )
        case .selection:
            let (left, right) = (CoChannel<Int>(), CoChannel<Int>())
            return (
                Task {
                    _ = try await select(
                        .receive(from: left) { $0 },
                        .receive(from: right) { $0 },
                        fileID: fileID,
                        line: line
                    )
                },
                { if end == .served { left.offer(1) } else { right.close() } }
            )
        case .scope:
            let gate = Gate()
            return (
                Task {
                    try await withCoroutineScope(fileID: fileID, line: line) { scope in
                        scope.start {
                            try await gate.pass()
                            if end == .ended { throw Failure(1) }
                        }
                    }
                },
                { gate.open() }
            )
        }
    }
}

/// The list is one for the whole process: it is switched off in processes of their own only.
@Suite("Pending waits of tasks for futures, channels, locks and selections", .timeLimit(.minutes(10)))
struct TaskWaitListTests {
    private func listed(_ site: CallSite) -> [BridgeDiagnostics.PendingWait] {
        BridgeDiagnostics.pendingWaits.filter { $0.made == site }
    }

    @Test(arguments: ListedWait.allCases, ListedWait.End.allCases)
    func `is in the list while it waits`(wait: ListedWait, end: ListedWait.End) async throws {
        BridgeDiagnostics.tracksPendingWaits = true
        let site = wait.site(for: end)
        let (task, endIt) = try await wait.start(end)
        var entries: [BridgeDiagnostics.PendingWait] = []
        while entries.isEmpty {
            await Task.yield()
            entries = self.listed(site)
        }
        #expect(entries.map(\.bridge) == [wait.bridge])
        #expect(entries[0].task != nil)
        if end == .cancelled { task.cancel() } else { endIt() }
        _ = await task.result
        #expect(self.listed(site).isEmpty)
        endIt()
    }
}
