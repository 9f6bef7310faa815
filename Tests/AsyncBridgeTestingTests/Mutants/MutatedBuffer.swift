// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Foundation
import MutationTestSupport
import Synchronization

/// What the sides of a sequence share; right, but for its faults.
///
/// Safe: what changes is changed between `lock()` and `unlock()`.
final class MutatedBuffer: @unchecked Sendable {
    /// What happens when the buffer is full.
    enum Room: Sendable { case pausing, dropping }

    /// What a call of `next()` comes to.
    private enum Step {
        case element(Int)
        case end
        case error(any Error)
        case cancelled
    }

    /// What the source is asked for.
    private enum Action {
        case pause, resume
        case stop(SourceHandle)
    }

    private static let (low, high) = (4, 16)
    /// Of a buffer that drops.
    private static let capacity = 4

    private let source: SequenceSource
    private let room: Room
    private let faults: Faults
    private let lock = NSLock()
    /// What a fault holds, and what the source and the consumer take.
    private let outer = NonRecursiveLock()

    private var elements: [Int] = []
    private var hasEnded = false
    private var error: (any Error)?
    /// Nobody consumes any more.
    private var isLeft = false
    private var waiters: [Cell] = []
    private var handle: SourceHandle?
    private var isFull = false
    private var isPaused = false
    /// Whether a thread asks the source for something.
    private var isActing = false

    init(_ source: SequenceSource, _ room: Room, _ faults: Faults) {
        self.source = source
        self.room = room
        self.faults = faults
    }

    // MARK: The source

    func start() {
        self.unlocked("unlock before the start") {
            self.faults.call("start the source", instead: { self.source.resume() }, { self.startHere() })
        }
    }

    private func startHere() {
        let watch = DropWatch {
            self.faults.call("end when the closures are dropped") { self.end(OtherError()) }
        }
        let onElement: @Sendable (Int) -> Void = {
            withExtendedLifetime(watch) {}
            self.send($0)
        }
        self.faults.nothing("the closures are not kept") { KeptForGood.keep(onElement) }
        do {
            let handle = try self.source.startThrowing(
                onElement: onElement,
                onCompletion: {
                    watch.disarm()
                    self.end($0)
                }
            )
            self.lock.withLock { self.faults.change("keep the handle") { self.handle = handle } }
            self.act()
        } catch {
            self.faults.call("end when the start throws") { self.end(error) }
        }
    }

    private func send(_ element: Int) {
        self.outer.locked {}
        self.faults.nothing("a handler does not wait") { self.outer.locked { self.outer.locked {} } }
        self.faults.call("take an element", instead: { self.source.takeBack(element) }, { self.take(element) })
    }

    private func take(_ element: Int) {
        self.lock.lock()
        guard self.faults.decision("the sequence is open", !self.hasEnded && !self.isLeft) else {
            self.lock.unlock()
            return self.handBack(element, at: "hand back what comes too late")
        }
        self.elements.append(element)
        switch self.room {
        case .pausing:
            if self.elements.count == Self.high { self.faults.change("note that it is full") { self.isFull = true } }
            self.unlockAndWake(at: "wake at an element")
        case .dropping:
            let hasRoom = self.faults.decision("there is room", self.elements.count <= Self.capacity)
            self.unlockAndWake(at: "wake at an element")
            if !hasRoom { self.faults.call("drop the oldest", instead: { self.drop(last: true) }, { self.drop() }) }
        }
        self.act()
    }

    private func drop(last: Bool = false) {
        let dropped = self.lock.withLock {
            self.elements.isEmpty ? nil : last ? self.elements.removeLast() : self.elements.removeFirst()
        }
        guard let dropped else { return }
        self.faults.call("count what is dropped") {
            self.source.noteDropped(self.faults.number("how many are dropped", 1))
        }
        self.handBack(dropped, at: "hand back what is dropped")
    }

    private func handBack(_ element: Int, at site: String) {
        self.faults.call(site, instead: { self.source.takeBack(0) }, { self.source.takeBack(element) })
    }

    private func end(_ error: (any Error)?) {
        self.lock.lock()
        guard self.faults.decision("it is the first end", !self.hasEnded && !self.isLeft) else {
            return self.lock.unlock()
        }
        self.faults.change("note the end") { self.hasEnded = true }
        self.error = error
        self.unlockAndWake(at: "wake at the end")
        self.act()
    }

    // MARK: The consumer

    func leave(at site: String) { self.faults.call(site) { self.leave() } }

    private func leave() {
        self.lock.lock()
        let rest = self.elements
        self.faults.change("empty the buffer") { self.elements = [] }
        self.faults.change("note that it was left") { self.isLeft = true }
        self.unlockAndWake(at: "wake at the end")
        for element in rest { self.handBack(element, at: "hand back what is left") }
        self.act()
    }

    func next() async throws -> Int? {
        self.outer.locked {}
        while true {
            let cell = Cell()
            let step = self.lock.withLock {
                let step = self.look()
                if step == nil { self.waiters.append(cell) }
                return step
            }
            self.act()
            switch step {
            case .element(let element)?: return element
            case .end?: return nil
            case .error(let error)?: throw error
            case .cancelled?:
                self.leave()
                if self.faults.decision("a cancellation is thrown", true) { throw CancellationError() }
                return nil
            // A failure comes after the test, from a wait that a fault has forgotten.
            case nil: _ = try await self.park(cell).get()
            }
        }
    }

    private func park(_ cell: Cell) async -> Cell.Answer {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { cell.store($0) }
        } onCancel: {
            self.lock.lock()
            let handle = self.handle
            // Not stopped here: the cancellation's handler runs under the runtime's lock.
            self.unlockAndWake(at: "wake at the cancellation")
            self.faults.nothing("the cancellation's handler calls nobody") { handle?.cancel() }
        }
    }

    /// Looks what there is, with the lock held.
    private func look() -> Step? {
        if self.faults.decision("there is an element", !self.elements.isEmpty) {
            let element = self.elements.first ?? 0
            self.faults.change("take the element out") { self.elements = Array(self.elements.dropFirst()) }
            if self.isFull, self.elements.count == Self.low {
                self.faults.change("note that there is room") { self.isFull = false }
            }
            return .element(self.faults.number("the element", element))
        }
        if self.faults.decision("it was left", self.isLeft) { return .end }
        if self.faults.decision("it has ended", self.hasEnded) {
            guard let error = self.error else { return .end }
            self.faults.release("forget the error", error) { self.error = nil }
            self.faults.nothing("the error is not kept") { KeptForGood.keep(error) }
            return self.faults.decision("a failure stays one", true) ? .error(error) : .end
        }
        return self.faults.decision("the task is cancelled", Task.isCancelled) ? .cancelled : nil
    }

    /// Called with the lock held, which it releases.
    private func unlockAndWake(at site: String) {
        let waiters = self.waiters
        self.waiters = []
        self.lock.unlock()
        for waiter in waiters { self.faults.call(site) { waiter.resume(.success(0)) } }
    }

    // MARK: What the source is asked for

    /// Asks the source for what is due: one thread at a time does, and looks again after each call.
    private func act() {
        self.lock.lock()
        guard self.isDue else { return self.lock.unlock() }
        if self.faults.decision("it acts already", self.isActing) { return self.lock.unlock() }
        self.faults.change("note that it acts") { self.isActing = true }
        while self.performNext() { self.lock.lock() }
        self.faults.change("note that it has acted") { self.isActing = false }
        self.lock.unlock()
    }

    /// Does what is due; called with the lock held, which it releases first: the handle goes without it.
    ///
    /// - Returns: Whether something was due; if not, the lock is held.
    private func performNext() -> Bool {
        guard let action = self.nextAction() else { return false }
        self.lock.unlock()
        self.perform(action)
        return true
    }

    /// Whether something is due; asked with the lock held.
    private var isDue: Bool {
        self.hasEnded || self.isLeft ? self.handle != nil : self.isFull != self.isPaused
    }

    /// Called with the lock held.
    private func nextAction() -> Action? {
        if self.faults.decision("the source is to be stopped", self.hasEnded || self.isLeft) {
            guard let handle = self.handle else { return nil }
            self.faults.release("forget the handle", handle) { self.handle = nil }
            self.faults.nothing("the handle is not kept") { KeptForGood.keep(handle) }
            return .stop(handle)
        }
        guard self.faults.decision("the source is to be asked", self.isFull != self.isPaused) else { return nil }
        self.isPaused = self.isFull
        return self.isPaused ? .pause : .resume
    }

    private func perform(_ action: Action) {
        let source = self.source
        switch action {
        case .pause:
            self.unlocked("unlock before pausing") {
                self.faults.call("pause the source", instead: { source.resume() }, { source.pause() })
            }
        case .resume:
            self.unlocked("unlock before resuming") {
                self.faults.call("resume the source", instead: { source.pause() }, { source.resume() })
            }
        case .stop(let handle):
            self.unlocked("unlock before stopping") {
                self.faults.call("stop the source", instead: { source.resume() }, { handle.cancel() })
            }
            self.faults.nothing("a stopped source is not resumed") { source.resume() }
        }
    }

    /// Does something without the lock that a fault holds.
    private func unlocked(_ site: String, _ body: () -> Void) {
        if self.faults.decision(site, true) { body() } else { self.outer.locked(body) }
    }
}

/// Keeps what nothing should keep.
private enum KeptForGood {
    private static let kept = Mutex<[any Sendable]>([])

    static func keep(_ object: any Sendable) { Self.kept.withLock { $0.append(object) } }
}
