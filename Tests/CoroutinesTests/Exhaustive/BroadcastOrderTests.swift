// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// Two senders, three subscribers and what may happen to them, in every order, against the model in plain arrays.
@Suite("A channel with many receivers: every order of events", .timeLimit(.minutes(20)))
struct BroadcastOrderTests {
    enum Event: CaseIterable {
        case sendFirst
        case sendSecond
        case cancelFirst
        case close
        /// The subscriber without a buffer leaves.
        case leave
        /// Somebody receives from the subscriber without a buffer.
        case receiveDirectly
        /// Somebody receives from the subscriber with a buffer of one, which is full at first.
        case receive
    }

    static let types: [BufferingPolicy] = [.rendezvous, .bounded(capacity: 1), .newest(capacity: 1)]

    /// A broadcast, its senders and receivers, each on a scheduler of its own.
    final class World {
        let broadcast: CoBroadcast<Int>
        let subscribers: [CoChannel<Int>.Receiver]
        private let undelivered = Collected<Int>()
        private let results = Collected<(Int, String)>()
        private let received = Collected<(Int, Int)>()
        private var schedulers: [ManualScheduler] = []
        private var senders: [Int: CoroutineHandle] = [:]

        init() {
            self.broadcast = CoBroadcast(current: 0, onUndelivered: { [undelivered] in undelivered.append($0) })
            self.subscribers = BroadcastOrderTests.types.map { [broadcast] in broadcast.subscribe(buffering: $0) }
        }

        private func start(_ body: @escaping @Sendable () throws -> Void) -> CoroutineHandle {
            let scheduler = ManualScheduler()
            self.schedulers.append(scheduler)
            defer { scheduler.runOne() }
            return scheduler.startCoroutine { try body() }
        }

        func send(_ element: Int) {
            self.senders[element] = self.start { [broadcast, results] in
                do {
                    try broadcast.awaitSend(element)
                    results.append((element, "sent"))
                } catch {
                    results.append((element, error is CancellationError ? "cancelled" : "closed"))
                }
            }
        }

        func cancel(_ element: Int) { self.senders[element]?.cancel() }

        func receive(from index: Int) {
            _ = self.start { [receiver = self.subscribers[index], received] in
                if let element = try? receiver.awaitReceive() { received.append((index, element)) }
            }
        }

        func resume() { for scheduler in self.schedulers { scheduler.run() } }

        /// What is wrong, now that nothing is on its way.
        func differences(from model: BroadcastModel) -> [String] {
            var found: [String] = []
            func compare<Value: Equatable>(_ name: String, _ value: Value, _ wanted: Value) {
                if value != wanted { found.append("\(name): \(value) instead of \(wanted)") }
            }
            compare("current", self.broadcast.current, model.current)
            compare("results", Dictionary(uniqueKeysWithValues: self.results.all), model.results)
            compare("undelivered", self.undelivered.all.sorted(), model.undelivered.sorted())
            for (index, subscriber) in model.subscribers.enumerated() {
                let received = self.received.all.filter { $0.0 == index }.map(\.1)
                compare("received by \(index)", received.sorted(), subscriber.received.sorted())
                compare("held for \(index)", self.subscribers[index].count, subscriber.buffer.count)
            }
            return found
        }

        /// Nobody is left waiting.
        func finish() {
            self.broadcast.close()
            for subscriber in self.subscribers { subscriber.cancel() }
            self.resume()
        }
    }

    /// - Parameters:
    ///   - isEager: Whether what was woken runs before the next event, or after the last.
    ///   - isCancelled: Whether the broadcast is cancelled instead of closed.
    @Test(arguments: [true, false], [false, true])
    func `is what the model is`(isEager: Bool, isCancelled: Bool) {
        var lives = 0
        func live(_ chosen: [Event]) {
            if chosen.count == Event.allCases.count {
                lives += 1
                Self.play(chosen, isEager: isEager, isCancelled: isCancelled)
            }
            for event in Event.allCases where !chosen.contains(event) { live(chosen + [event]) }
        }
        live([])
        #expect(lives == 5040)
    }

    /// Plays one life, and reports what is wrong.
    private static func play(_ events: [Event], isEager: Bool, isCancelled: Bool) {
        let world = World()
        var model = BroadcastModel(Self.types, current: 0)
        func resume() {
            world.resume()
            model.resume()
        }
        for event in events {
            switch event {
            case .sendFirst:
                world.send(1)
                model.send(1)
            case .sendSecond:
                world.send(2)
                model.send(2)
            case .cancelFirst:
                // One that has not begun never sends.
                guard events.firstIndex(of: .sendFirst)! < events.firstIndex(of: .cancelFirst)! else { continue }
                world.cancel(1)
                model.cancel(1)
            case .close where isCancelled:
                world.broadcast.cancel()
                model.cancelAll()
            case .close:
                world.broadcast.close()
                model.close()
            case .leave:
                world.subscribers[0].cancel()
                model.leave(0)
            case .receiveDirectly:
                world.receive(from: 0)
                model.receive(from: 0)
            case .receive:
                world.receive(from: 1)
                model.receive(from: 1)
            }
            if isEager { resume() }
        }
        resume()
        let differences = world.differences(from: model)
        if !differences.isEmpty { Issue.record("\(events): \(differences)") }
        world.finish()
    }
}
