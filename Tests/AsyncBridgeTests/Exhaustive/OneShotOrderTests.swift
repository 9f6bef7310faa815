// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// The real objects, `OneShot` with its own word and `OneShotWait`, under every order of their calls in one thread.
@Suite("OneShot: every order of its calls", .timeLimit(.minutes(60)))
struct OneShotOrderTests {
    enum Step {
        case deliverFirst
        case deliverSecond
        case attachForAction
        case attachForWaiter
        case park
        case cancel
        case drop
        case close
    }

    /// What cancelling does, and when the woken waiter runs.
    enum Style: CaseIterable {
        case prompt
        case promptAndSlow
        case cooperative
    }

    @Test(arguments: Style.allCases)
    func `a parking waiter`(_ style: Style) {
        let others: [Step] = [.deliverFirst, .deliverSecond, .attachForAction, .cancel, .drop]
        var orders = 0
        forEachOrder(of: [[.attachForWaiter, .park]] + others.map { [$0] }) { order in
            orders += 1
            let trial = Trial(order, style)
            trial.run()
            #expect(trial.complaints.isEmpty, "\(order)")
        }
        #expect(orders == 2520)
    }

    @Test func `a leaving waiter`() {
        let steps: [Step] = [.deliverFirst, .deliverSecond, .attachForAction, .drop, .close]
        var orders = 0
        forEachOrder(of: steps.map { [$0] }) { order in
            orders += 1
            let trial = Trial(order, .prompt)
            trial.run()
            #expect(trial.complaints.isEmpty, "\(order)")
        }
        #expect(orders == 120)
    }
}

/// One order of calls, carried out on the objects and, beside them, on what is expected.
private final class Trial {
    typealias Value = Lifetimes.Probe
    typealias Step = OneShotOrderTests.Step

    enum Outcome: Equatable {
        case result(Int)
        case end(OneShotState.End)
        case left(disposed: Int?)
    }

    private(set) var complaints: [String] = []

    private let order: [Step]
    private let style: OneShotOrderTests.Style
    private let lifetimes = Lifetimes()

    // The objects.
    private var shot: OneShot?
    private var answerers: AnswerersReference?
    private var wait: OneShotWait?
    private var waiter: HandDriven<OneShotWait.Wake>?
    private let wakes = Log<Void>()
    private var outcome: Outcome?

    // What is expected.
    private var expected: Outcome?
    private var accepted: Int?
    private var hasAnswer = false
    private var isCancelled = false
    private var isDropped = false
    private var isParked = false
    private var expectedWakes = 0

    init(_ order: [Step], _ style: OneShotOrderTests.Style) {
        self.order = order
        self.style = style
        let shot = OneShot(made: Place().site)
        self.shot = shot
        self.answerers = AnswerersReference(shot)
    }

    func run() {
        for step in self.order {
            self.take(step)
            if self.style != .promptAndSlow { self.waiter?.turn() }
            self.checkOpen(after: step)
        }
        // The remaining references are released now, so every wait ends.
        self.take(.drop)
        self.waiter?.turn()
        self.conclude()
    }

    private func take(_ step: Step) {
        switch step {
        case .deliverFirst: self.deliver(1)
        case .deliverSecond: self.deliver(2)
        case .attachForAction: _ = self.shot?.attachWait(for: .cancelAction, bridge: "test")
        case .attachForWaiter: self.attach()
        case .park: self.park()
        case .cancel: self.cancel()
        case .drop: self.drop()
        case .close: self.close()
        }
    }

    private var isOpen: Bool { self.expected == nil && self.accepted == nil }

    private func deliver(_ number: Int) {
        guard let shot = self.shot else { return }
        let site = CallSite(fileID: "Module/File.swift", line: UInt(number))
        let refused = shot.deliver(self.lifetimes.probe(number), at: site)
        if self.isOpen {
            self.accepted = number
            if self.isParked { self.expected = .result(number) }
            if refused != nil { self.complain("\(number) was refused") }
            if shot.settledSite != site { self.complain("settled at \(shot.settledSite as Any)") }
        } else {
            if refused?.value.number != number { self.complain("\(number) was not handed back") }
            if refused?.isDuplicate != self.hasAnswer { self.complain("\(number): duplicate is wrong") }
        }
        self.hasAnswer = true
    }

    /// The waiter looks for the result, and gets what it waits with if there is none.
    private func attach() {
        guard let answerers = self.answerers else { return }
        self.wait = answerers.object.attachWait(for: .waiter, bridge: "test")
        guard self.wait == nil else { return }
        let value = answerers.object.takeIfFull(as: Value.self)
        self.outcome = value.map { .result($0.number) }
        self.expected = self.accepted.map { .result($0) }
        self.answerers = nil
        answerers.release()
    }

    private func park() {
        guard let wait = self.wait, let answerers = self.answerers else { return }
        self.answerers = nil
        self.isParked = true
        if let accepted = self.accepted {
            self.expected = .result(accepted)
        } else if self.isCancelled, self.style != .cooperative {
            self.expected = .end(.cancelled)
        } else if self.isDropped {
            self.expected = .end(.dropped)
        } else if self.isCancelled {
            self.expectedWakes = 1
        }
        let (isCooperative, wakes) = (self.style == .cooperative, self.wakes)
        let waiter = HandDriven {
            let wake = await wait.park(releasing: answerers, cancellation: isCooperative ? .cooperative : .prompt)
            guard wake == .runCancelActions else { return wake }
            wakes(())
            return await wait.park(releasing: nil, cancellation: .ignore)
        }
        if self.isCancelled { waiter.cancel() }
        waiter.turn()
        self.waiter = waiter
    }

    private func cancel() {
        self.isCancelled = true
        if self.isParked, self.isOpen {
            if self.style == .cooperative { self.expectedWakes = 1 } else { self.expected = .end(.cancelled) }
        }
        self.waiter?.cancel()
    }

    private func drop() {
        self.shot = nil
        self.isDropped = true
        if self.isParked, self.isOpen { self.expected = .end(.dropped) }
    }

    private func close() {
        guard let answerers = self.answerers else { return }
        let disposed = answerers.object.close(as: Value.self)
        self.outcome = .left(disposed: disposed?.number)
        self.expected = .left(disposed: self.accepted)
        self.answerers = nil
        answerers.release()
    }

    // MARK: Checks

    private func checkOpen(after step: Step) {
        guard let shot = self.shot, shot.isOpen != self.isOpen else { return }
        self.complain("isOpen is \(shot.isOpen) after \(step)")
    }

    private func conclude() {
        if let waiter = self.waiter {
            switch Result(catching: waiter.get) {
            case .success(.result): self.outcome = (self.wait?.take(as: Value.self)).map { .result($0.number) }
            case .success(.end(let end)): self.outcome = .end(end)
            case .success(.runCancelActions): self.complain("woken for cancellation twice")
            case .failure: self.complain("the waiter was forgotten")
            }
        }
        self.answerers?.release()
        self.answerers = nil
        if self.outcome != self.expected {
            self.complain("\(self.outcome as Any) instead of \(self.expected as Any)")
        }
        if self.wakes.count != self.expectedWakes { self.complain("\(self.wakes.count) wakes") }
        if self.lifetimes.alive != 0 { self.complain("\(self.lifetimes.alive) values are left") }
    }

    private func complain(_ text: String) { self.complaints.append(text) }
}
