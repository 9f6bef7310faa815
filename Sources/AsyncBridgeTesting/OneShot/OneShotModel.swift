// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The contract of a one-shot bridge: what must hold after each event of a history.
///
/// A plain value without input, output or concurrency. What it says is compared with what a bridge did.
///
/// Invariant: where the contract leaves a choice, the model allows both, and ``adopt(_:by:)`` tells it what was chosen.
struct OneShotModel: Sendable {
    typealias History = OneShotHistory

    /// How a call may end.
    enum Ending: Hashable, Sendable {
        case value(Int)
        case error(Int)
        case cancelled
        /// An error of the bridge itself.
        case fault
    }

    /// What must hold for one call.
    struct Call: Sendable {
        /// Whether the source is started.
        var isStarted = true
        var isCancelled = false
        /// Whether the source still has the completion handler.
        var hasHandler = true
        /// Whether `start` has thrown.
        var isRefused = false
        /// How the call may end; empty while it waits.
        var endings: Set<Ending> = []
        /// How often the source is stopped.
        var cancels = 0...0
        /// The values that the completion handler was called with.
        var sent: [Int] = []
        var inCancel: History.CancelEvent?

        var waits: Bool { self.endings.isEmpty }

        /// The values that nobody received, once the ending is known.
        var undelivered: [Int] { self.sent.filter { !self.endings.contains(.value($0)) } }
    }

    private let cancellation: OneShotPromises.Cancellation
    private let stops: Bool
    /// Whether a call whose time is up may stop its source, although a cancellation does not.
    private let mayStop: Bool
    private let timesOut: Bool
    private let startsWhenCancelled: Bool
    private let detectsDrops: Bool
    private let overlaps: Bool

    private(set) var calls: [Int: Call] = [:]

    init(_ promises: OneShotPromises) {
        self.cancellation = promises.cancellation
        self.stops = promises.stops
        self.mayStop = promises.cancelsSource
        self.timesOut = promises.timeout != nil
        self.startsWhenCancelled = promises.startsWhenCancelled || promises.cancellation == .ignored
        self.detectsDrops = promises.detectsDrops
        self.overlaps = promises.takesOverlappingCalls
    }

    // MARK: Which events make sense

    /// Whether the contract says what comes of the event.
    func admits(_ event: History.Event) -> Bool {
        if case .begin(let number, let course) = event {
            let isFree = self.overlaps || !self.calls.values.contains(where: \.waits)
            return self.calls[number] == nil && isFree && self.admits(course)
        }
        guard let call = self.calls[event.call] else { return false }
        return switch event {
        case .begin: false
        case .answer, .fail: call.hasHandler && !call.isRefused
        // Without the promise, a dropped handler leaves the call waiting forever.
        case .drop: call.hasHandler && (self.detectsDrops || !call.waits)
        case .cancel: true
        case .answerAndCancel: call.waits && call.hasHandler && !call.isCancelled && call.inCancel == nil
        case .timeOut: self.timesOut && call.isStarted
        case .answerAndTimeOut: self.timesOut && call.waits && call.hasHandler && call.inCancel == nil
        case .cancelAndTimeOut: self.timesOut && call.waits && !call.isCancelled && call.inCancel == nil
        }
    }

    /// Whether the contract says what comes of the whole history.
    static func admits(_ history: History, _ promises: OneShotPromises) -> Bool {
        var model = Self(promises)
        for event in history.events {
            guard model.admits(event) else { return false }
            model.apply(event)
        }
        return true
    }

    private func admits(_ course: History.Course) -> Bool {
        let isSettled = course.inStart.contains { $0 != .cancel }
        if course.isCancelled, !self.startsWhenCancelled { return course.inStart.isEmpty && course.inCancel == nil }
        if course.inCancel != nil {
            // Whether the source of a call that has its answer is stopped is left open.
            if !self.stops || isSettled { return false }
            if course.inCancel == .drop, !self.detectsDrops { return false }
        }
        var hasHandler = true
        for (index, event) in course.inStart.enumerated() {
            switch event {
            case .drop:
                guard hasHandler, self.detectsDrops else { return false }
                hasHandler = false
            case .answer, .answerOnOtherThread, .fail: if !hasHandler { return false }
            case .refuse: if index != course.inStart.count - 1 { return false }
            case .cancel: break
            }
        }
        return true
    }

    // MARK: What comes of an event

    /// Takes an event into account.
    mutating func apply(_ event: History.Event) {
        if case .begin(let number, let course) = event {
            self.calls[number] = self.begun(course)
            return
        }
        guard var call = self.calls[event.call] else { return }
        switch event {
        case .begin: break
        case .answer(_, let number):
            call.sent.append(number)
            if call.waits { call.endings = [.value(number)] }
        case .fail(_, let number): if call.waits { call.endings = self.ended(.error(number), call) }
        case .drop:
            self.drop(&call)
        case .cancel: self.cancel(&call)
        case .answerAndCancel(_, let number, _):
            call.isCancelled = true
            call.sent.append(number)
            call.endings = self.cancellation == .prompt ? [.value(number), .cancelled] : [.value(number)]
            if self.stops { call.cancels = 0...1 }
        case .timeOut: self.timeOut(&call)
        case .answerAndTimeOut(_, let number, _):
            call.sent.append(number)
            call.endings = self.ended(.fault, call).union([.value(number)])
            if self.mayStop { call.cancels = call.cancels.lowerBound...1 }
        case .cancelAndTimeOut:
            call.isCancelled = true
            call.endings = self.ended(.fault, call)
            if self.stops { call.cancels = 1...1 } else if self.mayStop { call.cancels = 0...1 }
        }
        self.calls[event.call] = call
    }

    /// Says how a call has ended that could end in several ways.
    mutating func adopt(_ ending: Ending, by number: Int) { self.calls[number]?.endings = [ending] }

    /// A bridge that waits for its source may tell by the error that it was the cancellation that ended it.
    private func ended(_ ending: Ending, _ call: Call) -> Set<Ending> {
        call.isCancelled && self.cancellation != .ignored ? [ending, .cancelled] : [ending]
    }

    private func drop(_ call: inout Call) {
        call.hasHandler = false
        guard call.waits else { return }
        call.endings = self.ended(.fault, call)
        // Whether the source still works is not known.
        if self.stops { call.cancels = call.cancels.lowerBound...1 }
    }

    private func cancel(_ call: inout Call) {
        guard !call.isCancelled else { return }
        call.isCancelled = true
        guard call.waits, self.cancellation != .ignored else { return }
        if self.cancellation == .prompt { call.endings = [.cancelled] }
        if self.stops { self.stop(&call) }
    }

    private func timeOut(_ call: inout Call) {
        guard call.waits else { return }
        call.endings = self.ended(.fault, call)
        if self.stops { self.stop(&call) } else if self.mayStop { call.cancels = 0...1 }
    }

    private func stop(_ call: inout Call) {
        call.cancels = 1...1
        switch call.inCancel {
        case nil: break
        case .answer(let number)?:
            call.endings.insert(.value(number))
            call.sent.append(number)
        case .fail(let number)?: call.endings.formUnion([.error(number), .cancelled])
        case .drop?:
            call.hasHandler = false
            call.endings.formUnion([.fault, .cancelled])
        }
    }

    private func begun(_ course: History.Course) -> Call {
        var call = Call(inCancel: course.inCancel)
        if course.isCancelled, !self.startsWhenCancelled {
            call.isStarted = false
            call.isCancelled = true
            call.hasHandler = false
            call.endings = [.cancelled]
            return call
        }
        let isSettled = course.inStart.contains { $0 != .cancel }
        let cancels = course.isCancelled || course.inStart.contains(.cancel)
        guard isSettled else {
            if cancels { self.cancel(&call) }
            return call
        }
        call.isCancelled = course.isCancelled
        for event in course.inStart { self.apply(event, to: &call) }
        if cancels, self.stops { call.cancels = 0...1 }
        return call
    }

    /// Takes an event inside `start` into account, of a call that something settles before `start` is over.
    private func apply(_ event: History.StartEvent, to call: inout Call) {
        let isPrompt = self.cancellation == .prompt
        switch event {
        case .answer(let number), .answerOnOtherThread(let number):
            call.sent.append(number)
            guard call.waits else { return }
            call.endings = call.isCancelled && isPrompt ? [.value(number), .cancelled] : [.value(number)]
        case .fail(let number): if call.waits { call.endings = self.ended(.error(number), call) }
        case .drop:
            self.drop(&call)
        case .cancel:
            call.isCancelled = true
            guard !call.waits, self.cancellation != .ignored else { return }
            // Why not only the value: a bridge whose handler hops to a queue sees the cancellation first. If it
            // promises to hand values back, that shows whether the value was lost.
            let hasValue = call.endings.contains { if case .value = $0 { true } else { false } }
            if !hasValue || isPrompt { call.endings.insert(.cancelled) }
        case .refuse(let number):
            call.isRefused = true
            call.endings.formUnion(self.ended(.error(number), call))
        }
    }
}
