// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The lock around a slot's machine, and the actions that follow from its decisions.
final class ReplySlotStorage<Value: Sendable>: Sendable {
    typealias Machine = ReplySlotStateMachine<Callback<Value, any Error>, Callback<Void, any Error>>

    private let machine: Mutex<Machine>
    private let ids = Atomic<UInt64>(0)
    let made: CallSite
    private let overlap: ReplyOverlap

    init(overlap: ReplyOverlap, made: CallSite) {
        self.machine = Mutex(Machine(overlap: overlap))
        self.made = made
        self.overlap = overlap
    }

    var isWaiting: Bool {
        self.machine.withLock { machine in
            switch machine.state {
            case .starting, .waiting: true
            case .idle, .granted, .stopping, .closed: false
            }
        }
    }

    // MARK: Callers

    func makeID() -> UInt64 { self.ids.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Whether callers wait for their turn before they join.
    var takesTurns: Bool { self.overlap == .queue }

    /// Waits for the caller's turn: behind other callers, or behind the cancel action of one that has left.
    nonisolated(nonsending) func lineUp(_ id: UInt64, timeout: BridgeTimeout?, at site: CallSite) async throws {
        do {
            try await awaitCallback(
                "ReplySlot (queue)",
                timeout: timeout,
                fileID: site.fileIDLiteral,
                line: site.line
            ) { turn in
                switch self.machine.withLock({ $0.lineUp(Machine.QueuedCaller(id: id, turn: turn)) }) {
                case .join: turn.resume()
                case .wait: break
                case .closed: throw BridgeFault(.slotClosed, made: self.made)
                }
            }
        } catch {
            self.leave(id)
            throw error
        }
    }

    /// Thrown to a caller that must line up before it can join.
    struct MustLineUp: Error {}

    /// Joins the callers that wait for the next reply.
    ///
    /// - Parameters:
    ///   - id: The caller.
    ///   - callback: Gets the reply.
    ///   - site: Where the caller waits.
    ///   - start: Starts the work; run if the caller is to start it. Its error goes to all callers that share the work.
    /// - Throws: ``BridgeFault`` if the caller cannot join, and ``MustLineUp`` if it cannot join yet; what `start`
    ///   throws.
    func join(
        _ id: UInt64,
        _ callback: Callback<Value, any Error>,
        at site: CallSite,
        starting start: () throws -> Void
    ) throws {
        switch self.machine.withLock({ $0.join(Machine.Member(id: id, reply: callback)) }) {
        case .start:
            try self.start(id, at: site, start)
        case .share:
            break
        case .replace(let member):
            member?.reply.resume(throwing: BridgeFault(.slotReplaced, made: self.made))
            // Also if it threw, after its error has gone to the caller.
            defer { for next in self.machine.withLock({ $0.started(id) }) { self.grant(next) } }
            try self.start(id, at: site, start)
        case .replaced:
            throw BridgeFault(.slotReplaced, made: self.made)
        case .lineUp:
            throw MustLineUp()
        case .busy:
            throw BridgeFault(.slotBusy, made: self.made)
        case .closed:
            throw BridgeFault(.slotClosed, made: self.made)
        }
    }

    /// A caller gives up.
    ///
    /// - Parameters:
    ///   - id: The caller.
    ///   - stop: Stops the work; run if no other caller waits for it. The slot is free when it has returned.
    func leave(_ id: UInt64, stop: () -> Void = {}) {
        switch self.machine.withLock({ $0.leave(id) }) {
        case .stop:
            stop()
            for next in self.machine.withLock({ $0.stopped() }) { self.grant(next) }
        case .pass(let next):
            self.grant(next)
        case .go:
            break
        }
    }

    /// Gives the turn to the next caller that still wants it.
    private func grant(_ next: Machine.QueuedCaller?) {
        var next = next
        // Race: a caller in line may be cancelled but not have left yet. It is skipped here, and finds nothing to do
        // when it leaves.
        while let caller = next, !caller.turn.resume() {
            switch self.machine.withLock({ $0.leave(caller.id) }) {
            case .pass(let following): next = following
            // `stop` is impossible: it has not joined.
            case .go, .stop: return
            }
        }
    }

    /// Starts a caller's work.
    ///
    /// If that fails, the callers that share the work get its error too.
    private func start(_ id: UInt64, at site: CallSite, _ start: () throws -> Void) throws {
        do { try start() } catch {
            let answer = self.machine.withLock { $0.fail(id) }
            _ = self.deliver(.failure(error), to: answer, at: site)
            throw error
        }
    }

    // MARK: The delegate

    func answer(_ result: Result<Value, any Error>, at site: CallSite) -> Bool {
        let answer = self.machine.withLock { $0.answer() }
        return self.deliver(result, to: answer, at: site)
    }

    private func deliver(_ result: Result<Value, any Error>, to answer: Machine.Answer, at site: CallSite) -> Bool {
        var isDelivered = false
        for member in answer.members {
            let wins = member.reply.resume(with: result, fileID: site.fileIDLiteral, line: site.line)
            isDelivered = wins || isDelivered
        }
        self.grant(answer.next)
        return isDelivered
    }

    /// Answers all callers with an error.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    func close() -> Bool {
        let (members, line) = self.machine.withLock { $0.close() }
        let fault = BridgeFault(.slotClosed, made: self.made)
        for member in members { member.reply.resume(throwing: fault) }
        for caller in line { caller.turn.resume(throwing: fault) }
        return !(members.isEmpty && line.isEmpty)
    }
}
