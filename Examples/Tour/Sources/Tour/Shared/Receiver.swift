// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Dispatch
import Synchronization

/// A place on the earth, in degrees.
struct Location: Sendable, Equatable {
    let number: Int
    let latitude: Double
    let longitude: Double
}

/// What a receiver tells its delegate, on the receiver's own queue.
protocol ReceiverDelegate: AnyObject, Sendable {
    func receiver(_ receiver: Receiver, didFix location: Location)
    func receiverDidReachDestination(_ receiver: Receiver)
}

/// Stands for a receiver that calls its delegate as fast as it can, and can be asked to pause.
final class Receiver: Sendable {
    private struct State {
        weak var delegate: (any ReceiverDelegate)?
        var next = 1
        var isRunning = false
        var pauses = 0
        var stops = 0
    }

    private let queue = DispatchQueue(label: "Receiver")
    private let state = Mutex(State())
    private let count: Int

    /// Makes a receiver that has so many locations to tell.
    init(count: Int) { self.count = count }

    /// How often it was asked to pause.
    var pauses: Int { self.state.withLock { $0.pauses } }

    /// How often it was stopped for good.
    var stops: Int { self.state.withLock { $0.stops } }

    func start(delegate: any ReceiverDelegate) {
        self.state.withLock { $0.delegate = delegate }
        self.resume()
    }

    func pause() {
        self.state.withLock {
            $0.isRunning = false
            $0.pauses += 1
        }
    }

    /// Goes on, after whatever the receiver's queue is doing: after the call that asks it to pause, too.
    func resume() {
        self.queue.async {
            self.state.withLock { $0.isRunning = true }
            self.run()
        }
    }

    func stop() {
        self.state.withLock {
            $0.isRunning = false
            $0.stops += 1
        }
    }

    private func run() {
        while let (delegate, number) = self.takeNext() {
            guard number <= self.count else { return delegate.receiverDidReachDestination(self) }
            let degrees = Double(number) / 1000
            delegate.receiver(self, didFix: Location(number: number, latitude: 48 + degrees, longitude: 16 + degrees))
        }
    }

    private func takeNext() -> (any ReceiverDelegate, Int)? {
        self.state.withLock { state in
            guard state.isRunning, state.next <= self.count + 1, let delegate = state.delegate else { return nil }
            defer { state.next += 1 }
            return (delegate, state.next)
        }
    }
}

/// The receiver's locations for consumers that use async/await.
final class LocationService: ReceiverDelegate {
    let locations: CallbackSequence<Location, any Error>
    private let sink: CallbackSequence<Location, any Error>.Sink
    private let fullest = Mutex(0)

    /// The largest number of locations that were in the buffer.
    var mostBuffered: Int { self.fullest.withLock { $0 } }

    init(receiver: Receiver) {
        (self.locations, self.sink) = CallbackSequence.makeSequence(buffering: .watermark(low: 4, high: 16))
        // Paused below, in the receiver's own call: it would deliver hundreds before another thread stops it.
        self.sink.onDemand { receiver.resume() }
        self.sink.onTermination { _ in receiver.stop() }
    }

    func receiver(_ receiver: Receiver, didFix location: Location) {
        if case .acceptedPleasePause = self.sink.yield(location) { receiver.pause() }
        self.fullest.withLock { $0 = max($0, self.sink.bufferedCount) }
    }

    func receiverDidReachDestination(_ receiver: Receiver) { self.sink.finish() }
}
