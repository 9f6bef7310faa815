// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Testing

@testable import AsyncBridgeCombineTesting

@Suite("Random histories of subscribers", .timeLimit(.minutes(10)))
struct SubscriberHistoryTests {
    typealias Record = SubscriberModel.Record

    /// Those that are played on a busy machine, too.
    private static func histories(_ promises: SubscriberPromises) -> [SubscriberHistory] {
        (0..<UInt64(HistoryLimits.leastCount)).map { SubscriberHistory(seed: $0, promises) }
    }

    private static func text(_ histories: [SubscriberHistory]) -> String {
        histories.flatMap { [$0.beginning] + $0.steps.map(\.description) }.map { $0 + "\n" }.joined()
    }

    // MARK: The generator

    /// What the generator never makes, no history can find.
    @Test func `everything happens that can happen`() {
        let histories = Self.histories(.standard)
        #expect(Set(histories.map(\.most)) == [5_000, 100_000])
        let text = Self.text(histories)
        for part in [
            "and gets its subscription at once\n", "and the publisher sends no subscription yet\n",
            "\nthe publisher sends its subscription\n", "\nthe publisher sends another subscription\n",
            "no subscription yet\nthe user cancels\nthe publisher sends its subscription\n",
            "\nat the next request(_:), the publisher sends 5 elements, before it returns\n",
            "\nat the next request(_:), the user cancels, before it returns\n",
            "\nat the next request(_:), the publisher sends an element, the publisher fails, before it returns\n",
            "\nat the next request(_:), the publisher finishes, before it returns\n",
            "\nat cancel(), nothing happens, before it returns\n",
            "\nat cancel(), the publisher sends 2 elements, before it returns\n",
            "\nat cancel(), the publisher finishes, before it returns\n",
            "\nat cancel(), the publisher sends an element, the publisher fails, before it returns\n",
            "\nthe publisher sends an element\n", "\nthe publisher sends 33 elements\n",
            "\nthe publisher sends 8 elements on another thread\n", "\nthe publisher sends all that is requested\n",
            "\nthe publisher sends all that is requested on another thread\n", "\nthe publisher finishes\n",
            "\nthe publisher finishes on another thread\n", "\nthe publisher fails\n",
            "\nthe publisher fails on another thread\n", "\nthe user cancels\n",
            "\nthe user cancels on another thread\n",
            "\nthe user cancels on another thread while the publisher sends 2 elements\n",
            "\nthe user cancels on another thread while the publisher finishes\n",
            "\nthe user cancels on another thread while the publisher fails\n",
            "\nthe publisher forgets its subscriber, which is over\n",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `nothing happens that is not promised`() {
        let text = Self.text(Self.histories(.standard.with { $0.cancels = false }))
        #expect(!text.contains("the user cancels"))
        let late = Self.text(Self.histories(.standard.with { $0.cancelsEarly = false }))
        #expect(!late.contains("the user cancels\nthe publisher sends its subscription\n"))
    }

    @Test func `a seed makes one history`() {
        for seed in 0..<50 as Range<UInt64> {
            let history = SubscriberHistory(seed: seed, .standard)
            #expect(history.steps == SubscriberHistory(seed: seed, .standard).steps)
            for step in history.steps { for simpler in step.simpler { #expect(simpler != step) } }
        }
    }
}

// MARK: The rules, step by step

extension SubscriberHistoryTests {
    private static func record(requested: Int = 0, cancels: Int = 0) -> Record {
        var record = Record()
        record.requested = requested
        record.cancels = cancels
        return record
    }

    /// A model whose subscriber has its subscription.
    private static func connected(_ promises: SubscriberPromises = .standard) -> SubscriberModel {
        var model = SubscriberModel(promises)
        let isFirst = model.subscribe()
        #expect(isFirst)
        model.connect()
        return model
    }

    @Test func `one subscription comes`() {
        var model = SubscriberModel(.standard)
        #expect(model.judge(Self.record(), second: []) == nil)
        let subscribes = [model.subscribe(), model.subscribe()]
        #expect(subscribes == [true, false])
    }

    /// No more elements are sent than requested, and the next request is due when they have been.
    @Test func `a request is due`() {
        var model = Self.connected()
        let none = model.send(Self.record())
        #expect(none == nil)
        #expect(model.judge(Self.record(), second: [])?.rule == .demandIsSent)
        #expect(model.judge(Self.record(), second: [])?.isMissing == true)
        let record = Self.record(requested: 2)
        #expect(model.judge(record, second: []) == nil)
        let sent = (0..<3).map { _ in model.send(record) }
        #expect(sent == [0, 1, nil])
        #expect(model.judge(record, second: [])?.rule == .demandIsSent)
        #expect(model.judge(Self.record(requested: 3), second: []) == nil)
        let unlimited = model.send(Self.record(requested: .max))
        #expect(unlimited == 2)
        #expect(Self.connected(.standard.with { $0.requestsByItself = false }).judge(Self.record(), second: []) == nil)
    }

    @Test func `nothing is due after the end`() {
        for end in [SubscriberStep.End.finished, .failed] {
            var early = SubscriberModel(.standard)
            let isEarly = early.finish(end)
            #expect(!isEarly)
            var model = Self.connected()
            #expect(!model.isOver(Self.record()))
            let finishes = [model.finish(end), model.finish(.finished)]
            #expect(finishes == [true, false])
            #expect(model.end == end)
            #expect(model.isOver(Self.record()))
            #expect(model.judge(Self.record(), second: []) == nil)
            let late = model.send(Self.record(requested: 5))
            #expect(late == nil)
        }
    }

    @Test func `a cancellation is due`() {
        var model = Self.connected()
        let cancels = [model.cancel(), model.cancel()]
        #expect(cancels == [true, false])
        let finding = model.judge(Self.record(requested: 1), second: [])
        #expect(finding?.rule == .unneededIsCancelled)
        #expect(finding?.isMissing == true)
        #expect(model.judge(Self.record(cancels: 1), second: []) == nil)
        #expect(model.isOver(Self.record(cancels: 1)))
        #expect(!model.isOver(Self.record()))
    }

    @Test func `a cancellation before the subscription`() {
        var model = SubscriberModel(.standard)
        let isEarly = model.cancel()
        #expect(isEarly)
        #expect(model.judge(Self.record(), second: []) == nil)
        _ = model.subscribe()
        #expect(model.judge(Self.record(), second: [])?.rule == .unneededIsCancelled)
        var late = SubscriberModel(.standard.with { $0.cancelsEarly = false })
        _ = late.subscribe()
        let isInside = late.cancel()
        #expect(!isInside)
        late.connect()
        let isAfter = late.cancel()
        #expect(isAfter)
    }

    /// One that takes a part of the elements may.
    @Test func `it goes on`() {
        let cancelled = Self.record(requested: 5, cancels: 1)
        #expect(Self.connected().judge(cancelled, second: [])?.rule == .demandIsSent)
        #expect(Self.connected().judge(cancelled, second: [])?.isMissing == false)
        #expect(Self.connected(.standard.with { $0.requestsByItself = false }).judge(cancelled, second: []) == nil)
    }

    @Test func `a second subscription`() {
        let model = Self.connected()
        func judge(_ second: Record, firstCancels: Int = 0) -> SubscriberModel.Finding? {
            let first = Self.record(requested: 1, cancels: firstCancels)
            return model.judge(first, second: [Self.record(cancels: 1), second])
        }
        #expect(judge(Self.record(cancels: 1)) == nil)
        #expect(judge(Self.record())?.rule == .secondIsCancelled)
        #expect(judge(Self.record())?.isMissing == true)
        #expect(judge(Self.record(cancels: 2))?.isMissing == false)
        #expect(judge(Self.record(requested: 1, cancels: 1))?.rule == .secondIsCancelled)
        // The first was cancelled instead.
        #expect(judge(Self.record(cancels: 1), firstCancels: 1)?.rule == .secondIsCancelled)
    }
}
#endif
