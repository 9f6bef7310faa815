// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeTesting
import OpenCombineShim
import Testing

import AsyncBridgeCombine

/// Publishers that cannot fail: no `try` anywhere in this file.
@Suite("One value of a publisher that cannot fail", .timeLimit(.minutes(10)))
struct NonThrowingValueTests {
    enum Form: CaseIterable {
        case firstOrNil
        case first
        case last
        case single
    }

    /// What stands for "none".
    static let none = -1

    private static func call(_ form: Form, _ publisher: some Publisher<Int, Never>, _ made: CallSite) async -> Int {
        let (file, line) = (made.fileIDLiteral, made.line)
        switch form {
        case .firstOrNil: return await publisher.firstValueOrNil(fileID: file, line: line) ?? Self.none
        case .first: return await publisher.firstValue(ifNone: Self.none, fileID: file, line: line)
        case .last: return await publisher.lastValue(ifNone: Self.none, fileID: file, line: line)
        case .single: return await publisher.singleValue(ifNone: Self.none, fileID: file, line: line)
        }
    }

    private static let made = CallSite(fileID: #fileID, line: 1)

    @Test(arguments: Form.allCases, 0...3)
    func `each form, of publishers of up to three elements`(_ form: Form, _ count: Int) async {
        let value = await Self.call(form, (0..<count).publisher, Self.made)
        switch form {
        case .firstOrNil, .first: #expect(value == (count == 0 ? Self.none : 0))
        case .last: #expect(value == (count == 0 ? Self.none : count - 1))
        case .single: #expect(value == (count == 1 ? 0 : Self.none))
        }
    }

    @Test(arguments: Form.allCases)
    func `a cancelled wait ends with none, at once, and cancels the subscription`(_ form: Form) async {
        let publisher = HandPublisher<Int, Never>()
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) { await Self.call(form, publisher, Self.made) }
        executor.run()
        #expect(publisher.current?.cancels == 0)
        task.cancel()
        executor.run()
        #expect(await task.value == Self.none)
        #expect(publisher.current?.cancels == 1)
    }

    @Test(arguments: Form.allCases)
    func `in a cancelled task the publisher is not subscribed to`(_ form: Form) async {
        let publisher = HandPublisher<Int, Never>()
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) { await Self.call(form, publisher, Self.made) }
        task.cancel()
        executor.run()
        #expect(await task.value == Self.none)
        #expect(publisher.subscriptions.isEmpty)
    }

    @Test
    func `a publisher that forgets its subscriber is reported, and there is none`() async {
        CollectedReports.begin()
        for (index, form) in Form.allCases.enumerated() {
            let made = CallSite(fileID: #fileID, line: 1_000_000 + UInt(index))
            let publisher = HandPublisher<Int, Never>()
            let executor = ManualExecutor()
            let task = Task(executorPreference: executor) { await Self.call(form, publisher, made) }
            executor.run()
            publisher.forget()
            executor.run()
            #expect(await task.value == Self.none)
            #expect(CollectedReports.all(about: made).map(\.kind) == [.droppedSubscriber])
        }
    }

    @Test
    func `loops need no try: cold, hot, shared, and by hand`() async {
        let numbers = (1...3).publisher
        var heard: [Int] = []
        for await number in numbers.elements(buffering: .bounded(capacity: 2)) { heard.append(number) }
        for await number in numbers.elements(buffering: .bounded(capacity: 2), subscribing: .immediately) {
            heard.append(number)
        }
        let erased = numbers.eraseToAnyPublisher().elements(buffering: .bounded(capacity: 2), subscribing: .immediately)
        for await number in erased.share() { heard.append(number) }
        var iterator = numbers.elements(buffering: .bounded(capacity: 2)).makeAsyncIterator()
        while let number = await iterator.next() { heard.append(number) }
        #expect(heard == [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3])
    }
}
#endif
