// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import NIOCore
import Testing

import AsyncBridgeNIO

/// Every event in every state, with no channel.
@Suite("The machines of a bridged channel", .timeLimit(.minutes(10)))
struct BridgeMachineTests {
    // MARK: The window

    @Test
    func `reads pass until the window is full, and again when few enough are left`() {
        var window = ReadWindowState(low: 1, high: 3)
        var answers: [Bool] = []
        for _ in 0..<3 {
            answers.append(window.read())
            window.received()
        }
        #expect(answers == [true, true, true])
        answers = [window.read(), window.read()]
        #expect(answers == [false, false])
        // 3 -> 2 -> 1: the one that was held back is made once.
        answers = [window.consumed(), window.consumed(), window.consumed()]
        #expect(answers == [false, true, false])
        answers = [window.read()]
        #expect(answers == [true])
    }

    @Test
    func `one read may bring more than there is room for`() {
        var window = ReadWindowState(low: 0, high: 1)
        for _ in 0..<100 { window.received() }
        let isHeld = !window.read()
        let answers = (0..<100).map { _ in window.consumed() }
        #expect(isHeld)
        #expect(answers == Array(repeating: false, count: 99) + [true])
    }

    @Test
    func `when nothing more is wanted, reads pass, also the one that was held back`() {
        var idle = ReadWindowState(low: 0, high: 1)
        var full = ReadWindowState(low: 0, high: 1)
        full.received()
        var answers = [full.read(), full.end(), full.end(), full.read(), full.consumed()]
        #expect(answers == [false, true, false, true, false])
        answers = [idle.end(), idle.read(), idle.consumed()]
        #expect(answers == [false, true, false])
    }

    @Test
    func `sizes may be as large as a number can be`() {
        for high in [2, Int.max] {
            var window = ReadWindowState(low: 1, high: high)
            for size in [Int.max, .max, 1] { window.received(size) }
            var passes = [window.read()]
            for size in [Int.max, .max] { passes.append(window.consumed(size)) }
            #expect(passes == [false, false, true])
        }
    }

    @Test
    func `with sizes, the limits are sums`() {
        var window = ReadWindowState(low: 10, high: 100)
        window.received(99)
        let passes = window.read()
        window.received(1)
        let answers = [window.read(), window.consumed(89), window.consumed(1)]
        #expect(passes)
        #expect(answers == [false, false, true])
    }

    // MARK: The halves

    /// A state of the output, reached by events.
    enum Stage: CaseIterable {
        case notBegun
        case pumping
        case paused
        case receiving
        case blocked
        case draining
        case over

        var state: BridgeState {
            var state = BridgeState()
            if self != .notBegun { _ = state.begin() }
            switch self {
            case .notBegun, .pumping: break
            case .paused: state.pause()
            case .receiving: _ = state.beginReceiving()
            case .blocked: state.block()
            case .draining: _ = state.endOutput()
            case .over: _ = (state.endOutput(), state.drained())
            }
            return state
        }

        var isOpen: Bool { ![.draining, .over].contains(self) }
    }

    @Test(arguments: Stage.allCases)
    func `in each state one event lets the pump go on, and no other`(_ stage: Stage) {
        let isPumping = stage.state.isPumping
        #expect(isPumping == (stage == .pumping))
        let isBlocked = stage.state.isBlocked
        #expect(isBlocked == (stage == .blocked))
        var state = stage.state
        let begins = (state.begin(), state.isPumping)
        #expect(begins == (stage == .notBegun, [.notBegun, .pumping].contains(stage)))
        state = stage.state
        let goesOn = (state.goOn(), state.isPumping)
        #expect(goesOn == (stage == .paused, [.paused, .pumping].contains(stage)))
        state = stage.state
        let receives = (state.received(), state.isPumping)
        #expect(receives == (stage == .receiving, [.receiving, .pumping].contains(stage)))
        state = stage.state
        let isWritable = (state.becameWritable(), state.isPumping)
        #expect(isWritable == (stage == .blocked, [.blocked, .pumping].contains(stage)))
    }

    @Test(arguments: Stage.allCases)
    func `only a pump that is running rests`(_ stage: Stage) {
        var state = stage.state
        let beginsReceiving = state.beginReceiving()
        #expect(beginsReceiving == (stage == .pumping))
        state = stage.state
        state.pause()
        let goesOn = state.goOn()
        #expect(goesOn == [.pumping, .paused].contains(stage))
        state = stage.state
        state.block()
        let isUnblocked = state.becameWritable()
        #expect(isUnblocked == [.pumping, .blocked].contains(stage))
    }

    @Test(arguments: Stage.allCases)
    func `single writes are written at once when nothing is before them`(_ stage: Stage) {
        var state = stage.state
        let writing = state.writing(isAwaited: true)
        #expect(writing == (stage == .receiving ? .write : stage.isOpen ? .enqueue : .refuse))
        // An element of another thread is on its way, and others wait behind it.
        let following = state.writing(isAwaited: false)
        #expect(following == (stage.isOpen ? .enqueue : .refuse))
        // One that was begun before the senders' end may come after it.
        state.endSending()
        let late = (state.writing(isAwaited: true), state.writing(isAwaited: false))
        #expect(late == (writing, following))
    }

    @Test(arguments: Stage.allCases)
    func `the output ends once, and the peer has a limited time`(_ stage: Stage) {
        var state = stage.state
        let (ends, endsAgain) = (state.endOutput(), state.endOutput())
        #expect(ends == (stage.isOpen ? .drain : .none) && endsAgain == .none)

        state = stage.state
        let isLingering = state.isLingering
        #expect(!isLingering)
        state.endSending()
        let isLingeringWithInput = state.isLingering
        #expect(!isLingeringWithInput)
        _ = state.endInput()
        let isLingeringNow = state.isLingering
        // Or until it ends its half.
        #expect(isLingeringNow == (stage != .notBegun))

        state = stage.state
        let (first, second) = (state.drained(), state.drained())
        #expect(first == (stage == .draining ? .closeOutput : .none) && second == .none)
    }

    @Test(arguments: Stage.allCases)
    func `the channel is closed when the output is over and the peer has ended, whichever is first`(_ stage: Stage) {
        var state = stage.state
        let (input, again) = (state.peerHasEnded(), state.peerHasEnded())
        #expect(input == (stage == .over ? .closeChannel : .none) && again == .none)
        _ = state.endOutput()
        // Not before everything was sent.
        let output = state.drained()
        #expect(output == (stage == .over ? .none : .closeChannel))

        state = stage.state
        _ = state.endOutput()
        _ = state.drained()
        let last = state.peerHasEnded()
        #expect(last == .closeChannel)

        state = stage.state
        state.endBoth()
        let late = (state.endOutput(), state.drained(), state.begin(), state.becameWritable(), state.goOn())
        let input2 = (state.endInput(), state.peerHasEnded(), state.beginRemoving(), state.received())
        #expect(late == (.none, .none, false, false, false))
        #expect(input2 == (.none, .none, false, false))
    }

    @Test(arguments: Stage.allCases)
    func `input that nobody wants is read until the peer ends it, when the output is over`(_ stage: Stage) {
        var state = stage.state
        let (input, again) = (state.endInput(), state.endInput())
        #expect(input == (stage == .over ? .discardInput : .none) && again == .none)
        let isDiscarding = state.isDiscarding
        #expect(isDiscarding == (stage == .over))
        _ = state.endOutput()
        let output = state.drained()
        #expect(output == (stage == .over ? .none : .discardInput))
        let isDiscardingNow = (state.isDiscarding, state.endInput())
        #expect(isDiscardingNow == (true, .none))
        let (end, endAgain) = (state.peerHasEnded(), state.peerHasEnded())
        #expect(end == .closeChannel && endAgain == .none)
        let isOver = (state.isDiscarding, state.isLingering)
        #expect(isOver == (false, false))
    }

    @Test(arguments: Stage.allCases)
    func `a removal waits for what was sent, for a limited time, and closes nothing`(_ stage: Stage) {
        var state = stage.state
        let begins = (state.beginRemoving(), state.beginRemoving())
        #expect(begins == (stage.isOpen, false))
        guard stage.isOpen else { return }
        // The senders' channel is ended for it.
        state.endSending()
        let isLingering = (state.isLingering, state.endInput(), state.isLingering)
        // What is not active yet has a limit of its own.
        let isActive = if case .notBegun = stage { false } else { true }
        #expect(isLingering == (isActive, .none, isActive))
        let output = (state.endOutput(), state.drained(), state.endInput())
        #expect(output == (.removeBridge, .none, .none))
    }

    // MARK: Turns

    @Test
    func `channels write until the time is used up, and look at the clock now and then`() {
        var turn = LoopTurnState()
        var (now, looks) = (NIODeadline.uptimeNanoseconds(0), 0)
        func write(_ count: Int) -> Int {
            (0..<count).count { _ in
                turn.mayWrite {
                    looks += 1
                    return now
                }
            }
        }
        #expect(write(LoopTurnState.stride - 1) == LoopTurnState.stride - 1)
        #expect(looks == 0)
        #expect(write(1) == 1)
        #expect(looks == 1)
        now = now + LoopTurnState.length - .nanoseconds(1)
        #expect(write(LoopTurnState.stride) == LoopTurnState.stride)
        // The loop looked at its sockets: the time begins anew.
        turn.sawInput()
        now = now + LoopTurnState.length
        #expect(write(LoopTurnState.stride) == LoopTurnState.stride)
        now = now + LoopTurnState.length
        #expect(write(2 * LoopTurnState.stride) == LoopTurnState.stride - 1)
        // Input that was read before does not prolong it: others wait for the next turn already.
        turn.sawInput()
        #expect(write(1) == 0)
        let isOver = turn.isOver
        #expect(isOver)
        let plans = [turn.wait(), turn.wait()]
        #expect(plans == [true, false])
        let pause = turn.passedQueue(in: .nanoseconds(1))
        #expect(pause == .microseconds(50))
        turn.begin()
        #expect(write(2 * LoopTurnState.stride - 1) == 2 * LoopTurnState.stride - 1)
        // Where all is slow, what the loop does before it looks at its sockets is slow too.
        now = now + .milliseconds(7)
        #expect(write(1) == 0)
        let isPlanned = turn.wait()
        let longPause = turn.passedQueue(in: .microseconds(699))
        #expect(isPlanned && longPause == .microseconds(700))
        turn.begin()
        let isPlannedAgain = turn.wait()
        let shortPause = turn.passedQueue(in: .zero)
        #expect(isPlannedAgain && shortPause == .microseconds(50))
    }

    @Test
    func `a turn is planned when little is queued, or else after a pause as long as what is queued takes`() {
        var turn = LoopTurnState()
        _ = turn.wait()
        var pauses = (1...3).map { _ in turn.passedQueue(in: .microseconds(50)) }
        #expect(pauses == [nil, nil, nil])
        pauses = [turn.passedQueue(in: .nanoseconds(49_999))]
        #expect(pauses == [.microseconds(50)])
        turn.begin()
        _ = turn.wait()
        pauses = (1...LoopTurnState.maxPasses).map { _ in turn.passedQueue(in: .milliseconds(3)) }
        #expect(pauses == Array(repeating: nil, count: LoopTurnState.maxPasses - 1) + [.milliseconds(3)])
    }

    // MARK: The limits

    @Test
    func `limits that make no sense end the process, and say so`() async {
        await #expect(processExitsWith: .failure) { _ = BridgedChannelLimits(low: 4, high: 4) }
        await #expect(processExitsWith: .failure) { _ = BridgedChannelLimits(outbound: 0) }
    }
}
#endif
