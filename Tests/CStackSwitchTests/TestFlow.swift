// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CStackSwitch

/// A flow of control on a stack of its own, that is resumed and suspends.
///
/// Safe: a test resumes a flow from one task at a time, which is what may cross threads here.
final class TestFlow: @unchecked Sendable {
    /// Two contexts: the flow's own, and that of the code that resumed it.
    ///
    /// In allocated memory, because a stored property would be accessed for as long as a switch lasts.
    private let contexts: UnsafeMutablePointer<cstack_context>

    /// The memory of the stack.
    let stack: UnsafeMutableRawBufferPointer

    private var body: ((TestFlow) -> Void)?

    /// Whether the body has returned.
    private(set) var isFinished = false

    private var isStarted = false

    init(stackSize: Int = 256 * 1024, _ body: @escaping (TestFlow) -> Void) {
        self.stack = .allocate(byteCount: stackSize, alignment: 16)
        self.contexts = .allocate(capacity: 2)
        self.contexts.initialize(repeating: cstack_context(), count: 2)
        self.body = body
        cstack_prepare(self.contexts, self.stack.baseAddress!, self.stack.count) { word in
            // Whatever is still referenced here when the flow suspends for good stays referenced forever. So all
            // references are in `run`, which has returned by then.
            TestFlow.leave(TestFlow.run(word!))
        }
    }

    deinit {
        precondition(self.isFinished || !self.isStarted, "what the flow's frames own would leak")
        self.contexts.deallocate()
        self.stack.deallocate()
    }

    @inline(never)
    private static func run(_ word: UnsafeMutableRawPointer) -> UnsafeMutablePointer<cstack_context> {
        let flow = Unmanaged<TestFlow>.fromOpaque(word).takeUnretainedValue()
        flow.body?(flow)
        flow.body = nil
        flow.isFinished = true
        return flow.contexts
    }

    @inline(never)
    private static func leave(_ contexts: UnsafeMutablePointer<cstack_context>) {
        _ = cstack_switch(contexts, contexts + 1, nil)
    }

    /// Continues the flow until it suspends or finishes.
    ///
    /// - Parameter word: What its pending `suspend` returns. Ignored by the first call.
    /// - Returns: What it suspended with; 0 if it has finished.
    @discardableResult
    func resume(_ word: Int = 0) -> Int {
        precondition(!self.isFinished)
        let first = !self.isStarted
        self.isStarted = true
        let message = first ? Unmanaged.passUnretained(self).toOpaque() : UnsafeMutableRawPointer(bitPattern: word)
        return Int(bitPattern: cstack_switch(self.contexts + 1, self.contexts, message))
    }

    /// Goes back to the code that resumed the flow, from inside.
    @discardableResult
    func suspend(_ word: Int = 0) -> Int {
        Int(bitPattern: cstack_switch(self.contexts, self.contexts + 1, UnsafeMutableRawPointer(bitPattern: word)))
    }
}
