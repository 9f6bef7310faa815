// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// Broadcasts that end, and senders and subscribers that leave, while several tasks and coroutines send and receive.
@Suite("Channels with many receivers under load", .serialized, .timeLimit(.minutes(60)))
struct BroadcastStressTests {
    typealias Element = LifetimeTracker.Tracked<Int>

    static let types: [BufferingPolicy] = [.rendezvous, .bounded(capacity: 1), .unbounded, .newest(capacity: 1)]

    enum End: CaseIterable {
        case close
        case drop
    }

    /// One broadcast, and where its elements have come.
    final class Life: Sendable {
        struct Counts {
            var attempted = 0
            /// Those whose sender was told that the broadcast is closed, and how many places each comes to then.
            ///
            /// One if it was closed before, `onUndelivered`, and none if the element was only offered. It may also have
            /// been closed while the sender waited for some subscribers.
            var toldClosed: [Int: Int] = [:]
            /// How many subscribers each element has come to, received or not delivered.
            var places: [Int: Int] = [:]
            var received: [[Int]]
            var ends: [String] = []
        }

        let counts: Locked<Counts>
        private let tracker: LifetimeTracker

        init(_ count: Int, _ tracker: LifetimeTracker) {
            self.counts = Locked(Counts(received: Array(repeating: [], count: count)))
            self.tracker = tracker
        }

        private func next() -> Element {
            let number = self.counts.withLock { counts in
                counts.attempted += 1
                return counts.attempted
            }
            return self.tracker.track(number)
        }

        func noteUndelivered(_ element: Element) { self.counts.withLock { $0.places[element.value, default: 0] += 1 } }

        private func note(_ error: any Error, sending element: Element, to broadcast: CoBroadcast<Element>) {
            guard error as? CoChannelError == .closed, broadcast.isClosed else { return }
            self.counts.withLock { $0.toldClosed[element.value] = 1 }
        }

        // MARK: Senders and receivers

        func send(_ count: Int, to broadcast: CoBroadcast<Element>) async {
            for _ in 0..<count {
                let element = self.next()
                do { try await broadcast.send(element) } catch { self.note(error, sending: element, to: broadcast) }
            }
        }

        func awaitSend(_ count: Int, to broadcast: CoBroadcast<Element>) {
            for _ in 0..<count {
                let element = self.next()
                do { try broadcast.awaitSend(element) } catch { self.note(error, sending: element, to: broadcast) }
            }
        }

        func offer(_ count: Int, to broadcast: CoBroadcast<Element>) {
            for _ in 0..<count {
                let element = self.next()
                if broadcast.offer(element) || !broadcast.isClosed { continue }
                self.counts.withLock { $0.toldClosed[element.value] = 0 }
            }
        }

        func receive(from receiver: CoChannel<Element>.Receiver, as index: Int, leavingAfter limit: Int) async {
            do {
                var count = 0
                while count < limit {
                    let element = try await receiver.receive()
                    count += 1
                    self.counts.withLock { counts in
                        counts.places[element.value, default: 0] += 1
                        counts.received[index].append(element.value)
                    }
                }
                receiver.cancel()
            } catch {
                let end = (error as? CoChannelError).map { $0 == .closed ? "closed" : "dropped" } ?? "cancelled"
                self.counts.withLock { $0.ends.append(end) }
            }
        }

        /// What is wrong, when all is over.
        ///
        /// - Parameters:
        ///   - staying: How many subscribers have stayed to the end.
        ///   - end: How the broadcast has ended.
        /// - Returns: What is wrong, in words.
        func violations(staying: Int, _ end: End) -> [String] {
            self.counts.withLock { counts in
                var found: [String] = []
                let all = counts.received.count
                for element in 1..<(counts.attempted + 1) {
                    let places = counts.places[element, default: 0]
                    // At least once: an element for no subscriber is undelivered.
                    let isRight = (max(1, staying)...max(1, all)).contains(places)
                    let isRefused = counts.toldClosed[element] == places
                    if !isRight, !isRefused { found.append("\(element) is in \(places) places") }
                }
                let wanted = end == .close ? "closed" : "dropped"
                if counts.ends.count < staying || counts.ends.contains(where: { $0 != wanted }) {
                    found.append("ends: \(counts.ends)")
                }
                for left in counts.received {
                    for right in counts.received {
                        let common = Set(left).intersection(right)
                        if left.filter(common.contains) != right.filter(common.contains) {
                            found.append("\(left) and \(right) are not in one order")
                        }
                    }
                }
                return found
            }
        }
    }

    /// A sender, which can be cancelled.
    struct Sender: Sendable {
        let cancel: @Sendable () -> Void
        let ended: @Sendable () async -> Void

        static func start(_ number: UInt64, _ life: Life, _ broadcast: CoBroadcast<Element>) -> Sender {
            switch number % 4 {
            case 0:
                let coroutine = DispatchQueue.global().startCoroutine { life.awaitSend(4, to: broadcast) }
                return Sender(cancel: { coroutine.cancel() }, ended: { await coroutine.ended() })
            case 1: return Sender(Task { try? await withCoroutine { life.awaitSend(4, to: broadcast) } })
            case 2: return Sender(Task { life.offer(4, to: broadcast) })
            default: return Sender(Task { await life.send(4, to: broadcast) })
            }
        }

        private init(cancel: @escaping @Sendable () -> Void, ended: @escaping @Sendable () async -> Void) {
            self.cancel = cancel
            self.ended = ended
        }

        private init<Value: Sendable>(_ task: Task<Value, Never>) {
            self.init(cancel: { task.cancel() }, ended: { _ = await task.value })
        }
    }

    @Test(arguments: End.allCases)
    func `every element comes to each subscriber once`(end: End) async throws {
        let tracker = LifetimeTracker()
        var random = SplitMix(seed: 0xB5)
        for _ in 0..<StressScale.rounds(600) {
            let violations = await Self.live(end, &random, tracker)
            #expect(violations.isEmpty, "\(violations)")
        }
        try await tracker.allReleased()
        #expect(tracker.made > 0)
    }

    private static func live(_ end: End, _ random: inout SplitMix, _ tracker: LifetimeTracker) async -> [String] {
        let count = Int(random.next() % 4) + 1
        let life = Life(count, tracker)
        // Every second subscriber may leave.
        let limits = (0..<count).map { $0.isMultiple(of: 2) ? Int.max : Int(random.next() % 6) }
        var receivers: [Task<Void, Never>] = []
        do {
            let broadcast = CoBroadcast(of: Element.self, onUndelivered: { life.noteUndelivered($0) })
            for (index, limit) in limits.enumerated() {
                let receiver = broadcast.subscribe(buffering: Self.types[Int(random.next() % 4)])
                receivers.append(Task { await life.receive(from: receiver, as: index, leavingAfter: limit) })
            }
            let senders = (0..<3).map { _ in Sender.start(random.next(), life, broadcast) }
            for sender in senders {
                for _ in 0..<random.next() % 4 { await Task.yield() }
                if random.next() % 3 == 0 { sender.cancel() }
            }
            if end == .close { broadcast.close() }
            for sender in senders { await sender.ended() }
        }
        for receiver in receivers { await receiver.value }
        return life.violations(staying: limits.count { $0 == .max }, end)
    }
}
