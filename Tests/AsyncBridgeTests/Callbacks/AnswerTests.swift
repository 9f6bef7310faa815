// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("An answer", .timeLimit(.minutes(10)))
struct AnswerTests {
    @Test func `given at once is returned without suspending`() throws {
        let wait = HandDriven { try await withCallback { callback in callback.resume(returning: 3) } }
        wait.turn()
        #expect(try wait.get() == 3)
    }

    @Test func `given later wakes the waiter`() throws {
        let exchange = Exchange<Int>.parked()
        #expect(!exchange.wait.hasEnded)
        #expect(exchange.resume(returning: 3))
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 3)
    }

    @Test func `given on another thread wakes the waiter`() async throws {
        let exchange = Exchange<Int>.parked()
        await onThread { exchange.resume(returning: 3) }
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 3)
    }

    @Test func `given on another thread within start is returned`() throws {
        let exchange = Exchange(
            Int.self,
            start: { callback in
                let answered = Slot<Bool>()
                detachThread { answered.put(callback.resume(returning: 3)) }
                spin { answered.value != nil }
            }
        )
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 3)
    }

    @Test func `runs start once`() {
        let exchange = Exchange<Int>.parked()
        exchange.resume(returning: 3)
        exchange.wait.turn()
        #expect(exchange.started.count == 1)
    }

    @Test(arguments: [false, true])
    func `an error is thrown as it is`(isLate: Bool) {
        let exchange = Exchange<Int>(start: { if !isLate { $0.resume(throwing: APIError(code: 7)) } })
        exchange.wait.turn()
        if isLate { #expect(exchange.callback.value?.resume(throwing: APIError(code: 7)) == true) }
        exchange.wait.turn()
        #expect(throws: APIError(code: 7)) { try exchange.wait.get() }
    }

    @Test(arguments: [Result<Int, APIError>.success(3), .failure(APIError(code: 7))])
    func `a result is unpacked`(_ result: Result<Int, APIError>) {
        let exchange = Exchange<Int>.parked()
        #expect(exchange.callback.value?.resume(with: result.mapError { $0 }) == true)
        exchange.wait.turn()
        let received = Result { try exchange.wait.get() }.mapError { $0 as? APIError ?? APIError(code: -1) }
        #expect(received == result)
    }

    @Test func `of no value needs no argument`() throws {
        let exchange = Exchange<Void>.parked()
        #expect(exchange.callback.value?.resume() == true)
        #expect(exchange.callback.value?.resume() == false)
        exchange.wait.turn()
        #expect(throws: Never.self) { try exchange.wait.get() }
    }

    @Test func `may be unchecked for a value that is not sendable`() async throws {
        final class Unsent {}
        let unsent = Unsent()
        let identity = ObjectIdentifier(unsent)
        let received = try await withCallback(of: Unsent.self) { callback in
            #expect(callback.resume(uncheckedWith: .success(unsent)))
        }
        #expect(ObjectIdentifier(received) == identity)
    }

    @Test func `is neither a mistake nor reported`() {
        let exchange = Exchange<Int>.parked()
        exchange.resume(returning: 3)
        exchange.wait.turn()
        exchange.callback.take()
        #expect(exchange.place.reports.isEmpty)
        #expect(exchange.cancelled.all.isEmpty)
        #expect(exchange.undelivered.all.isEmpty)
    }
}

@Suite("A second answer", .timeLimit(.minutes(10)))
struct SecondAnswerTests {
    enum Moment: CaseIterable {
        case bothInStart
        case firstInStart
        case bothWhileParked
        case afterTheEnd
    }

    @Test(arguments: Moment.allCases)
    func `is refused, handed back and reported once with all places`(at moment: Moment) throws {
        let exchange = Exchange<Int>(start: { callback in
            if moment == .bothInStart || moment == .firstInStart { #expect(callback.resume(returning: 1, line: 101)) }
            if moment == .bothInStart { #expect(!callback.resume(returning: 2, line: 102)) }
        })
        exchange.wait.turn()
        if moment == .bothWhileParked || moment == .afterTheEnd {
            #expect(exchange.resume(returning: 1, line: 101))
        }
        if moment == .afterTheEnd { exchange.wait.turn() }
        if moment != .bothInStart { #expect(!exchange.resume(returning: 2, line: 102)) }
        exchange.wait.turn()

        #expect(try exchange.wait.get() == 1)
        #expect(exchange.undelivered.all == [2])
        let report = try #require(exchange.place.reports.first)
        #expect(report.kind == .duplicateAnswer)
        #expect(report.bridge == "withCallback")
        #expect(report.involved.map(\.line) == [101, 102])

        #expect(!exchange.resume(returning: 3, line: 103))
        #expect(exchange.undelivered.all == [2, 3])
        #expect(exchange.place.reports.count == 1, "each place is reported once")
    }

    @Test func `that is an error is refused too`() throws {
        let exchange = Exchange<Int>.parked()
        #expect(exchange.resume(returning: 1))
        #expect(exchange.callback.value?.resume(throwing: APIError()) == false)
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 1)
        #expect(exchange.place.reports.count == 1)
        #expect(exchange.undelivered.all.isEmpty)
    }

    @Test func `after a late one is reported`() {
        let exchange = Exchange<Int>.parked()
        exchange.cancel()
        #expect(!exchange.resume(returning: 1, line: 101))
        #expect(exchange.place.reports.isEmpty, "an answer that loses against cancellation is no mistake")
        #expect(!exchange.resume(returning: 2, line: 102))
        #expect(exchange.place.reports.map { $0.involved.map(\.line) } == [[102]])
        #expect(exchange.undelivered.all == [1, 2])
    }
}

@Suite("isWaiting", .timeLimit(.minutes(10)))
struct IsWaitingTests {
    @Test func `is true from the start to the answer`() {
        let inStart = Log<Bool>()
        let exchange = Exchange<Int>(start: { inStart($0.isWaiting) })
        exchange.wait.turn()
        #expect(inStart.all == [true])
        #expect(exchange.callback.value?.isWaiting == true)
        exchange.resume(returning: 3)
        #expect(exchange.callback.value?.isWaiting == false)
        exchange.wait.turn()
        #expect(exchange.callback.value?.isWaiting == false)
    }

    @Test func `is false after an answer in start`() {
        let log = Log<Bool>()
        let exchange = Exchange<Int>(start: {
            $0.resume(returning: 1)
            log($0.isWaiting)
        })
        exchange.wait.turn()
        #expect(log.all == [false])
    }

    @Test func `is false after prompt cancellation`() {
        let exchange = Exchange<Int>.parked()
        exchange.wait.cancel()
        #expect(exchange.callback.value?.isWaiting == false)
    }

    @Test func `is true after cooperative cancellation`() {
        let exchange = Exchange<Int>.parked(.init(cancellation: .cooperative))
        exchange.wait.cancel()
        #expect(exchange.callback.value?.isWaiting == true)
        exchange.wait.turn()
        #expect(exchange.callback.value?.isWaiting == true)
    }

    @Test(arguments: [false, true])
    func `is false when start has thrown`(withAction: Bool) {
        let exchange = Exchange<Int>(start: {
            if withAction { $0.onCancel {} }
            throw APIError()
        })
        exchange.wait.turn()
        #expect(exchange.callback.value?.isWaiting == false)
    }
}
