// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

extension ChannelStorage: SelectPlace {
    func whileLocked(_ body: () -> Void) {
        // Safe: the address is forgotten before the lock is left.
        unsafe self.machine.withPointer { machine in
            unsafe self.locked = machine
            body()
            unsafe self.locked = nil
        }
    }

    /// The machine, while ``whileLocked(_:)`` runs.
    func withLocked<Result>(_ body: (inout Machine) -> Result) -> Result {
        guard let machine = unsafe self.locked else { preconditionFailure("BUG: a channel is not locked") }
        return unsafe body(&machine.pointee)
    }
}

/// Waits in a channel.
class ChannelCase<Element, Output>: SelectCase<Output> {
    fileprivate let storage: ChannelStorage<Element>
    fileprivate var waiter: WaiterReference?
    // So that the channel does not end because its last handle goes while it is waited for.
    private let handle: AnyObject

    fileprivate init(in storage: ChannelStorage<Element>, keeping handle: AnyObject) {
        self.storage = storage
        self.handle = handle
    }

    override final var place: (any SelectPlace)? { self.storage }

    override final func makeSlot() -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(UnsafeMutablePointer<Disconnected<Element>>.allocate(capacity: 1))
    }

    override final func freeSlot(_ slot: UnsafeMutableRawPointer) {
        unsafe slot.assumingMemoryBound(to: Disconnected<Element>.self).deallocate()
    }
}

/// Receives from a channel.
final class ReceiveCase<Element, Output>: ChannelCase<Element, Output> {
    private let handler: (Result<Element, any Error>) throws -> Output
    private var received: ChannelStorage<Element>.Received?

    init(
        from storage: ChannelStorage<Element>,
        keeping handle: AnyObject,
        _ handler: @escaping (Result<Element, any Error>) throws -> Output
    ) {
        self.handler = handler
        super.init(in: storage, keeping: handle)
    }

    override func happensNow() -> Bool {
        let received = self.storage.receiveNow()
        if case .refused = received { return false }
        self.received = received
        return true
    }

    override func happensLocked(_ duties: inout SelectDuties) -> Bool {
        switch self.storage.withLocked({ $0.receive(orEnlist: nil) }) {
        case .take(let element, let sender):
            self.received = .element(element)
            if let sender { duties.waking.append(sender) }
            return true
        case .ended(let end):
            self.received = .ended(end)
            return true
        case .refuse:
            return false
        case .suspend, .cancelled:
            preconditionFailure("BUG: nobody waits, but a waiter was enlisted")
        }
    }

    override func enlist(_ waiter: WaiterReference) {
        self.waiter = waiter
        self.storage.withLocked { $0.receivers.append(waiter) }
    }

    override func withdraw() -> Bool {
        guard let waiter = self.waiter else { return false }
        let received = self.storage.received(waiter)
        if case .cancelled = received { return false }
        self.received = received
        return true
    }

    override func result() throws -> Output {
        switch self.received {
        case .element(let element)?: try self.handler(.success(element.take()))
        case .ended(let end)?: try self.handler(.failure(self.storage.error(for: end)))
        case .refused?, .cancelled?, nil: preconditionFailure("BUG: nothing was received")
        }
    }

    override func dispose() { if case .element(let element)? = self.received { self.storage.dispose(of: element) } }
}

/// Sends to a channel.
final class SendCase<Element, Output>: ChannelCase<Element, Output> {
    private let element: Disconnected<Element>
    private let handler: () throws -> Output
    private var end: ChannelEnd?

    init(
        _ element: Disconnected<Element>,
        to storage: ChannelStorage<Element>,
        keeping handle: AnyObject,
        _ handler: @escaping () throws -> Output
    ) {
        self.element = element
        self.handler = handler
        super.init(in: storage, keeping: handle)
    }

    override func happensNow() -> Bool {
        switch self.storage.sendNow(self.element) {
        case .sent: return true
        case .ended(let end):
            self.end = end
            return true
        case .refused, .cancelled: return false
        }
    }

    override func happensLocked(_ duties: inout SelectDuties) -> Bool {
        switch self.storage.withLocked({ $0.send(self.element, orEnlist: nil) }) {
        case .stored:
            return true
        case .wake(let receiver):
            duties.waking.append(receiver)
            return true
        case .dispose(let old):
            duties.disposing.append { [storage] in storage.dispose(of: old) }
            return true
        case .ended(let end):
            self.end = end
            return true
        case .refuse:
            return false
        case .suspend, .cancelled:
            preconditionFailure("BUG: nobody waits, but a waiter was enlisted")
        }
    }

    override func enlist(_ waiter: WaiterReference) {
        self.waiter = waiter
        waiter.fill(with: self.element)
        self.storage.withLocked { $0.senders.append(waiter) }
    }

    override func withdraw() -> Bool {
        guard let waiter = self.waiter else { return false }
        switch self.storage.sent(waiter) {
        case .sent: return true
        case .ended(let end):
            self.end = end
            return true
        case .refused, .cancelled: return false
        }
    }

    override func result() throws -> Output {
        if let end = self.end { throw self.storage.error(for: end) }
        return try self.handler()
    }
}
