// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// What `CoChannel`, `Sender` and `Receiver` have in common: outcomes as results and errors.

extension ChannelStorage {
    @usableFromInline
    func error(for end: ChannelEnd) -> any Error { CoChannelError.error(for: end, made: self.made) }

    /// Throws what a failed attempt to send stands for, after it has disposed of the element.
    @usableFromInline
    func fail(_ sent: Sent, _ element: Disconnected<Element>) throws {
        switch sent {
        case .sent: return
        case .refused: preconditionFailure("BUG: somebody who waits was refused")
        case .cancelled:
            self.dispose(of: element)
            throw CancellationError()
        case .ended(let end):
            self.dispose(of: element)
            throw self.error(for: end)
        }
    }

    @usableFromInline
    func fail(_ received: Received) throws -> Never {
        switch received {
        case .element, .refused: preconditionFailure("BUG: somebody who waits was refused")
        case .cancelled: throw CancellationError()
        case .ended(let end): throw self.error(for: end)
        }
    }

    // MARK: In coroutines

    // What is possible at once happens everywhere, in cancelled code too, as in tasks. Only a wait needs a coroutine
    // that may wait.

    /// The coroutine that may wait here, if it waits itself: not its task.
    @inlinable @inline(__always)
    func waitingCoroutine() -> (RunningCoroutine, ParkerReference)? {
        guard let coroutine = RunningCoroutine.current, let parker = coroutine.parker, !coroutine.isCancelled else {
            return nil
        }
        return (coroutine, parker)
    }

    @inlinable
    func awaitSend(_ element: sending Element) throws {
        let element = Disconnected(unchecked: element)
        // One that waits itself tries and enlists under one lock.
        guard let (coroutine, parker) = self.waitingCoroutine() else {
            return try self.sendFirst(element)
        }
        let sent = self.send(element, in: coroutine, as: parker)
        if case .sent = sent { return try coroutine.checkUnwinding() }
        try self.fail(sent, element)
    }

    @inlinable @inline(never)
    func sendFirst(_ element: Disconnected<Element>) throws {
        let sent = self.sendNow(element)
        guard case .refused = sent else { return try self.fail(sent, element) }
        let coroutine: RunningCoroutine
        do { coroutine = try RunningCoroutine.toSuspend() } catch {
            self.dispose(of: element)
            throw error
        }
        coroutine.note(.channel, at: self.made)
        try coroutine.perform { try self.fail(await self.sendWaiting(element), element) }
    }

    @inlinable
    func awaitReceive() throws -> sending Element {
        guard let (coroutine, parker) = self.waitingCoroutine() else {
            return try self.receiveFirst()
        }
        let received = self.receive(in: coroutine, as: parker)
        guard case .element(let element) = received else { try self.fail(received) }
        if coroutine.isUnwinding {
            self.dispose(of: element)
            throw CancellationError()
        }
        return element.take()
    }

    @inlinable @inline(never)
    func receiveFirst() throws -> sending Element {
        let received = self.receiveNow()
        if case .element(let element) = received { return element.take() }
        guard case .refused = received else { try self.fail(received) }
        let coroutine = try RunningCoroutine.toSuspend()
        coroutine.note(.channel, at: self.made)
        return try coroutine.perform {
            let received = await self.receiveWaiting()
            guard case .element(let element) = received else { try self.fail(received) }
            return element.take()
        }
    }

    // MARK: In tasks

    @inlinable
    nonisolated(nonsending) func sendOrThrow(_ element: Disconnected<Element>) async throws {
        let sent = await self.send(element)
        if case .sent = sent { return }
        try self.fail(sent, element)
    }

    @inlinable
    nonisolated(nonsending) func receiveOrThrow() async throws -> sending Element {
        let received = await self.receive()
        guard case .element(let element) = received else { try self.fail(received) }
        return element.take()
    }

    @inlinable
    nonisolated(nonsending) func receiveNext() async throws -> sending Element? {
        let received = await self.receive()
        switch received {
        case .element(let element): return element.take()
        case .ended(.closed): return nil
        default: try self.fail(received)
        }
    }

    // MARK: Without waiting

    @inlinable
    func offer(_ element: sending Element) -> Bool {
        if case .sent = self.sendNow(Disconnected(unchecked: element)) { return true }
        return false
    }

    @inlinable
    func poll() -> sending Element? {
        if case .element(let element) = self.receiveNow() { return element.take() }
        return nil
    }

    // MARK: The end

    var isCanceled: Bool { self.end.map { !$0.keepsElements } ?? false }

    func whenCanceled(_ callback: @escaping @Sendable () -> Void) {
        // Not if it goes away.
        self.observe(ofCancellation: true) { end in if end != nil { callback() } }
    }

    func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) {
        let made = self.made
        self.observe { end in callback(end.map { CoChannelError.error(for: $0, made: made) }) }
    }
}
