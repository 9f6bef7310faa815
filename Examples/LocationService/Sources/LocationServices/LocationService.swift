// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Dispatch
import Foundation

/// Gives locations to any number of callers, in all styles, over one manager with a delegate.
///
/// The manager runs while somebody wants a location, and not longer.
///
/// Isolation: the main actor, where the manager calls its delegate. ``locations`` may be used anywhere.
@MainActor
public final class LocationService<Location: Sendable> {
    /// Told that there is no location for a while, and why; ``locations`` go on when there is one again.
    public var onInterruption: ((any Error) -> Void)?

    private let source: any LocationSource<Location>
    private let reply = ReplySlot<Location>(overlap: .share)
    private var followers: [UUID: CallbackSequence<Location, any Error>.Sink] = [:]
    private var isRunning = false

    /// Makes a service.
    ///
    /// - Parameter source: A manager of its own: what it is told to start and stop, nobody else may.
    public init(_ source: any LocationSource<Location>) {
        self.source = source
        source.onEvent = { [weak self] event in self?.take(event) }
    }

    // MARK: Callers

    /// Waits for the next location, and asks the user first if that was not done yet.
    ///
    /// Callers that wait at the same time get the same location. Errors for a moment, such as a lost fix, are waited
    /// out.
    ///
    /// ## Cancellation
    /// Throws `CancellationError` at once. The manager stops when nobody else wants a location.
    ///
    /// - Parameter timeout: When to give up.
    /// - Returns: The location.
    /// - Throws: ``LocationError/denied``; the manager's error; `BridgeFault` of the code `timedOut`;
    ///   `CancellationError`.
    public func requestLocation(timeout: BridgeTimeout? = nil) async throws -> Location {
        try await self.reply.wait(keepingAlive: self, timeout: timeout) {
            self.settle()
        } onCancel: {
            self.settle()
        }
    }

    /// Every location from now on, for each loop.
    ///
    /// ## Back-pressure
    /// A receiver cannot be told to wait. Each loop has a buffer for 256 locations, some minutes. When it is full, the
    /// oldest one goes: counted, and reported once.
    ///
    /// ## Ends
    /// With ``LocationError/denied``. Other errors are told to ``onInterruption``, and the loop goes on. The manager
    /// stops when the last loop is left and nobody else wants a location.
    public nonisolated var locations: CallbackSequence<Location, any Error> {
        self.locations(buffering: .newest(capacity: 256))
    }

    /// Every location from now on, for each loop, with a buffer of your choice.
    ///
    /// - Parameter buffering: `.newest(capacity: 1)` if only the newest one matters.
    /// - Returns: The sequence; see ``locations``.
    public nonisolated func locations(buffering: BufferingPolicy) -> CallbackSequence<Location, any Error> {
        CallbackSequence(buffering: buffering) { sink in
            let id = UUID()
            self.onMain { self.follow(id, sink) }
            return { self.onMain { self.leave(id) } }
        }
    }

    /// Goes to the main actor: loops begin and end on any thread.
    ///
    /// The main queue keeps their order, as a task for each would not.
    private nonisolated func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
    }

    private func follow(_ id: UUID, _ sink: CallbackSequence<Location, any Error>.Sink) {
        self.followers[id] = sink
        self.settle()
    }

    private func leave(_ id: UUID) {
        self.followers[id] = nil
        self.settle()
    }

    // MARK: The manager

    /// Starts or stops the manager, as callers want and the user allows: the one place which decides that.
    private func settle() {
        let isWanted = self.reply.isWaiting || !self.followers.isEmpty
        switch (isWanted, self.source.authorization) {
        case (true, .authorized):
            if !self.isRunning { self.source.startUpdatingLocation() }
            self.isRunning = true
        case (true, .notDetermined):
            self.source.requestWhenInUseAuthorization()
        case (true, .denied):
            self.stop()
            self.reply.resume(throwing: LocationError.denied)
            for sink in self.followers.values { sink.fail(LocationError.denied) }
        case (false, _):
            self.stop()
        }
    }

    private func stop() {
        if self.isRunning { self.source.stopUpdatingLocation() }
        self.isRunning = false
    }

    private func take(_ event: LocationEvent<Location>) {
        switch event {
        case .update(let locations):
            guard let newest = locations.last else { return }
            self.reply.resume(returning: newest)
            for location in locations {
                for sink in self.followers.values { sink.yield(location) }
            }
        case .unknown(let error):
            self.onInterruption?(error)
        case .failure(let error):
            // The manager's error for a refusal: `settle` has told it, or does so now.
            if case .denied = self.source.authorization { break }
            self.onInterruption?(error)
            self.reply.resume(throwing: error)
        case .authorizationChange:
            break
        }
        self.settle()
    }
}
