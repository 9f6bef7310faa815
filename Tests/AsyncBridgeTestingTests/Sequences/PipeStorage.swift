// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization

/// What the sides of a pipe share.
final class PipeStorage: Sendable {
    struct State {
        var buffer: [Int] = []
        /// How many elements are left of those that were there when the consumer last found all of a batch taken.
        var batch = 0
        var hasEnded = false
        /// Whether nobody waited when it ended.
        var hasEndedUnseen = false
        var error: (any Error)?
        /// Nobody consumes any more.
        var isStopped = false
        var waiters: [UnsafeContinuation<Void, Never>] = []
        var handle: SourceHandle?
    }

    let flaw: Pipe.Flaw
    private let takeBack: @Sendable (Int) -> Void
    private let noteDropped: @Sendable () -> Void
    /// Runs between two steps of a flaw that should be one.
    private let between: @Sendable () -> Void
    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)
    /// Held by the flaws that call the source under a lock.
    private let lock = NonRecursiveLock()

    init(
        _ flaw: Pipe.Flaw,
        takeBack: @escaping @Sendable (Int) -> Void,
        noteDropped: @escaping @Sendable () -> Void,
        between: @escaping @Sendable () -> Void
    ) {
        self.flaw = flaw
        self.takeBack = takeBack
        self.noteDropped = noteDropped
        self.between = between
    }

    func set(_ handle: SourceHandle) {
        let isStopped = self.state.withLock { state in
            if !state.isStopped { state.handle = handle }
            return state.isStopped
        }
        if isStopped { handle.cancel() }
    }

    // MARK: The source

    func send(_ element: Int) {
        if self.callsUnderItsLock { self.lock.locked {} }
        var (isTaken, isDropping) = (true, false)
        self.change { state in
            guard !state.hasEnded && !state.isStopped || self.flaw == .deliversAfterTheEnd else {
                isTaken = false
                return
            }
            if self.flaw == .failsWithoutItsBuffer, state.buffer.count == 16 {
                state.hasEnded = true
                state.error = OtherError()
                state.buffer = []
            } else if self.flaw == .keepsNoMoreThanSixtyFiveThousand, state.buffer.count == 65_536 {
                isTaken = false
            } else if self.flaw == .replacesItsNewest, state.buffer.count == 16 {
                state.buffer[15] = element
                isDropping = true
            } else if self.flaw == .prefersTheNewest {
                state.buffer.insert(element, at: 0)
            } else {
                state.buffer.append(element)
            }
            if self.flaw == .deliversTwice { state.buffer.append(element) }
        }
        if !isTaken { self.takeBack(element) }
        if isDropping { self.noteDropped() }
    }

    private var callsUnderItsLock: Bool {
        switch self.flaw {
        case .cancelsUnderItsLock, .handsBackUnderItsLock, .releasesUnderItsLock: true
        default: false
        }
    }

    func end(_ error: (any Error)?) {
        // First: the consumer, once resumed, releases the handle without the lock.
        if self.flaw == .releasesUnderItsLock { self.lock.locked { _ = self.state.withLock { $0.handle.take() } } }
        self.change(wakes: self.flaw == .wakesOneAtItsEnd ? { $0.prefix(1) } : { $0[...] }) { state in
            let mayReplace = self.flaw == .lastEndWinsWhileNobodyWaits && state.hasEndedUnseen
            guard !state.hasEnded || self.flaw == .lastEndWins || mayReplace else { return }
            if !state.hasEnded { state.hasEndedUnseen = state.waiters.isEmpty }
            state.hasEnded = true
            state.error = error
            if self.flaw == .forgetsTheBufferAtTheEnd { state.buffer = [] }
            if self.flaw == .failsWithTheBatch, error != nil, state.batch > 0 {
                state.buffer.removeLast(state.buffer.count - state.batch)
            }
        }
    }

    // MARK: The consumer

    /// Stops the source, unless it has ended.
    func stop(isLeft: Bool = false) {
        // Released without the lock.
        var (old, handle): (SourceHandle?, SourceHandle?)
        var rest: [Int] = []
        self.change { state in
            old = state.handle.take()
            handle = state.hasEnded ? nil : old
            rest = state.buffer
            state.buffer = []
            state.batch = 0
            let isForgotten = [.forgetsThatItWasLeft, .forgetsThatItHasFinished, .forgetsThatItHasFailed]
                .contains(self.flaw)
            state.isStopped = !(isLeft && isForgotten)
        }
        let handBack = { for element in rest { self.takeBack(element) } }
        if self.flaw == .handsBackUnderItsLock { self.lock.locked(handBack) } else { handBack() }
        if self.flaw == .cancelsUnderItsLock { self.lock.locked { handle?.cancel() } } else { handle?.cancel() }
    }

    func next() async throws -> Int? {
        while true {
            if let step = self.look() {
                let element = try step.get()
                if self.flaw == .checksCancellationAfterTheElement, element != nil { try Task.checkCancellation() }
                return element
            }
            if self.isCancelled {
                self.stop()
                if self.flaw == .endsSilentlyWhenCancelled { return nil }
                if self.flaw == .endsWithAnErrorOfItsOwnWhenCancelled { throw OtherError() }
                throw CancellationError()
            }
            if self.flaw == .blocks { self.block() } else { await self.park() }
        }
    }

    /// What there is: an element, or the end.
    private func look() -> Result<Int?, any Error>? {
        self.state.withLock { state in
            if !state.buffer.isEmpty {
                if state.batch == 0 { state.batch = state.buffer.count }
                state.batch -= 1
                return .success(state.buffer.removeFirst())
            }
            if state.isStopped, self.flaw == .throwsCancellationAgain, Task.isCancelled { return nil }
            if state.isStopped, self.flaw != .hangsAfterCancellation || !Task.isCancelled { return .success(nil) }
            guard state.hasEnded else { return nil }
            guard let error = state.error else {
                state.hasEnded = self.flaw != .forgetsThatItHasFinished
                return .success(nil)
            }
            state.hasEnded = self.flaw != .forgetsThatItHasFailed
            if self.flaw != .repeatsItsError { state.error = nil }
            return .failure(error)
        }
    }

    /// On Apple's systems async code must not call `wait()`, which is the flaw.
    private func block() { self.semaphore.wait() }

    private func park() async {
        if self.flaw == .looksAndThenParks { self.between() }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let goesOn = self.state.withLock { state in
                    let hasCome = !state.buffer.isEmpty && self.flaw != .looksAndThenParks
                    if hasCome || state.hasEnded || Self.isOver(state, self.flaw) { return true }
                    if self.flaw == .hasOneWaiter { state.waiters = [] }
                    state.waiters.append(continuation)
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            switch self.flaw {
            case .ignoresCancellation: break
            case .stopsItsSourceFirst:
                startThread {
                    self.state.withLock { $0.handle.take() }?.cancel()
                    self.change { _ in }
                }
            case .cancelsItsFirstWaiter: self.change(wakes: { $0.prefix(1) }) { _ in }
            case .cancelsItsLastWaiter: self.change(wakes: { $0.suffix(1) }) { _ in }
            default: self.change { _ in }
            }
        }
    }

    private static func isOver(_ state: State, _ flaw: Pipe.Flaw) -> Bool {
        switch flaw {
        case .ignoresCancellation: state.isStopped
        case .hangsAfterCancellation: Task.isCancelled && !state.isStopped
        case .stopsItsSourceFirst: state.isStopped || Task.isCancelled && state.handle == nil
        default: state.isStopped || Task.isCancelled
        }
    }

    /// Whether the task is cancelled, and this has not been told yet.
    private var isCancelled: Bool {
        switch self.flaw {
        case .ignoresCancellation, .stopsItsSourceFirst: false
        case .hangsAfterCancellation: Task.isCancelled && !self.state.withLock { $0.isStopped }
        default: Task.isCancelled
        }
    }

    private typealias Waiters = [UnsafeContinuation<Void, Never>]

    private func change(wakes: (Waiters) -> Waiters.SubSequence = { $0[...] }, _ body: (inout State) -> Void) {
        let waiters: Waiters.SubSequence = self.state.withLock { state in
            body(&state)
            let woken = wakes(state.waiters)
            state.waiters.removeSubrange(woken.startIndex..<woken.endIndex)
            return woken
        }
        self.semaphore.signal()
        for waiter in waiters { waiter.resume() }
    }
}
