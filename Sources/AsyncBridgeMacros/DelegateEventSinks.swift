// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The loops over the events of one delegate: what `@DelegateEvents` keeps in it.
///
/// The delegate is attached while there are loops, and kept alive by them, not by this object.
@_documentation(visibility: internal)
public final class DelegateEventSinks<Event>: Sendable {
    private typealias Sink = CallbackSequence<Event, Never>.Sink

    private struct State {
        var sinks: [UInt64: Sink] = [:]
        var next: UInt64 = 0
        var attachment = AttachmentStateMachine()
    }

    private let state = Mutex(State())

    /// Makes one without loops.
    public init() {}

    /// Passes an event to each loop.
    ///
    /// - Parameter event: The event.
    /// - Complexity: O(number of loops).
    public func yield(_ event: Event) where Event: Sendable {
        for sink in self.sinks { sink.yield(event) }
    }

    /// Passes an event that the compiler cannot prove safe to give away.
    ///
    /// - Parameter event: The event. From now on only the loops may use it, and if they are several, they must agree.
    /// - Complexity: O(number of loops).
    @unsafe
    public func yield(unchecked event: Event) {
        // Safe: the caller promises it.
        nonisolated(unsafe) let event = event
        for sink in self.sinks { unsafe sink.yield(event) }
    }

    private var sinks: [Sink] { self.state.withLock { $0.sinks.sorted { $0.key < $1.key }.map(\.value) } }

    /// A sequence whose loops get the events from then on.
    ///
    /// - Parameters:
    ///   - buffering: What happens to events that arrive faster than they are consumed.
    ///   - pause: Asks the sender to pause.
    ///   - resume: Asks it to go on.
    ///   - attach: Attaches the delegate, and keeps it alive.
    ///   - detach: Detaches it.
    /// - Returns: The sequence.
    public func sequence(
        buffering: BufferingPolicy,
        pause: (@Sendable () -> Void)?,
        resume: (@Sendable () -> Void)?,
        attach: @escaping @Sendable () -> Void,
        detach: @escaping @Sendable () -> Void
    ) -> CallbackSequence<Event, Never> {
        CallbackSequence(buffering: buffering) { sink in
            if let pause {
                sink.onBackPressure(pause: pause, resume: resume ?? {})
            } else if let resume {
                sink.onDemand(resume)
            }
            let number = self.add(sink)
            self.settle(attach, detach)
            return {
                self.remove(number)
                self.settle(attach, detach)
            }
        }
    }

    private func add(_ sink: Sink) -> UInt64 {
        self.state.withLock { state in
            let number = state.next
            state.next += 1
            state.sinks[number] = sink
            state.attachment.begin()
            return number
        }
    }

    private func remove(_ number: UInt64) {
        let sink = self.state.withLock { state in
            state.attachment.end()
            return state.sinks.removeValue(forKey: number)
        }
        withExtendedLifetime(sink) {}
    }

    /// Attaches or detaches, outside the lock, until what is done is what is wanted.
    private func settle(_ attach: @Sendable () -> Void, _ detach: @Sendable () -> Void) {
        var action = self.state.withLock { $0.attachment.step() }
        while true {
            switch action {
            case .attach: attach()
            case .detach: detach()
            case .done: return
            }
            action = self.state.withLock { $0.attachment.step(having: true) }
        }
    }
}
