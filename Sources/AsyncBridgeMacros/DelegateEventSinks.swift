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
        /// The senders that have the delegate, or that it is taken from, by the number of their sequence.
        var attachments: [UInt64: Attachment] = [:]

        mutating func number() -> UInt64 {
            self.next += 1
            return self.next
        }
    }

    private struct Attachment {
        let sender: DelegateSender
        var machine = SwitchStateMachine()
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
    ///   - flow: Asks the sender to pause, and to go on.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - sender: Gets the delegate that keeps this object. The loops keep the delegate alive.
    /// - Returns: The sequence.
    public func sequence(
        buffering: BufferingPolicy,
        flow: DelegateFlow,
        fileID: StaticString,
        line: UInt,
        sender: DelegateSender
    ) -> CallbackSequence<Event, Never> {
        let sequence = self.state.withLock { $0.number() }
        return CallbackSequence(buffering: buffering, fileID: fileID, line: line) { sink in
            let stop = flow.install(in: sink)
            let loop = self.begin(sink, sequence, sender)
            self.settle(sequence)
            return { stop { self.end(loop) } }
        }
    }

    private func begin(_ sink: Sink, _ sequence: UInt64, _ sender: DelegateSender) -> UInt64 {
        self.state.withLock { state in
            let loop = state.number()
            state.sinks[loop] = sink
            state.attachments[sequence, default: Attachment(sender: sender)].machine.want(on: true)
            return loop
        }
    }

    /// A loop has ended.
    ///
    /// The last one detaches from all senders: until then another loop may want the events of the same one.
    private func end(_ loop: UInt64) {
        let (sink, sequences) = self.state.withLock { state in
            let sink = state.sinks.removeValue(forKey: loop)
            guard state.sinks.isEmpty else { return (sink, [UInt64]()) }
            let sequences = state.attachments.keys.sorted()
            for sequence in sequences { state.attachments[sequence]?.machine.want(on: false) }
            return (sink, sequences)
        }
        withExtendedLifetime(sink) {
            for sequence in sequences { self.settle(sequence) }
        }
    }

    /// Attaches or detaches, outside the lock, until what is done is what is wanted.
    private func settle(_ sequence: UInt64, having done: Bool = false) {
        let (sender, action) = self.state.withLock { state in
            guard var attachment = state.attachments[sequence] else {
                return (DelegateSender?.none, SwitchStateMachine.StepAction.done)
            }
            let action = attachment.machine.step(having: done)
            // What is returned is released outside the lock.
            state.attachments[sequence] = attachment.machine.isOver ? nil : attachment
            return (attachment.sender, action)
        }
        guard let sender, action != .done else { return }
        (action == .turnOn ? sender.attach : sender.detach).run { self.settle(sequence, having: true) }
    }
}
