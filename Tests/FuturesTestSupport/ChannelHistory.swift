// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures

/// What several callers did with a channel, each one thing after the other, and what came of it.
package struct ChannelHistory: Sendable {
    package enum Operation: Hashable, Sendable {
        case send(Int)
        case offer(Int)
        case receive
        case poll
        case close
        /// Of the channel.
        case cancel
        /// Of another caller, whose waits end from now on.
        case cancelCaller(Int)
    }

    package struct Call: Sendable {
        package let caller: Int
        package let operation: Operation
        package let invoked: Int
        /// Never for one that still waits when all is quiet.
        package let answered: Int
        /// None for one that waits, and for what has no answer.
        package let answer: ChannelModel.Answer?

        package init(
            _ caller: Int,
            _ operation: Operation,
            _ invoked: Int,
            _ answered: Int,
            _ answer: ChannelModel.Answer?
        ) {
            self.caller = caller
            self.operation = operation
            self.invoked = invoked
            self.answered = answered
            self.answer = answer
        }

        package var waits: Bool { self.answered == .max }
    }

    package var calls: [Call]

    package init(_ calls: [Call]) { self.calls = calls }
}

/// Searches for an order of the calls in which the model, where each call happens in one moment, gives the same
/// answers.
///
/// Wing and Gong, "Testing and Verifying Concurrent Objects", 1993, with Lowe's memory of what has failed. A call
/// that waits has two moments, as in Scherer and Scott, "Nonblocking Concurrent Data Structures with Condition
/// Synchronization", 2004: it comes, and another call gives it its answer; both lie between its invocation and its
/// answer.
package struct LinearizabilityChecker {
    private let calls: [ChannelHistory.Call]
    private var failed: Set<State> = []

    private struct State: Hashable {
        var model: ChannelModel
        /// A bit for each call that has come.
        var come: UInt64 = 0
    }

    private init(_ history: ChannelHistory) {
        precondition(history.calls.count <= 64, "too many calls for a word")
        self.calls = history.calls
    }

    /// Whether there is such an order.
    package static func accepts(_ history: ChannelHistory, of model: ChannelModel) -> Bool {
        var checker = LinearizabilityChecker(history)
        return checker.search(State(model: model))
    }

    private mutating func search(_ state: State) -> Bool {
        // Nothing comes after a call that has been answered before it was invoked.
        var limit = Int.max
        var isOver = true
        for (index, call) in self.calls.enumerated() {
            let hasCome = state.come & (1 << index) != 0
            let isAnswered = hasCome && !self.isWaiting(index, in: state.model)
            if !isAnswered, call.answered < limit { limit = call.answered }
            if !hasCome || (!isAnswered && !call.waits) { isOver = false }
        }
        if isOver { return true }
        if !self.failed.insert(state).inserted { return false }
        for (index, call) in self.calls.enumerated()
        where state.come & (1 << index) == 0 && call.invoked <= limit {
            var next = state
            next.come |= 1 << index
            if self.apply(index, call, to: &next.model), self.search(next) { return true }
        }
        return false
    }

    /// Whether a call that has come has no answer yet.
    private func isWaiting(_ index: Int, in model: ChannelModel) -> Bool {
        model.waitingSenders.contains(index) || model.waitingReceivers.contains(index)
    }

    /// - Returns: Whether all answers are those of the history.
    private func apply(_ index: Int, _ call: ChannelHistory.Call, to model: inout ChannelModel) -> Bool {
        let known = model.answers.count
        switch call.operation {
        case .send(let element):
            if call.answer == .cancelled, self.isCancelled(call) { return true }
            if let answer = model.send(element, as: index), !self.answer(answer, isThatOf: call) { return false }
        case .receive:
            if call.answer == .cancelled, self.isCancelled(call) { return true }
            if let answer = model.receive(as: index), !self.answer(answer, isThatOf: call) { return false }
        case .offer(let element):
            if (model.send(element, as: nil) == .sent) != (call.answer == .sent) { return false }
        case .poll:
            // One that does not wait does not hear of the end.
            var answer = model.receive(as: nil)
            if case .ended = answer { answer = .refused }
            if answer != call.answer { return false }
        case .close:
            model.finish(.closed)
        case .cancel:
            model.finish(.cancelled)
        case .cancelCaller:
            break
        }
        // What it has answered to those who waited.
        if model.answers.count == known { return true }
        return model.answers.allSatisfy { self.answer($0.value, isThatOf: self.calls[$0.key]) }
    }

    /// Whether the caller was cancelled before the answer: then the call may have left no trace.
    private func isCancelled(_ call: ChannelHistory.Call) -> Bool {
        self.calls.contains { $0.operation == .cancelCaller(call.caller) && $0.invoked < call.answered }
    }

    private func answer(_ answer: ChannelModel.Answer, isThatOf call: ChannelHistory.Call) -> Bool {
        switch answer {
        case .ended(.cancelled): call.answer == .cancelled
        // Who was told of the end asks how it was, and it may have been cancelled since.
        case .ended(.closed) where call.answer == .cancelled:
            self.calls.contains { $0.operation == .cancel && $0.invoked < call.answered }
        default: call.answer == answer
        }
    }
}
