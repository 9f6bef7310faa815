// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization

struct OtherError: Error {}

/// A continuation that a wrong bridge may resume as often as it likes: only the first time counts.
final class Cell: Sendable {
    typealias Answer = Result<Int, any Error>

    struct State {
        // Unsafe, because a checked one complains on standard error when a wrong bridge forgets it.
        var continuation: UnsafeContinuation<Answer, Never>?
        var answer: Answer?
    }

    private let state = Mutex(State())
    private let waiting = ForgottenCells.ofTest

    func store(_ continuation: UnsafeContinuation<Answer, Never>) {
        self.waiting?.add(self)
        let answer = self.state.withLock { state in
            if state.answer == nil { state.continuation = continuation }
            return state.answer
        }
        if let answer { self.resume(continuation, answer) }
    }

    private func resume(_ continuation: UnsafeContinuation<Answer, Never>, _ answer: Answer) {
        self.waiting?.remove(self)
        continuation.resume(returning: answer)
    }

    func resume(_ answer: Answer) {
        let continuation: UnsafeContinuation<Answer, Never>? = self.state.withLock { state in
            if state.answer == nil { state.answer = answer }
            defer { state.continuation = nil }
            return state.continuation
        }
        if let continuation { self.resume(continuation, answer) }
    }
}

/// The cells of one test whose continuation has not been resumed.
///
/// That a wrong bridge never does it is what the laws find. When they have, it is done here: a task left waiting would
/// be a leak of the test's own.
final class ForgottenCells: Sendable {
    @TaskLocal fileprivate static var ofTest: ForgottenCells?

    /// `nil` once the test is over.
    private let cells = Mutex<[ObjectIdentifier: Cell]?>([:])
    private let releases = Mutex<[@Sendable () -> Void]>([])

    private init() {}

    /// Runs a test, then lets the calls end that its bridges have forgotten.
    static func resumed<Result>(after test: () async -> Result) async -> Result {
        let forgotten = ForgottenCells()
        let result = await Self.$ofTest.withValue(forgotten, operation: test)
        let cells = forgotten.cells.withLock { cells in
            defer { cells = nil }
            return cells
        }
        for release in forgotten.releases.withLock({ $0 }) { release() }
        for cell in (cells ?? [:]).values {
            // On threads of their own: a thread that hangs while it cancels the task locks out who would resume it.
            DispatchQueue(label: "forgotten").async { cell.resume(.failure(OtherError())) }
        }
        return result
    }

    /// Says what sets free, after the test, a thread that a wrong bridge has stuck.
    static func afterTest(_ release: @escaping @Sendable () -> Void) {
        Self.ofTest?.releases.withLock { $0.append(release) }
    }

    fileprivate func add(_ cell: Cell) {
        let isOver = self.cells.withLock { cells in
            cells?[ObjectIdentifier(cell)] = cell
            return cells == nil
        }
        // A call that the laws had no patience for may begin after the test.
        if isOver { cell.resume(.failure(OtherError())) }
    }

    fileprivate func remove(_ cell: Cell) {
        // Released outside the lock.
        _ = self.cells.withLock { $0?.removeValue(forKey: ObjectIdentifier(cell)) }
    }
}

/// What most code does with `withCheckedThrowingContinuation`, but a second resumption does not end the process.
func withCell(_ start: (Cell) -> Void) async throws -> Int {
    let cell = Cell()
    return try await withUnsafeContinuation { continuation in
        cell.store(continuation)
        start(cell)
    }.get()
}

/// A handle that may be cancelled before it is there.
final class Latch: Sendable {
    struct State {
        var handle: SourceHandle?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func set(_ handle: SourceHandle) {
        let isCancelled = self.state.withLock { state in
            state.handle = handle
            return state.isCancelled
        }
        if isCancelled { handle.cancel() }
    }

    func cancel() {
        let handle = self.state.withLock { state in
            state.isCancelled = true
            return state.handle
        }
        handle?.cancel()
    }
}

/// Runs an action when it is released, unless disarmed.
final class DropWatch: Sendable {
    private let action: @Sendable () -> Void
    private let isArmed = Atomic(true)

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    func disarm() { self.isArmed.store(false, ordering: .sequentiallyConsistent) }

    deinit { if self.isArmed.load(ordering: .sequentiallyConsistent) { self.action() } }
}

/// A lock that really waits, where the standard library's would trap.
final class NonRecursiveLock: Sendable {
    private let semaphore = DispatchSemaphore(value: 1)

    init() {
        let semaphore = self.semaphore
        ForgottenCells.afterTest { for _ in 0..<100 { semaphore.signal() } }
    }

    func locked(_ body: () -> Void) {
        self.semaphore.wait()
        body()
        self.semaphore.signal()
    }
}
