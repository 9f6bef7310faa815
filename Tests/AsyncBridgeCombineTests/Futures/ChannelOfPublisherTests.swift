// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeTesting
import OpenCombineShim
import Testing

@Suite("subscribeCoChannel(buffering:)", .timeLimit(.minutes(10)))
struct ChannelOfPublisherTests {
    typealias Buffer = BufferingPolicy

    /// All kinds in which every element finds room, or which the publisher waits for.
    static let lossless: [Buffer] = [.rendezvous, .bounded(capacity: 1), .bounded(capacity: 4), .unbounded]

    private let publisher = HandPublisher<Int, any Error>()

    @Test
    func `it subscribes at once, and asks for what the channel takes`() async {
        let expected: [(Buffer, Subscribers.Demand)] = [
            (.rendezvous, .max(1)), (.bounded(capacity: 4), .max(4)), (.unbounded, .unlimited),
            (.newest(capacity: 1), .unlimited),
        ]
        for (buffer, demand) in expected {
            let publisher = HandPublisher<Int, any Error>()
            let receiver = publisher.subscribeCoChannel(buffering: buffer)
            #expect(publisher.current?.requests == [demand])
            withExtendedLifetime(receiver) {}
        }
    }

    @Test(arguments: lossless)
    func `a slow receiver loses nothing`(_ buffer: Buffer) async throws {
        let numbers = Counting(from: 1, upTo: 50)
        let receiver = numbers.subscribeCoChannel(buffering: buffer)
        var values: [Int] = []
        for try await value in receiver {
            values.append(value)
            // Lets the publisher run ahead as far as it can.
            for _ in 0..<10 { await Task.yield() }
        }
        #expect(values == Array(1...50))
        #expect(numbers.cancels.value == 0)
    }

    @Test(arguments: lossless + [.newest(capacity: 1)])
    func `a publisher that drops its subscriber does not end the channel normally`(_ buffer: Buffer) async throws {
        CollectedReports.begin()
        let publisher = HandPublisher<Int, Never>()
        let made = CallSite(fileID: #fileID, line: 1_000_000 + UInt(buffer == .unbounded ? 0 : 1))
        let receiver = publisher.subscribeCoChannel(buffering: buffer, fileID: made.fileIDLiteral, line: made.line)
        publisher.send(1)
        #expect(try await receiver.receive() == 1)
        publisher.forget()
        await #expect(throws: BridgeFault(.subscriberDropped, made: made)) { for try await _ in receiver {} }
        let reports = CollectedReports.all(about: made).filter { $0.kind == .droppedSubscriber }
        #expect(!reports.isEmpty && reports.allSatisfy { $0.bridge == "subscribeCoChannel" })
    }

    @Test(arguments: [1, 4])
    func `a channel with a bound runs no further ahead than twice its capacity`(_ capacity: Int) async throws {
        let numbers = Counting(from: 1)
        let receiver = numbers.subscribeCoChannel(buffering: .bounded(capacity: capacity))
        // The buffer full, one element at the sender, and what is asked for meanwhile.
        var requested: Int { numbers.requests.all.reduce(0) { $0 + ($1.max ?? 0) } }
        for taken in 0..<20 {
            for _ in 0..<20 { await Task.yield() }
            #expect(requested <= taken + 2 * capacity)
            #expect(try await receiver.receive() == taken + 1)
        }
    }

    @Test
    func `a conflated channel keeps the newest`() async throws {
        let receiver = self.publisher.subscribeCoChannel(buffering: .newest(capacity: 1))
        for value in 1...5 { self.publisher.send(value) }
        #expect(try await receiver.receive() == 5)
    }

    @Test(arguments: lossless)
    func `the publisher's failure closes the channel, after its elements`(_ buffer: Buffer) async throws {
        let receiver = self.publisher.subscribeCoChannel(buffering: buffer)
        self.publisher.send(1)
        self.publisher.send(completion: .failure(Failure(3)))
        #expect(try await receiver.receive() == 1)
        await #expect(throws: Failure(3)) { try await receiver.receive() }
    }

    @Test(arguments: lossless)
    func `the publisher's end closes the channel, after its elements`(_ buffer: Buffer) async throws {
        let receiver = self.publisher.subscribeCoChannel(buffering: buffer)
        self.publisher.send(1)
        self.publisher.send(completion: .finished)
        var values: [Int] = []
        for try await value in receiver { values.append(value) }
        #expect(values == [1])
        #expect(self.publisher.current?.cancels == 0)
    }

    @Test(arguments: lossless + [.newest(capacity: 1)], [true, false])
    func `dropping or cancelling the receiver cancels`(_ buffer: Buffer, _ drops: Bool) async throws {
        do {
            let receiver = self.publisher.subscribeCoChannel(buffering: buffer)
            self.publisher.send(1)
            #expect(try await receiver.receive() == 1)
            if !drops { receiver.cancel() }
            #expect(drops ? self.publisher.current?.cancels == 0 : true)
        }
        await until { self.publisher.current?.cancels == 1 }
    }

    @Test(arguments: lossless + [.newest(capacity: 1)])
    func `before the subscription has come, too`(_ buffer: Buffer) async {
        let late = HandPublisher<Int, any Error>(isLate: true)
        do { _ = late.subscribeCoChannel(buffering: buffer) }
        // The task of a channel with a bound ends a moment later.
        await until {
            if late.current?.cancels == 0 { late.current?.sendSubscription() }
            return late.current?.cancels ?? 0 > 0
        }
        #expect(late.current?.sent == 0)
    }
}
#endif
