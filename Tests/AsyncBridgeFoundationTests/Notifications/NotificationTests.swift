// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import Foundation
import Testing

@Suite("Notifications", .timeLimit(.minutes(10)))
struct NotificationTests {
    private static let name = Notification.Name("quote")

    private let center = NotificationCenter()

    private func post(_ number: Int, _ object: (any AnyObject & Sendable)? = nil) {
        self.center.post(name: Self.name, object: object, userInfo: ["number": number])
    }

    private static func number(_ notification: Notification) -> Int { notification.userInfo?["number"] as? Int ?? -1 }

    @Test func `in their order, from the iterator on`() async throws {
        let values = self.center.values(of: Self.name, Self.number)
        self.post(0)
        var iterator = values.makeAsyncIterator()
        self.post(1)
        self.post(2)
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
    }

    @Test func `of one object`() async throws {
        let object = Gate()
        var iterator = self.center.values(of: Self.name, object: object, Self.number).makeAsyncIterator()
        self.post(1)
        self.post(2, object)
        #expect(try await iterator.next() == 2)
    }

    @Test func `cancelled, the loop ends, and the observer goes`() async throws {
        let calls = Watched(0)
        let center = self.center
        let task = Task {
            let values = center.values(of: Self.name) { _ in calls.change { $0 += 1 } }
            for try await _ in values { withUnsafeCurrentTask { $0?.cancel() } }
        }
        while calls.value == 0 {
            self.post(1)
            await Task.yield()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let count = calls.value
        self.post(2)
        #expect(calls.value == count)
    }

    @Test func `the next one: also if the start posts it`() async throws {
        #expect(try await self.center.next(Self.name, after: { self.post(7) }, Self.number) == 7)
    }

    /// Without an observer nothing would hear of what the start leads to.
    @Test func `the next one, in a task already cancelled, starts nothing`() async {
        let (center, starts) = (self.center, Watched(0))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await center.next(Self.name, after: { starts.change { $0 += 1 } }, Self.number)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(starts.value == 0)
    }

    @Test func `the next one: cancelled`() async {
        let center = self.center
        let task = Task { try await center.next(Self.name, Self.number) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
