// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization

// Sequences whose iterators each get all elements from their start on: right, and written by hand.

/// Gives each iterator a stream of its own.
struct StreamBroadcast: AsyncSequence {
    private let hub: Hub

    init(_ source: SequenceSource) { self.hub = Hub(source) }

    func makeAsyncIterator() -> AsyncStream<Int>.Iterator { self.hub.makeStream().makeAsyncIterator() }

    private final class Hub: Sendable {
        struct State {
            var streams: [Int: AsyncStream<Int>.Continuation] = [:]
            var count = 0
            var hasEnded = false
            var handle: SourceHandle?
        }

        private let source: SequenceSource
        private let state = Mutex(State())

        init(_ source: SequenceSource) { self.source = source }

        func makeStream() -> AsyncStream<Int> {
            let (stream, sink) = AsyncStream.makeStream(of: Int.self)
            let number = self.state.withLock { state -> Int? in
                if state.hasEnded { return nil }
                state.count += 1
                state.streams[state.count] = sink
                return state.count
            }
            guard let number else {
                sink.finish()
                return stream
            }
            // Not here: it runs in the cancellation's handler, under the runtime's lock.
            sink.onTermination = { _ in DispatchQueue.global().async { self.remove(number) } }
            if number == 1 { self.start() }
            return stream
        }

        private func start() {
            let watch = DropWatch { self.end() }
            let handle = self.source.start(
                onElement: { element in
                    withExtendedLifetime(watch) {}
                    for sink in self.state.withLock({ $0.streams }).values { sink.yield(element) }
                },
                onCompletion: { _ in
                    watch.disarm()
                    self.end()
                }
            )
            let isOver = self.state.withLock { state in
                let isOver = state.hasEnded && state.streams.isEmpty
                if !isOver { state.handle = handle }
                return isOver
            }
            if isOver { handle.cancel() }
        }

        private func end() {
            let sinks = self.state.withLock { state in
                state.hasEnded = true
                return state.streams
            }
            for sink in sinks.values { sink.finish() }
        }

        /// Forgets a stream, and with the last one stops the source.
        private func remove(_ number: Int) {
            let (sink, handle) = self.state.withLock { state in
                let sink = state.streams.removeValue(forKey: number)
                guard state.streams.isEmpty else { return (sink, SourceHandle?.none) }
                state.hasEnded = true
                return (sink, state.handle.take())
            }
            withExtendedLifetime(sink) {}
            handle?.cancel()
        }
    }
}

/// Gives each iterator a buffer of its own, of which it hands back what was not consumed.
struct BufferBroadcast: AsyncSequence {
    private let hub: Hub

    /// - Parameters:
    ///   - source: The source.
    ///   - leavesByPlace: A mistake: an iterator leaves by its place in the list, which is another one when one before
    ///     it has left.
    init(_ source: SequenceSource, leavesByPlace: Bool = false) {
        self.hub = Hub(source, leavesByPlace: leavesByPlace)
    }

    func makeAsyncIterator() -> Iterator { Iterator(place: Iterator.Place(self.hub)) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate final class Place: Sendable {
            let hub: Hub
            let number: Int

            init(_ hub: Hub) {
                self.hub = hub
                self.number = hub.add()
            }

            deinit { self.hub.remove(self.number) }
        }

        fileprivate let place: Place

        mutating func next() async throws -> Int? { try await self.place.hub.next(self.place.number) }
    }

    fileprivate final class Hub: Sendable {
        struct Buffer {
            /// Where it was in the list when it came.
            let place: Int
            var elements: [Int] = []
            var error: (any Error)?
            var waiter: UnsafeContinuation<Void, Never>?
        }

        struct State {
            var buffers: [Int: Buffer] = [:]
            /// The numbers of the iterators, as they came.
            var list: [Int] = []
            var count = 0
            var hasEnded = false
            var handle: SourceHandle?

            /// Which iterator leaves if one leaves by its place.
            mutating func takePlace(of number: Int) -> Int? {
                guard let place = self.buffers[number]?.place, self.list.indices.contains(place) else { return nil }
                return self.list.remove(at: place)
            }

            mutating func takeWaiters() -> [UnsafeContinuation<Void, Never>] {
                self.buffers.keys.compactMap { self.buffers[$0]?.waiter.take() }
            }
        }

        private let source: SequenceSource
        private let leavesByPlace: Bool
        private let state = Mutex(State())

        init(_ source: SequenceSource, leavesByPlace: Bool) {
            self.source = source
            self.leavesByPlace = leavesByPlace
        }

        func add() -> Int {
            let number = self.state.withLock { state in
                state.count += 1
                if !state.hasEnded {
                    state.buffers[state.count] = Buffer(place: state.list.count)
                    state.list.append(state.count)
                }
                return state.count
            }
            if number == 1 { self.start() }
            return number
        }

        private func start() {
            let watch = DropWatch { self.end(OtherError()) }
            let handle = self.source.start(
                onElement: {
                    withExtendedLifetime(watch) {}
                    self.send($0)
                },
                onCompletion: {
                    watch.disarm()
                    self.end($0)
                }
            )
            let isOver = self.state.withLock { state in
                if !state.hasEnded { state.handle = handle }
                return state.hasEnded
            }
            if isOver { handle.cancel() }
        }

        private func send(_ element: Int) {
            let waiters = self.state.withLock { state -> [UnsafeContinuation<Void, Never>]? in
                if state.hasEnded { return nil }
                for number in state.buffers.keys { state.buffers[number]?.elements.append(element) }
                return state.takeWaiters()
            }
            guard let waiters else { return self.source.takeBack(element) }
            for waiter in waiters { waiter.resume() }
        }

        private func end(_ error: (any Error)?) {
            let (waiters, handle) = self.state.withLock { state in
                if !state.hasEnded {
                    state.hasEnded = true
                    for number in state.buffers.keys { state.buffers[number]?.error = error }
                }
                return (state.takeWaiters(), state.handle.take())
            }
            for waiter in waiters { waiter.resume() }
            handle?.cancel()
        }

        /// Forgets an iterator, and with the last one stops the source.
        func remove(_ number: Int) {
            let (buffer, handle) = self.state.withLock { state -> (Buffer?, SourceHandle?) in
                let leaver = self.leavesByPlace ? state.takePlace(of: number) : number
                let buffer = leaver.flatMap { state.buffers.removeValue(forKey: $0) }
                guard state.buffers.isEmpty else { return (buffer, nil) }
                state.hasEnded = true
                return (buffer, state.handle.take())
            }
            buffer?.waiter?.resume()
            for element in buffer?.elements ?? [] { self.source.takeBack(element) }
            handle?.cancel()
        }

        func next(_ number: Int) async throws -> Int? {
            while true {
                if let step = self.look(number) { return try step.get() }
                if Task.isCancelled {
                    self.remove(number)
                    throw CancellationError()
                }
                await self.park(number)
            }
        }

        private func look(_ number: Int) -> Result<Int?, any Error>? {
            self.state.withLock { state in
                guard let buffer = state.buffers[number] else { return .success(nil) }
                if !buffer.elements.isEmpty { return .success(state.buffers[number]?.elements.removeFirst()) }
                guard state.hasEnded else { return nil }
                return state.buffers[number]?.error.take().map { .failure($0) } ?? .success(nil)
            }
        }

        private func park(_ number: Int) async {
            await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    let goesOn = self.state.withLock { state in
                        guard let buffer = state.buffers[number], buffer.elements.isEmpty, !state.hasEnded,
                            !Task.isCancelled
                        else { return true }
                        state.buffers[number]?.waiter = continuation
                        return false
                    }
                    if goesOn { continuation.resume() }
                }
            } onCancel: {
                self.state.withLock { $0.buffers[number]?.waiter.take() }?.resume()
            }
        }
    }
}
