// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridge
public import OpenCombineShim
public import Synchronization

/// Iterates a sequence for one subscriber: the lock around its ``PumpState``, and the task that pulls and sends.
///
/// The task is started by the first demand. It waits without a thread while there is none. Only the task sends, so the
/// subscriber gets one signal at a time, and what it asks for while it receives is added to what the task has: nothing
/// recurses.
@usableFromInline
final class SequencePump<Base: AsyncSequence & Sendable>: Sendable {
    @usableFromInline typealias Downstream = Receiver<Base.Element, Base.Failure>
    /// Calls ``pump(_:)``.
    ///
    /// Made in the user's module, where the type of the sequence is known. Subscribers are given to a publisher, and
    /// ask for elements, through conformances, which the compiler cannot specialise for a sequence. Without it an
    /// element costs several times as much, most of it for looking up types.
    @usableFromInline typealias Iterate = @Sendable (SequencePump, isolated (any Actor)?) async -> Void
    /// Sends a signal on an actor that the pump does not keep alive.
    ///
    /// Returns what ``send(_:)`` returns. Made where elements are known to be `Sendable`.
    @usableFromInline
    typealias Courier = nonisolated(nonsending) @Sendable (SequencePump, Signal) async -> Subscribers.Demand?
    @usableFromInline typealias State = PumpState<Downstream>

    /// What the subscriber gets.
    @usableFromInline
    enum Signal {
        case element(Base.Element)
        case completion(Subscribers.Completion<Base.Failure>)
    }

    @usableFromInline let base: Base
    @usableFromInline let context: PumpContext
    @usableFromInline let state: Mutex<State>
    @usableFromInline let iterate: Iterate
    // Without it, the task sends where it iterates.
    @usableFromInline let courier: Courier?
    // For the pump, to which a second lock for each element would cost as much as the first one.
    @usableFromInline let isCancelled = Atomic(false)
    // Set when the task has started. Whichever comes second of that and the cancellation cancels the task.
    @usableFromInline let task = Mutex(Task<Void, Never>?.none)

    @inlinable
    init(
        _ base: Base,
        _ context: PumpContext,
        _ iterate: @escaping Iterate,
        _ courier: Courier?,
        _ downstream: Downstream
    ) {
        self.base = base
        self.context = context
        self.state = Mutex(State(downstream))
        self.iterate = iterate
        self.courier = courier
    }

    /// The subscriber has received its subscription.
    @inlinable
    func subscribed() { if self.state.withLock({ $0.subscribed() }) { self.start() } }

    // MARK: The pump

    @inlinable
    func start() {
        let task = self.context.run { isolation in await self.iterate(self, isolation) }
        self.task.withLock { $0 = task }
        // Race: a cancellation that came meanwhile found no task. Not so if the sequence has ended: the subscriber is
        // perhaps being told so at this moment, in that task.
        if self.isCancelled.load(ordering: .acquiring) { task.cancel() }
    }

    @inlinable
    func pump(_ isolation: isolated (any Actor)?) async {
        // Cancelled before the task ran: the sequence must not start.
        guard self.state.withLock({ $0.receiver != nil }) else { return }
        var iterator = self.base.makeAsyncIterator()
        var allowance = Subscribers.Demand.none
        while true {
            while allowance == .none {
                guard let demand = self.state.withLock({ $0.takeAllowance() }) else { return self.cancel() }
                if demand == .none { await self.waitForDemand(isolation) } else { allowance = demand }
            }
            let element: Base.Element?
            do throws(Base.Failure) {
                element = try await iterator.next(isolation: isolation)
            } catch {
                return await self.finish(.failure(error), isolation)
            }
            guard let element else { return await self.finish(.finished, isolation) }
            let returned: Subscribers.Demand?
            if let courier = self.courier {
                returned = await courier(self, .element(element))
            } else {
                returned = self.send(.element(element))
            }
            // Cancelled while the element was on its way.
            guard let returned else { return Self.giveBack(element, to: iterator) }
            allowance -= 1
            allowance += returned
            // Cancelled in there: an element that the sequence gives for nobody would be lost to its other users.
            if allowance > .none, self.isCancelled.load(ordering: .acquiring) { return }
        }
    }

    /// Gives an element that nobody gets back to the sequence, for its `onUndelivered`; without one, it is released.
    @usableFromInline @inline(never)
    static func giveBack(_ element: Base.Element, to iterator: Base.AsyncIterator) {
        // No other code has it: the subscriber did not get it.
        _ = iterator.takeBack(undelivered: Disconnected(unchecked: element))
    }

    @inlinable
    func waitForDemand(_ isolation: isolated (any Actor)?) async {
        // Do not remove: it keeps the closure on the caller's actor.
        _ = isolation
        // Safe: the machine keeps it for one event, or it is resumed here.
        await unsafe withUnsafeContinuation { continuation in
            let pump = unsafe ParkedContinuation(continuation)
            if !self.state.withLock({ $0.park(pump) }) { pump.resume() }
        }
    }

    @inlinable
    func finish(_ completion: Subscribers.Completion<Base.Failure>, _ isolation: isolated (any Actor)?) async {
        if let courier = self.courier {
            _ = await courier(self, .completion(completion))
        } else {
            _ = self.send(.completion(completion))
        }
    }

    /// Sends a signal to the subscriber.
    ///
    /// - Returns: What it asks for in return; `nil` if it gets no more.
    @inlinable
    func send(_ signal: Signal) -> Subscribers.Demand? {
        switch signal {
        case .element(let element):
            // Asked for each time: the subscriber is not kept while the task waits for the sequence.
            return self.state.withLock({ $0.receiver })?.subscriber.receive(element)
        case .completion(let completion):
            self.state.withLock({ $0.finish() })?.subscriber.receive(completion: completion)
            return nil
        }
    }
}

extension SequencePump.Signal: Sendable where Base.Element: Sendable {}

extension SequencePump where Base.Element: Sendable {
    /// What sends on an actor, and does not keep it alive.
    ///
    /// The actor may own the subscription, which would then keep it, and itself, alive forever. The task that iterates
    /// must not run on it: a task that is isolated to an actor keeps it while it waits.
    ///
    /// After the actor's end it sends in Swift's pool. That cannot call code of the actor: a closure that is isolated
    /// to it keeps it alive.
    @inlinable
    static func courier(to actor: any Actor) -> Courier {
        let target = WeakActor(actor)
        return { pump, signal in await pump.send(signal, on: target.actor) }
    }

    @inlinable
    func send(_ signal: Signal, on isolation: isolated (any Actor)?) async -> Subscribers.Demand? {
        self.send(signal)
    }
}

// MARK: The subscriber

extension SequencePump {
    /// The subscriber asks for more elements.
    @inlinable
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        switch self.state.withLock({ $0.request(demand) }) {
        case .none: break
        case .start: self.start()
        case .resume(let pump): pump.resume()
        }
    }

    /// The subscriber wants no more.
    @inlinable
    func cancel() {
        self.end(self.state.withLock { $0.cancel() })
    }

    /// The subscriber has dropped its subscription.
    @inlinable
    func drop() {
        if let cancellation = self.state.withLock({ $0.drop() }) { self.end(cancellation) }
    }

    @inlinable
    func end(_ cancellation: State.Cancellation) {
        self.isCancelled.store(true, ordering: .releasing)
        // Its handlers run in this call, outside every lock.
        self.task.withLock { $0.take() }?.cancel()
        cancellation.pump?.resume()
        releaseHere(cancellation)
    }
}

/// What the subscriber gets: a pump without it would wait for demand forever.
@usableFromInline
final class PumpSubscription<Base: AsyncSequence & Sendable>: Subscription, Sendable {
    @usableFromInline let pump: SequencePump<Base>

    @inlinable
    init(_ pump: SequencePump<Base>) { self.pump = pump }

    @inlinable
    deinit { self.pump.drop() }

    @inlinable
    func request(_ demand: Subscribers.Demand) { self.pump.request(demand) }

    @inlinable
    func cancel() { self.pump.cancel() }
}
#endif
