// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Loop over a delegate that keeps calling".

import AsyncBridge
import Dispatch
import Synchronization

func cold(receiver: Receiver) async throws {
    // snippet.COLD
    let locations = CallbackSequence<Location, any Error> { sink in
        let watch = receiver.watch(onFix: sink.handler(), onError: sink.errorHandler())
        return { watch.stop() }
    }
    for try await location in locations { show(location) }
    // snippet.end
}

func places(receiver: Receiver) async throws {
    // snippet.PLACES
    let places = CallbackSequence<String, any Error> { sink in
        let watch = receiver.watchPlaces(
            onPlace: sink.handler { name, accuracy, error in
                if let error { throw error }
                return "\(name), within \(accuracy) m"
            }
        )
        return { watch.stop() }
    }
    // snippet.end
    for try await place in places { show(place) }
}

func completion(receiver: Receiver) async throws {
    let locations = CallbackSequence<Location, any Error> { sink in
        // snippet.COMPLETION
        let watch = receiver.replay(onFix: sink.handler(), onCompletion: sink.completionHandler())
        // snippet.end
        return { watch.stop() }
    }
    for try await location in locations { show(location) }
}

// snippet.HOT
final class LocationFeed: ReceiverDelegate {
    let locations: CallbackSequence<Location, any Error>
    private let sink: CallbackSequence<Location, any Error>.Sink

    init(receiver: Receiver) {
        (self.locations, self.sink) = CallbackSequence.makeSequence(buffering: .newest(capacity: 8))
        self.sink.onTermination { _ in receiver.stop() }
        receiver.start(delegate: self)
    }

    func receiver(_ receiver: Receiver, didFix location: Location) { self.sink.yield(location) }
    func receiver(_ receiver: Receiver, didFail error: any Error) { self.sink.fail(error) }
}
// snippet.end

func make(manager: Receiver) {
    // snippet.MAKE
    let (locations, sink) = CallbackSequence<Location, any Error>.makeSequence(
        buffering: .newest(capacity: 1)
    )
    sink.onTermination { _ in manager.stop() }
    // snippet.end
    sink.finish()
    _ = locations
}

func pausing(receiver: Receiver, sink: CallbackSequence<Location, any Error>.Sink) {
    // snippet.BACKPRESSURE
    sink.onBackPressure(pause: { receiver.pause() }, resume: { receiver.resume() })
    // snippet.end
}

// snippet.PAUSE
final class PatientFeed: ReceiverDelegate {
    let locations: CallbackSequence<Location, any Error>
    private let sink: CallbackSequence<Location, any Error>.Sink

    init(receiver: Receiver) {
        (self.locations, self.sink) = CallbackSequence.makeSequence(buffering: .watermark(low: 4, high: 16))
        self.sink.onBackPressure(pause: { receiver.pause() }, resume: { receiver.resume() })
        self.sink.onTermination { _ in receiver.stop() }
        receiver.start(delegate: self)
    }

    func receiver(_ receiver: Receiver, didFix location: Location) { self.sink.yield(location) }

    func receiver(_ receiver: Receiver, didFail error: any Error) { self.sink.fail(error) }
}
// snippet.end

func sender(places: [Location]) async throws {
    // snippet.SEND
    let route = CallbackSequence<Location, any Error>(buffering: .bounded(capacity: 16)) { sink in
        let sender = Task {
            for place in places { try await sink.send(place) }
            sink.finish()
        }
        return { sender.cancel() }
    }
    // snippet.end
    for try await place in route { show(place) }
}

func delegate(receiver: Receiver) async throws {
    // snippet.LISTENER
    final class FixListener: ReceiverDelegate, Sendable {
        private let sink: CallbackSequence<Location, any Error>.Sink

        init(sink: CallbackSequence<Location, any Error>.Sink) { self.sink = sink }

        func receiver(_ receiver: Receiver, didFix location: Location) { self.sink.yield(location) }
        func receiver(_ receiver: Receiver, didFail error: any Error) { self.sink.fail(error) }
    }

    let fixes = CallbackSequence<Location, any Error> { sink in
        let listener = FixListener(sink: sink)
        receiver.start(delegate: listener)
        return { withExtendedLifetime(listener) { receiver.stop() } }
    }
    for try await location in fixes { show(location) }
    // snippet.end
}

/// A class of one's own that is not `Sendable`.
final class Positioner {
    private let isRunning = Atomic(false)
    private var starts = 0

    func start(onPosition: @escaping @Sendable (Location) -> Void) {
        self.starts += 1
        self.isRunning.store(true, ordering: .relaxed)
        onPosition(Location(latitude: 48.2, longitude: 16.4))
    }

    func stop() { self.isRunning.store(false, ordering: .relaxed) }
}

// snippet.POSITIONS
final class PositionFeed {
    let positions: CallbackSequence<Location, any Error>
    private let sink: CallbackSequence<Location, any Error>.Sink

    init(positioner: Positioner) {
        (self.positions, self.sink) = CallbackSequence.makeSequence(buffering: .newest(capacity: 1))
        // Safe: `stop` may be called on any thread.
        nonisolated(unsafe) let positioner = positioner
        self.sink.onTermination { _ in positioner.stop() }
        positioner.start(onPosition: self.sink.handler())
    }
}
// snippet.end

func position() async throws {
    let feed = PositionFeed(positioner: Positioner())
    for try await position in feed.positions {
        show(position)
        return
    }
}

func many(locations: CallbackSequence<Location, any Error>) async throws {
    // snippet.SHARE
    let shared = locations.share(buffering: .newest(capacity: 1))
    // snippet.end
    for try await location in shared { show(location) }
}

func firstAndRest(feed: LocationFeed) async throws {
    // snippet.FIRST
    var fixes = feed.locations.makeAsyncIterator()
    guard let start = try await fixes.next() else { return }
    show(start)
    while let location = try await fixes.next() { show(location) }
    // snippet.end
}

@MainActor
func handlers(locations: CallbackSequence<Location, any Error>, map: Map) -> CallHandle {
    // snippet.HANDLERS
    let handle = locations.forEach { location in
        map.show(location)
    } onCompletion: { result in
        map.hidePointer()
    }
    // snippet.end
    return handle
}

try? await cold(receiver: Receiver())
try? await delegate(receiver: Receiver())
try await position()
try? await places(receiver: Receiver())
try await completion(receiver: Receiver())
make(manager: Receiver())
try await sender(places: [Location(latitude: 48.2, longitude: 16.4)])
try? await firstAndRest(feed: LocationFeed(receiver: Receiver()))
let feed = LocationFeed(receiver: Receiver())
try? await many(locations: feed.locations)
let patientFeed = PatientFeed(receiver: Receiver())
await handlers(locations: patientFeed.locations, map: Map()).finished()

// snippet.hide
// MARK: - Stand-ins

struct Location: Sendable {
    let latitude: Double
    let longitude: Double
}

protocol ReceiverDelegate: AnyObject {
    func receiver(_ receiver: Receiver, didFix location: Location)
    func receiver(_ receiver: Receiver, didFail error: any Error)
}

struct ReceptionLost: Error {}

/// What the documentation of `onDemand` shows, for a receiver with a queue.
func pausingItself(
    _ receiver: Receiver,
    _ location: Location,
    sink: CallbackSequence<Location, any Error>.Sink
) {
    // snippet.DEMAND
    sink.onDemand { receiver.queue.async { receiver.resume() } }

    // In the delegate, which is called on that queue:
    if sink.yield(location) == .acceptedPleasePause { receiver.pause() }
    // snippet.end
}

/// A receiver that says where it is, again and again; here it is in Vienna, three times.
final class Receiver: Sendable {
    let queue = DispatchQueue(label: "receiver")
    private let vienna = Location(latitude: 48.2, longitude: 16.4)

    func start(delegate: any ReceiverDelegate) {
        // Safe: this receiver promises to call its delegate on one thread at a time.
        nonisolated(unsafe) let delegate = delegate
        Task {
            for _ in 1...3 { delegate.receiver(self, didFix: self.vienna) }
            delegate.receiver(self, didFail: ReceptionLost())
        }
    }

    final class Watch: Sendable {
        func stop() {}
    }

    func watch(
        onFix: @escaping @Sendable (Location) -> Void,
        onError: @escaping @Sendable (any Error) -> Void
    ) -> Watch {
        Task {
            for _ in 1...3 { onFix(self.vienna) }
            onError(ReceptionLost())
        }
        return Watch()
    }

    /// Annotated with nothing, as before Swift 6.
    func watchPlaces(onPlace: @escaping (_ name: String, _ accuracy: Int, (any Error)?) -> Void) -> Watch {
        onPlace("Vienna", 5, nil)
        onPlace("", 0, ReceptionLost())
        return Watch()
    }

    func replay(
        onFix: @escaping @Sendable (Location) -> Void,
        onCompletion: @escaping @Sendable ((any Error)?) -> Void
    ) -> Watch {
        Task {
            onFix(self.vienna)
            onCompletion(nil)
        }
        return Watch()
    }

    func pause() {}
    func resume() {}
    func stop() {}
}

@MainActor
final class Map {
    func show(_ location: Location) {}
    func hidePointer() {}
}

func show(_ something: Any) { print(something) }
