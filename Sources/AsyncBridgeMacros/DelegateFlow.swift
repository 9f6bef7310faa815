// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// How a sender is asked to pause and to go on, by the user's closures.
///
/// A closure without an actor runs where the hub calls it. Others run on their actor, in the order in which they are
/// due, and what has become needless before its turn does not run.
@_documentation(visibility: internal)
public struct DelegateFlow: Sendable {
    private let pause: SenderCall?
    private let resume: SenderCall?

    /// Takes the closures of `events(pause:resume:)`, which run on their actors.
    ///
    /// - Parameters:
    ///   - pause: Asks the sender to pause.
    ///   - resume: Asks it to go on.
    public init(pause: (@Sendable @isolated(any) () -> Void)?, resume: (@Sendable @isolated(any) () -> Void)?) {
        self.pause = pause.map { SenderCall($0) }
        self.resume = resume.map { SenderCall($0) }
    }

    /// Takes closures that wait, for a sender on an actor of its own.
    ///
    /// - Parameters:
    ///   - pause: Asks the sender to pause.
    ///   - resume: Asks it to go on.
    public init(
        pause: (@Sendable @isolated(any) () async -> Void)?,
        resume: (@Sendable @isolated(any) () async -> Void)?
    ) {
        self.pause = pause.map { pause in SenderCall.there { await pause() } }
        self.resume = resume.map { resume in SenderCall.there { await resume() } }
    }

    /// Takes closures that the compiler cannot prove safe on other threads.
    ///
    /// - Parameters:
    ///   - pause: Asks the sender to pause, perhaps on another thread: the sender must bear that.
    ///   - resume: Asks it to go on.
    @unsafe
    public init(uncheckedPause pause: (@isolated(any) () -> Void)?, resume: (@isolated(any) () -> Void)?) {
        // Safe: the caller promises it.
        self.init(
            pause: pause.map { unsafe unsafeBitCast($0, to: (@Sendable @isolated(any) () -> Void).self) },
            resume: resume.map { unsafe unsafeBitCast($0, to: (@Sendable @isolated(any) () -> Void).self) }
        )
    }

    /// Takes closures that wait, and that the compiler cannot prove safe on other threads.
    ///
    /// - Parameters:
    ///   - pause: Asks the sender to pause, perhaps on another thread: the sender must bear that.
    ///   - resume: Asks it to go on.
    @unsafe
    public init(uncheckedPause pause: (@isolated(any) () async -> Void)?, resume: (@isolated(any) () async -> Void)?) {
        // Safe: the caller promises it.
        self.init(
            pause: pause.map { unsafe unsafeBitCast($0, to: (@Sendable @isolated(any) () async -> Void).self) },
            resume: resume.map { unsafe unsafeBitCast($0, to: (@Sendable @isolated(any) () async -> Void).self) }
        )
    }

    /// Lets a loop's buffer slow the sender down.
    ///
    /// - Returns: What ends that, and then calls what it is given: at once, or when the change that is on its way is
    ///   over. Nothing begins afterwards.
    func install<Event>(
        in sink: CallbackSequence<Event, Never>.Sink
    ) -> @Sendable (_ then: @escaping @Sendable () -> Void) -> Void {
        guard let pause = self.pause else {
            if let resume = self.resume { sink.onDemand { resume.run() } }
            return { next in next() }
        }
        let brake = Brake(pause: pause, resume: self.resume)
        sink.onBackPressure(pause: { brake.set(paused: true) }, resume: { brake.set(paused: false) })
        return { next in brake.stop(then: next) }
    }
}

/// Pauses and resumes a sender for one loop, in order, though each of both may take a while.
private final class Brake: Sendable {
    private struct State {
        var machine = SwitchStateMachine()
        /// What follows the last change, once.
        var next: (@Sendable () -> Void)?
    }

    private let pause: SenderCall
    private let resume: SenderCall?
    private let state = Mutex(State())

    init(pause: SenderCall, resume: SenderCall?) {
        self.pause = pause
        self.resume = resume
    }

    func set(paused: Bool) {
        self.state.withLock { $0.machine.want(on: paused) }
        self.settle()
    }

    func stop(then next: @escaping @Sendable () -> Void) {
        self.state.withLock { state in
            state.machine.stop()
            state.next = next
        }
        self.settle()
    }

    /// Pauses or resumes, outside the lock, until what is done is what is wanted.
    private func settle(having done: Bool = false) {
        let action = self.state.withLock { $0.machine.step(having: done) }
        switch action {
        case .turnOn: self.pause.run { self.settle(having: true) }
        case .turnOff:
            guard let resume = self.resume else { return self.settle(having: true) }
            resume.run { self.settle(having: true) }
        case .done: break
        case .stopped: self.state.withLock { $0.next.take() }?()
        }
    }
}
