// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension OneShotHistory {
    /// Makes a history from a seed: the same for the same seed and promises.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - promises: What the bridge promises, which decides what makes sense.
    /// - Returns: The history.
    static func random(seed: UInt64, for promises: OneShotPromises) -> OneShotHistory {
        var maker = Maker(seed, promises)
        return maker.make()
    }
}

/// Makes one history.
private struct Maker {
    typealias History = OneShotHistory

    private var random: SplitMix
    private var model: OneShotModel
    private let timesOut: Bool
    private var history = History()
    /// How many answers each call's source has given.
    private var numbers: [Int: Int] = [:]

    init(_ seed: UInt64, _ promises: OneShotPromises) {
        self.random = SplitMix(seed: seed)
        self.model = OneShotModel(promises)
        self.timesOut = promises.timeout != nil
    }

    mutating func make() -> History {
        // Two or three calls show most mistakes: the more, the less happens to each.
        let count = min(Int.random(in: 1...6, using: &self.random), Int.random(in: 2...6, using: &self.random))
        for _ in 0..<(3 * count + 1) {
            let begun = self.numbers.count
            let begins = begun == 0 || (begun < count && self.random.isOne(of: 2))
            self.add(begins ? .begin(begun + 1, self.makeCourse(begun + 1)) : self.makeEvent())
        }
        // What still waits is answered, so that nothing is left over.
        for call in self.model.calls.filter({ $0.value.waits }).keys.sorted() {
            self.add(.answer(call, self.makeNumber(call)))
        }
        return self.history
    }

    private mutating func add(_ event: History.Event) {
        guard self.model.admits(event) else { return }
        if case .begin(let call, _) = event { self.numbers[call] = self.numbers[call] ?? 0 }
        self.model.apply(event)
        self.history.events.append(event)
    }

    private mutating func makeNumber(_ call: Int) -> Int {
        self.numbers[call, default: 0] += 1
        return 100 * call + self.numbers[call, default: 0]
    }

    private mutating func makeEvent() -> History.Event {
        let waiting = self.model.calls.filter { $0.value.waits }.keys.sorted()
        let call =
            waiting.isEmpty || self.random.isOne(of: 4)
            ? Int.random(in: 1...self.numbers.count, using: &self.random)
            : self.random.pick(waiting)
        if self.timesOut, self.random.isOne(of: 2) {
            return self.random.pick([
                .timeOut(call), .cancelAndTimeOut(call),
                .answerAndTimeOut(call, self.makeNumber(call), self.makeOrder()),
            ])
        }
        switch Int.random(in: 0..<12, using: &self.random) {
        case 0..<4: return .answer(call, self.makeNumber(call))
        case 4..<8: return .cancel(call)
        case 8: return .fail(call, self.makeNumber(call))
        case 9: return .drop(call)
        default:
            return .answerAndCancel(call, self.makeNumber(call), self.makeOrder())
        }
    }

    private mutating func makeOrder() -> History.Order { self.random.pick([.answerFirst, .cancelFirst, .race]) }

    private mutating func makeCourse(_ call: Int) -> History.Course {
        var course = History.Course()
        course.isCancelled = self.random.isOne(of: 10)
        if self.random.isOne(of: 3) {
            for _ in 0..<Int.random(in: 1...3, using: &self.random) {
                course.inStart.append(self.makeStartEvent())
            }
        } else if self.random.isOne(of: 4) {
            course.inCancel = self.makeCancelEvent()
        }
        // Without what makes no sense here, rather than no call.
        while !self.model.admits(.begin(call, course)), !course.inStart.isEmpty || course.inCancel != nil {
            course.inCancel = nil
            course.inStart = Array(course.inStart.dropLast())
        }
        return self.model.admits(.begin(call, course)) ? self.numbered(course, call) : course
    }

    /// Gives the answers their numbers, so that those of a call follow each other.
    private mutating func numbered(_ course: History.Course, _ call: Int) -> History.Course {
        var numbered = course
        numbered.inStart = course.inStart.map { event in
            switch event {
            case .drop, .cancel: event
            case .answer: .answer(self.makeNumber(call))
            case .answerOnOtherThread: .answerOnOtherThread(self.makeNumber(call))
            case .fail: .fail(self.makeNumber(call))
            case .refuse: .refuse(self.makeNumber(call))
            }
        }
        switch course.inCancel {
        case .answer?: numbered.inCancel = .answer(self.makeNumber(call))
        case .fail?: numbered.inCancel = .fail(self.makeNumber(call))
        case .drop?, nil: break
        }
        return numbered
    }

    private mutating func makeStartEvent() -> History.StartEvent {
        self.random.pick([
            .answer(0), .answer(0), .answer(0), .answerOnOtherThread(0), .fail(0), .drop, .cancel, .cancel, .refuse(0),
        ])
    }

    private mutating func makeCancelEvent() -> History.CancelEvent {
        self.random.pick([.answer(0), .fail(0), .drop])
    }
}
