// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// What a channel does for the branches of a selection. Inlinable, so that it is specialised in the user's module.

extension ChannelStorage {
    /// Answers a branch that receives.
    @inlinable
    func answerReceive(_ operation: SelectOperation, _ waiter: WaiterReference?) -> SelectAnswer {
        switch operation {
        case .prepare: return .address(of: self)
        case .lock: self.machine.lock()
        case .unlock: self.machine.unlock()
        case .attempt:
            switch self.machine.whileLocked({ $0.receive(orEnlist: nil) }) {
            case .take(let element, let sender):
                waiter?.fill(with: element)
                waiter?.outcome = .done
                return .yes(wake: sender)
            case .ended:
                waiter?.outcome = .ended
                return .yes
            case .refuse: return .no
            case .suspend, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
            }
        case .enlist: if let waiter { self.machine.whileLocked { $0.enterBegun(receiver: waiter) } }
        case .withdraw:
            if let waiter, waiter.outcome != .none { return .yes }
            if let waiter { self.withdraw(receiver: waiter) }
        case .discard: if let waiter, waiter.outcome == .done { self.dispose(of: waiter.empty()) }
        case .begin, .settle, .start, .abandon, .finish: break
        }
        return .no
    }

    /// What a branch has received, or can receive at once.
    ///
    /// - Parameter waiter: The waiter, if the branch has happened.
    /// - Returns: The element or the end; `refused` if there is neither.
    @inlinable
    func selected(_ waiter: WaiterReference?) -> Received {
        guard let waiter else { return self.receiveNow() }
        if waiter.outcome == .done { return .element(waiter.empty()) }
        return .ended(self.endOfWaits)
    }

    /// Answers a branch that sends.
    ///
    /// While the waiter is enlisted, its slot holds the element, and the parcel is empty.
    @inlinable
    func answerSend(
        _ parcel: SelectParcel,
        _ operation: SelectOperation,
        _ waiter: WaiterReference?
    ) -> SelectAnswer {
        switch operation {
        case .begin: parcel.begin()
        case .prepare: return .address(of: self)
        case .lock: self.machine.lock()
        case .unlock: self.machine.unlock()
        case .attempt:
            let element = parcel.take(as: Element.self)
            switch self.machine.whileLocked({ $0.send(element, orEnlist: nil) }) {
            case .stored:
                waiter?.outcome = .done
                return .yes
            case .wake(let receiver):
                waiter?.outcome = .done
                return .yes(wake: receiver)
            case .dispose(let old):
                waiter?.outcome = .done
                waiter?.fill(with: old)
                return .yesAndReplaced
            case .ended:
                parcel.putBack(element)
                waiter?.outcome = .ended
                return .yes
            // A branch waits for room also where a channel's policy is to fail: another branch may come first.
            case .refuse, .overflow: parcel.putBack(element)
            case .suspend, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
            }
        case .settle: if let waiter { self.dispose(of: waiter.empty()) }
        case .enlist:
            if let waiter {
                self.machine.whileLocked { $0.enterBegun(sender: waiter, with: parcel.take(as: Element.self)) }
            }
        case .withdraw:
            guard let waiter else { return .no }
            if waiter.outcome == .none { self.withdraw(sender: waiter) }
            // A sent element has been moved out of the slot.
            if waiter.outcome != .done { parcel.putBack(waiter.empty(Disconnected<Element>.self)) }
            return waiter.outcome == .none ? .no : .yes
        case .abandon: self.dispose(of: parcel.take())
        case .discard: if let waiter, waiter.outcome == .ended { self.dispose(of: parcel.take()) }
        case .start, .finish: break
        }
        return .no
    }

    /// Whether a branch has sent its element, or can send it at once.
    ///
    /// - Parameters:
    ///   - parcel: The element, which is disposed of if the channel has ended.
    ///   - waiter: The waiter, if the branch has happened.
    /// - Returns: False if the channel is full.
    /// - Throws: ``SelectSourceFailure``, with the error with which the channel has ended.
    @inlinable
    func selected(_ parcel: SelectParcel, _ waiter: WaiterReference?) throws -> Bool {
        if let waiter, waiter.outcome == .done { return true }
        let element = parcel.take(as: Element.self)
        let sent = waiter == nil ? self.sendNow(element) : .ended(self.endOfWaits)
        if case .refused = sent {
            parcel.putBack(element)
            return false
        }
        do {
            try self.fail(sent, element)
        } catch {
            throw SelectSourceFailure(error)
        }
        return true
    }
}
