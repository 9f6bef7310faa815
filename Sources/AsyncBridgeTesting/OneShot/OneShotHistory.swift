// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A course of events over several calls of one bridge.
///
/// Each call has its own source. Each answer has its own number, which starts with that of its call: 201 is the first
/// answer that the source of call 2 gives.
struct OneShotHistory: Hashable, Sendable {
    /// Something that the source does inside `start`.
    enum StartEvent: Hashable, Sendable {
        case answer(Int)
        /// The source answers on another thread and waits until the completion handler has returned.
        case answerOnOtherThread(Int)
        case fail(Int)
        /// The completion handler is released without an answer.
        case drop
        /// The caller's task is cancelled.
        case cancel
        /// `start` throws. Always the last event.
        case refuse(Int)
    }

    /// Something that the source does inside `cancel()`.
    enum CancelEvent: Hashable, Sendable {
        case answer(Int)
        case fail(Int)
        case drop
    }

    /// What is settled about a call when it begins.
    struct Course: Hashable, Sendable {
        /// Whether the task is cancelled before it runs.
        var isCancelled = false
        var inStart: [StartEvent] = []
        var inCancel: CancelEvent?
    }

    /// In which order an answer and a cancellation, or the end of the time, come that the call sees at the same time.
    enum Order: Hashable, Sendable {
        case answerFirst
        case cancelFirst
        case race
    }

    /// One step, after which the suite waits and compares.
    enum Event: Hashable, Sendable {
        case begin(Int, Course)
        case answer(Int, Int)
        case fail(Int, Int)
        case drop(Int)
        case cancel(Int)
        /// An answer and a cancellation, before the call goes on.
        case answerAndCancel(Int, Int, Order)
        /// The time of the call is up.
        case timeOut(Int)
        /// An answer and the end of the time, before the call goes on. The order is that of a cancellation.
        case answerAndTimeOut(Int, Int, Order)
        /// A cancellation and the end of the time, on two threads.
        case cancelAndTimeOut(Int)

        /// The number of the call.
        var call: Int {
            switch self {
            case .begin(let call, _), .answer(let call, _), .fail(let call, _), .drop(let call), .cancel(let call),
                .answerAndCancel(let call, _, _), .timeOut(let call), .answerAndTimeOut(let call, _, _),
                .cancelAndTimeOut(let call):
                call
            }
        }
    }

    var events: [Event] = []
}

// MARK: Shrinking

extension OneShotHistory: LawHistory {
    var hasRace: Bool {
        self.events.contains { event in
            switch event {
            case .answerAndCancel(_, _, .race), .answerAndTimeOut(_, _, .race), .cancelAndTimeOut: true
            case .begin, .answer, .fail, .drop, .cancel, .timeOut, .answerAndCancel, .answerAndTimeOut: false
            }
        }
    }

    /// The histories that are one change shorter or simpler, those first that leave out most.
    ///
    /// Not all of them make sense: ``OneShotModel/admits(_:)`` tells which.
    var simpler: [OneShotHistory] {
        var result: [OneShotHistory] = []
        for call in Set(self.events.map(\.call)).sorted() {
            result.append(OneShotHistory(events: self.events.filter { $0.call != call }))
        }
        for (index, event) in self.events.enumerated() {
            if case .begin = event {} else { result.append(self.replacing(index, with: [])) }
        }
        for (index, event) in self.events.enumerated() {
            result += event.simpler.map { self.replacing(index, with: [$0]) }
        }
        return result.filter { !$0.events.isEmpty }
    }

    private func replacing(_ index: Int, with events: [Event]) -> OneShotHistory {
        var copy = self
        copy.events.replaceSubrange(index...index, with: events)
        return copy
    }
}

extension OneShotHistory.Event {
    fileprivate var simpler: [Self] {
        switch self {
        case .begin(let call, let course): course.simpler.map { .begin(call, $0) }
        case .answerAndCancel(let call, let number, _): [.answer(call, number), .cancel(call)]
        case .answerAndTimeOut(let call, let number, _): [.answer(call, number), .timeOut(call)]
        case .cancelAndTimeOut(let call): [.cancel(call), .timeOut(call)]
        case .answer, .fail, .drop, .cancel, .timeOut: []
        }
    }
}

extension OneShotHistory.Course {
    fileprivate var simpler: [Self] {
        var result: [Self] = []
        if self.isCancelled { result.append(Self(inStart: self.inStart, inCancel: self.inCancel)) }
        if self.inCancel != nil { result.append(Self(isCancelled: self.isCancelled, inStart: self.inStart)) }
        for (index, event) in self.inStart.enumerated() {
            var copy = self
            copy.inStart.remove(at: index)
            result.append(copy)
            if case .answerOnOtherThread(let number) = event {
                copy.inStart.insert(.answer(number), at: index)
                result.append(copy)
            }
        }
        return result
    }
}

// MARK: Text

extension OneShotHistory {
    /// Each event in words.
    var steps: [String] { self.events.map(\.text) }
}

extension OneShotHistory.Event {
    fileprivate var text: String {
        switch self {
        case .begin(let call, let course): "call \(call) begins\(course.text)"
        case .answer(let call, let number): "the source of call \(call) answers \(number)"
        case .fail(let call, let number): "the source of call \(call) fails with error \(number)"
        case .drop(let call): "the source of call \(call) drops the completion handler"
        case .cancel(let call): "the task of call \(call) is cancelled"
        case .answerAndCancel(let call, let number, .answerFirst):
            "the source of call \(call) answers \(number), and before the call goes on its task is cancelled"
        case .answerAndCancel(let call, let number, .cancelFirst):
            "the task of call \(call) is cancelled, and before the call goes on its source answers \(number)"
        case .answerAndCancel(let call, let number, .race):
            "the source of call \(call) answers \(number) on one thread while another cancels its task"
        case .timeOut(let call): "the time of call \(call) is up"
        case .answerAndTimeOut(let call, let number, .answerFirst):
            "the source of call \(call) answers \(number), and before the call goes on its time is up"
        case .answerAndTimeOut(let call, let number, .cancelFirst):
            "the time of call \(call) is up, and before the call goes on its source answers \(number)"
        case .answerAndTimeOut(let call, let number, .race):
            "the source of call \(call) answers \(number) on one thread while on another its time is up"
        case .cancelAndTimeOut(let call):
            "the task of call \(call) is cancelled on one thread while on another its time is up"
        }
    }
}

extension OneShotHistory.Course {
    fileprivate var text: String {
        var text = self.isCancelled ? " in a task that is already cancelled" : ""
        if !self.inStart.isEmpty { text += "; in start, " + self.inStart.map(\.text).joined(separator: ", then ") }
        if let event = self.inCancel { text += "; in cancel(), when that is called, the source \(event.text)" }
        return text
    }
}

extension OneShotHistory.StartEvent {
    fileprivate var text: String {
        switch self {
        case .answer(let number): "the source answers \(number)"
        case .answerOnOtherThread(let number): "the source answers \(number) on another thread and waits for that"
        case .fail(let number): "the source fails with error \(number)"
        case .drop: "the source drops the completion handler"
        case .cancel: "the task is cancelled"
        case .refuse(let number): "start throws error \(number)"
        }
    }
}

extension OneShotHistory.CancelEvent {
    fileprivate var text: String {
        switch self {
        case .answer(let number): "answers \(number)"
        case .fail(let number): "fails with error \(number)"
        case .drop: "drops the completion handler"
        }
    }
}
