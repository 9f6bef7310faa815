// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// Shared by `CoChannel`, `Sender` and `Receiver`: outcomes as results and errors.

extension ChannelStorage {
    /// Throws the error of a failed attempt to send, after disposing of the element.
    @usableFromInline
    package func fail(_ sent: Sent, _ element: Disconnected<Element>) throws {
        switch sent {
        case .sent: return
        case .refused: preconditionFailure("BUG: a waiter was refused")
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
        case .element, .refused: preconditionFailure("BUG: a waiter was refused")
        case .cancelled: throw CancellationError()
        case .ended(let end): throw self.error(for: end)
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
        case .refused, .cancelled, .ended: try self.fail(received)
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

    /// Whether the channel has ended, and nothing is left in it: then its end is the end of a cancelled loop, too.
    @usableFromInline package var isExhausted: Bool { self.end != nil && self.count == 0 }

    var isCancelled: Bool { self.end.map { !$0.keepsElements } ?? false }

    func whenCancelled(_ callback: @escaping @Sendable () -> Void) {
        // Not if it is released.
        self.observe(ofCancellation: true) { end in if end != nil { callback() } }
    }

    func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) {
        let made = self.made
        // Weak: the machine keeps the closure, and the channel keeps the machine.
        self.observe { [weak self] end in
            callback(end.map { self?.error(for: $0) ?? CoChannelError.error(for: $0, made: made) })
        }
    }
}
