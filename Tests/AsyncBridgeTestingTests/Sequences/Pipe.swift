// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Dispatch
import Synchronization

/// A sequence written by hand, right but for the flaws that it is given.
struct Pipe: AsyncSequence {
    enum Flaw: Sendable {
        case ignoresCancellation
        case forgetsTheBufferAtTheEnd
        case repeatsItsError
        case lastEndWins
        case deliversAfterTheEnd
        case blocks
        case deliversTwice
        case cancelsUnderItsLock
        case endsWithAnErrorOfItsOwnWhenCancelled
        case prefersTheNewest
    }

    let storage: Storage

    init(_ source: SequenceSource, flaw: Flaw) {
        let storage = Storage(flaw)
        self.storage = storage
        let handle = source.start(
            onElement: { storage.send($0) },
            onCompletion: { storage.end($0) }
        )
        storage.set(handle)
    }

    func makeAsyncIterator() -> Iterator { Iterator(lifetime: Iterator.Lifetime(self.storage)) }

    struct Iterator: AsyncIteratorProtocol {
        final class Lifetime: Sendable {
            let storage: Storage

            init(_ storage: Storage) { self.storage = storage }

            deinit { self.storage.stop() }
        }

        let lifetime: Lifetime

        mutating func next() async throws -> Int? { try await self.lifetime.storage.next() }
    }
}

extension Pipe {
    final class Storage: Sendable {
        struct State {
            var buffer: [Int] = []
            var hasEnded = false
            var error: (any Error)?
            var isStopped = false
            var waiter: UnsafeContinuation<Void, Never>?
            var handle: SourceHandle?
        }

        private let flaw: Flaw
        private let state = Mutex(State())
        private let semaphore = DispatchSemaphore(value: 0)
        /// Held by the flaw that calls `cancel()` under a lock.
        private let lock = NonRecursiveLock()

        init(_ flaw: Flaw) { self.flaw = flaw }

        func set(_ handle: SourceHandle) { self.state.withLock { $0.handle = handle } }

        func send(_ element: Int) {
            if self.flaw == .cancelsUnderItsLock { self.lock.locked {} }
            self.change { state in
                guard !state.hasEnded || self.flaw == .deliversAfterTheEnd else { return }
                if self.flaw == .prefersTheNewest {
                    state.buffer.insert(element, at: 0)
                } else {
                    state.buffer.append(element)
                }
                if self.flaw == .deliversTwice { state.buffer.append(element) }
            }
        }

        func end(_ error: (any Error)?) {
            self.change { state in
                guard !state.hasEnded || self.flaw == .lastEndWins else { return }
                state.hasEnded = true
                state.error = error
                if self.flaw == .forgetsTheBufferAtTheEnd { state.buffer = [] }
            }
        }

        func stop() {
            let handle: SourceHandle? = self.state.withLock { state in
                defer { state.handle = nil }
                return state.hasEnded ? nil : state.handle
            }
            if self.flaw == .cancelsUnderItsLock { self.lock.locked { handle?.cancel() } } else { handle?.cancel() }
        }

        func next() async throws -> Int? {
            while true {
                if self.flaw != .ignoresCancellation, Task.isCancelled {
                    self.stop()
                    if self.flaw == .endsWithAnErrorOfItsOwnWhenCancelled { throw OtherError() }
                    throw CancellationError()
                }
                let step: Result<Int?, any Error>? = self.state.withLock { state in
                    if !state.buffer.isEmpty { return .success(state.buffer.removeFirst()) }
                    guard state.hasEnded else { return nil }
                    guard let error = state.error else { return .success(nil) }
                    if self.flaw != .repeatsItsError { state.error = nil }
                    return .failure(error)
                }
                if let step { return try step.get() }
                if self.flaw == .blocks { self.block() } else { await self.park() }
            }
        }

        private func block() { self.semaphore.wait() }

        private func park() async {
            await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    let goesOn = self.state.withLock { state in
                        if !state.buffer.isEmpty || state.hasEnded || self.isDisturbed { return true }
                        state.waiter = continuation
                        return false
                    }
                    if goesOn { continuation.resume() }
                }
            } onCancel: {
                if self.flaw != .ignoresCancellation { self.change { _ in } }
            }
        }

        private var isDisturbed: Bool { self.flaw != .ignoresCancellation && Task.isCancelled }

        private func change(_ body: (inout State) -> Void) {
            let waiter: UnsafeContinuation<Void, Never>? = self.state.withLock { state in
                body(&state)
                defer { state.waiter = nil }
                return state.waiter
            }
            self.semaphore.signal()
            waiter?.resume()
        }
    }
}
