// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

/// A sequence that keeps its source paused while nobody waits for an element: right, and written by hand.
struct PullingSequence: AsyncSequence {
    /// Where the source is asked to pause when an element has come.
    enum Pausing: Sendable {
        /// On the source's thread.
        case inTheHandler
        /// On the consumer's thread.
        case inNext
    }

    private let whole: Whole

    init(_ source: SequenceSource, pausing: Pausing) {
        let storage = PullingStorage(source, pausing)
        self.whole = Whole(storage: storage)
        let watch = DropWatch { storage.end(OtherError()) }
        let handle = source.start(
            onElement: {
                withExtendedLifetime(watch) {}
                storage.send($0)
            },
            onCompletion: {
                watch.disarm()
                storage.end($0)
            }
        )
        storage.set(handle)
    }

    func makeAsyncIterator() -> Iterator { Iterator(lifetime: Iterator.Lifetime(whole: self.whole)) }

    /// The sequence and all its iterators: when the last is gone, nobody can consume any more.
    fileprivate final class Whole: Sendable {
        let storage: PullingStorage

        init(storage: PullingStorage) { self.storage = storage }

        deinit { self.storage.stop() }
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate final class Lifetime: Sendable {
            let whole: Whole
            let hasBegun = Flag()

            init(whole: Whole) { self.whole = whole }

            deinit { if self.hasBegun.value { self.whole.storage.stop() } }
        }

        fileprivate let lifetime: Lifetime

        mutating func next() async throws -> Int? {
            self.lifetime.hasBegun.set()
            return try await self.lifetime.whole.storage.next()
        }
    }
}

/// What the sides of such a sequence share.
private final class PullingStorage: Sendable {
    enum Request {
        case pause
        case resume
        case stop(SourceHandle)
    }

    struct State {
        var buffer: [Int] = []
        var hasEnded = false
        var error: (any Error)?
        /// Nobody consumes any more.
        var isStopped = false
        var waiters: [UnsafeContinuation<Void, Never>] = []
        /// The source, when it has been started and is not to be stopped yet.
        var handle: SourceHandle?
        var isPaused = false
        /// Whether a thread asks the source: one at a time does.
        var isAsking = false

        /// What the source is to be asked next by the thread that asks it.
        mutating func takeRequest() -> Request? {
            if let handle = self.handle {
                if self.hasEnded || self.isStopped {
                    self.handle = nil
                    return .stop(handle)
                }
                if self.isPaused != self.waiters.isEmpty {
                    self.isPaused = self.waiters.isEmpty
                    return self.isPaused ? .pause : .resume
                }
            }
            self.isAsking = false
            return nil
        }

        mutating func takeWaiters() -> [UnsafeContinuation<Void, Never>] {
            defer { self.waiters = [] }
            return self.waiters
        }
    }

    private let source: SequenceSource
    private let pausing: PullingSequence.Pausing
    private let state = Mutex(State())

    init(_ source: SequenceSource, _ pausing: PullingSequence.Pausing) {
        self.source = source
        self.pausing = pausing
    }

    func set(_ handle: SourceHandle) {
        self.state.withLock { $0.handle = handle }
        self.ask()
    }

    /// Asks the source until it is as it should be, unless another thread does.
    private func ask() {
        let isFirst = self.state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard isFirst else { return }
        while let request = self.state.withLock({ $0.takeRequest() }) {
            switch request {
            case .pause: self.source.pause()
            case .resume: self.source.resume()
            case .stop(let handle): handle.cancel()
            }
        }
    }

    // MARK: The source

    func send(_ element: Int) {
        let waiters = self.state.withLock { state -> [UnsafeContinuation<Void, Never>]? in
            if state.hasEnded || state.isStopped { return nil }
            state.buffer.append(element)
            return state.takeWaiters()
        }
        guard let waiters else { return self.source.takeBack(element) }
        for waiter in waiters { waiter.resume() }
        if self.pausing == .inTheHandler { self.ask() }
    }

    func end(_ error: (any Error)?) {
        let waiters = self.state.withLock { state in
            if !state.hasEnded, !state.isStopped {
                state.hasEnded = true
                state.error = error
            }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
        self.ask()
    }

    // MARK: The consumer

    func stop() {
        let (rest, waiters) = self.state.withLock { state -> ([Int], [UnsafeContinuation<Void, Never>]) in
            state.isStopped = true
            defer { state.buffer = [] }
            return (state.buffer, state.takeWaiters())
        }
        for waiter in waiters { waiter.resume() }
        for element in rest { self.source.takeBack(element) }
        self.ask()
    }

    func next() async throws -> Int? {
        while true {
            if let step = self.look() {
                if self.pausing == .inNext { self.ask() }
                return try step.get()
            }
            if Task.isCancelled {
                self.stop()
                throw CancellationError()
            }
            await self.park()
        }
    }

    /// What there is: an element, or the end.
    private func look() -> Result<Int?, any Error>? {
        self.state.withLock { state in
            if !state.buffer.isEmpty { return .success(state.buffer.removeFirst()) }
            guard state.hasEnded || state.isStopped else { return nil }
            defer { state.error = nil }
            return state.error.map { .failure($0) } ?? .success(nil)
        }
    }

    private func park() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let goesOn = self.state.withLock { state in
                    // Asked once: a cancellation that comes here resumes what waits, and finds it waiting or not.
                    let isCancelled = Task.isCancelled
                    if isCancelled || !state.buffer.isEmpty || state.hasEnded || state.isStopped { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if goesOn { continuation.resume() } else { self.ask() }
            }
        } onCancel: {
            for waiter in self.state.withLock({ $0.takeWaiters() }) { waiter.resume() }
        }
    }
}
