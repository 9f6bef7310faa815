// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import Synchronization

/// Where a receiver is.
public struct Location {
    /// Degrees north.
    public let latitude: Double

    /// Degrees east.
    public let longitude: Double

    /// Makes a location.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// The receiver's own error.
public struct ReceptionLost: Error {
    /// Makes the error.
    public init() {}
}

/// Told of locations, on the receiver's queue.
public protocol ReceiverDelegate: AnyObject {
    /// There is a location.
    func receiver(_ receiver: Receiver, didFix location: Location)

    /// There will be none any more.
    func receiver(_ receiver: Receiver, didFail error: Error)
}

/// A receiver that says where it is, three times: in Vienna.
///
/// It does not keep its delegate.
public final class Receiver {
    /// Calls that go on until they are stopped.
    public final class Watch {
        private let onStop: () -> Void

        init(onStop: @escaping () -> Void = {}) { self.onStop = onStop }

        /// Stops the calls.
        public func stop() { self.onStop() }
    }

    private struct State {
        var isRunning = false
        var watches = 0
        var stoppedWatches: [Int] = []
    }

    private let queue = DispatchQueue(label: "Receiver")
    private let vienna = Location(latitude: 48.2, longitude: 16.4)
    private let losesReception: Bool
    private let state = Mutex(State())
    // Of the watches that go on; used on the queue.
    private var handlers: [Int: (Location) -> Void] = [:]
    private weak var delegate: ReceiverDelegate?

    /// Makes a receiver, which loses its reception after three locations, or says no more.
    public init(losesReception: Bool = true) { self.losesReception = losesReception }

    /// Whether it was started and not stopped.
    public var isRunning: Bool { self.state.withLock { $0.isRunning } }

    /// The numbers of the watches that were stopped, in that order.
    ///
    /// The first one has the number 1.
    public var stoppedWatches: [Int] { self.state.withLock { $0.stoppedWatches } }

    /// Calls the delegate on the receiver's queue.
    public func start(delegate: ReceiverDelegate) {
        self.state.withLock { $0.isRunning = true }
        self.queue.async {
            self.delegate = delegate
            for _ in 1...3 where self.isRunning { self.delegate?.receiver(self, didFix: self.vienna) }
            if self.losesReception, self.isRunning { self.delegate?.receiver(self, didFail: ReceptionLost()) }
        }
    }

    /// Stops.
    public func stop() { self.state.withLock { $0.isRunning = false } }

    /// Stops for a while.
    public func pause() {}

    /// Goes on.
    public func resume() {}

    /// Calls back once.
    public func locate(_ completion: @escaping (Location?) -> Void) {
        self.queue.async { completion(self.vienna) }
    }

    /// Calls back again and again.
    public func watch(onFix: @escaping (Location) -> Void, onError: @escaping (Error) -> Void) -> Watch {
        let number = self.state.withLock { state in
            state.watches += 1
            return state.watches
        }
        self.queue.async {
            for _ in 1...3 { onFix(self.vienna) }
            if self.losesReception { onError(ReceptionLost()) } else { self.handlers[number] = onFix }
        }
        return Watch {
            self.state.withLock { $0.stoppedWatches.append(number) }
            self.queue.async { self.handlers[number] = nil }
        }
    }

    /// Calls back again and again, in another shape.
    public func watchPlaces(onPlace: @escaping (_ name: String, _ accuracy: Int, Error?) -> Void) -> Watch {
        self.queue.async {
            onPlace("Vienna", 5, nil)
            onPlace("", 0, ReceptionLost())
        }
        return Watch()
    }

    /// Calls back again and again, and once at the end.
    public func replay(onFix: @escaping (Location) -> Void, onCompletion: @escaping (Error?) -> Void) -> Watch {
        self.queue.async {
            onFix(self.vienna)
            onCompletion(nil)
        }
        return Watch()
    }
}
