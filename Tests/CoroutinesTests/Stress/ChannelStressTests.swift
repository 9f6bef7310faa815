// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

/// Channels that end, and players that are cancelled, while several tasks and coroutines send and receive.
///
/// What was sent was received, or not delivered, or refused; and nothing twice.
@Suite("Channels under load", .serialized, .timeLimit(.minutes(60)))
struct ChannelStressTests {
    typealias Element = LifetimeTracker.Tracked<Int>
    /// One channel, and where its elements have come.
    final class Life: Sendable {
        struct Counts {
            var attempted = 0
            var refused = 0
            var places: [Int: Int] = [:]
        }

        let channel: CoChannel<Element>
        private let counts: Locked<Counts>
        private let tracker: LifetimeTracker

        init(_ type: BufferingPolicy, _ tracker: LifetimeTracker) {
            let counts = Locked(Counts())
            self.counts = counts
            self.tracker = tracker
            self.channel = CoChannel(
                buffering: type,
                onUndelivered: { element in counts.withLock { $0.places[element.value, default: 0] += 1 } }
            )
        }

        private func note(_ element: Element) { self.counts.withLock { $0.places[element.value, default: 0] += 1 } }

        private func next() -> Element {
            let number = self.counts.withLock { counts in
                counts.attempted += 1
                return counts.attempted
            }
            return self.tracker.track(number)
        }

        private func refuse() { self.counts.withLock { $0.refused += 1 } }

        // MARK: Players, which go on until they get an error

        func sendInTask(_ count: Int) async {
            for _ in 0..<count { do { try await self.channel.send(self.next()) } catch { return } }
        }

        func receiveInTask() async {
            while true { do { self.note(try await self.channel.receive()) } catch { return } }
        }

        func send(_ count: Int) {
            for _ in 0..<count { do { try self.channel.awaitSend(self.next()) } catch { return } }
        }

        func receive() {
            while true { do { self.note(try self.channel.awaitReceive()) } catch { return } }
        }

        func offer(_ count: Int) { for _ in 0..<count where !self.channel.offer(self.next()) { self.refuse() } }

        func poll(_ count: Int) { for _ in 0..<count { if let element = self.channel.poll() { self.note(element) } } }

        func receiveFuture() {
            self.channel.whenReceive { result in if case .success(let element) = result { self.note(element) } }
        }

        func sendFuture() {
            let promise = CoPromise<Element>()
            self.channel.sendFuture(promise)
            promise.success(self.next())
        }

        /// What is wrong, when all is over.
        var violations: [String] {
            self.counts.withLock { counts in
                let twice = counts.places.filter { $0.value != 1 }
                let lost = counts.attempted - counts.refused - counts.places.count
                return (twice.isEmpty ? [] : ["\(twice) times"]) + (lost == 0 ? [] : ["\(lost) lost"])
            }
        }
    }

    /// What is started, and can be cancelled.
    struct Player: Sendable {
        let cancel: @Sendable () -> Void
        let ended: @Sendable () async -> Void

        static func start(_ number: UInt64, _ life: Life) -> Player {
            switch number % 8 {
            case 0: Player(Task { await life.sendInTask(4) })
            case 1: Player(Task { await life.receiveInTask() })
            case 2: Player(DispatchQueue.global().startCoroutine { life.send(4) })
            case 3: Player(DispatchQueue.global().startCoroutine { life.receive() })
            case 4: Player(Task { try? await withCoroutine { life.send(4) } })
            case 5: Player(Task { try? await withCoroutine { life.receive() } })
            case 6:
                Player(
                    Task {
                        life.offer(3)
                        life.sendFuture()
                    }
                )
            default:
                Player(
                    Task {
                        life.poll(3)
                        life.receiveFuture()
                    }
                )
            }
        }

        private init(_ task: Task<Void, Never>) {
            self.cancel = { task.cancel() }
            self.ended = { await task.value }
        }

        private init(_ coroutine: CoroutineHandle) {
            self.cancel = { coroutine.cancel() }
            self.ended = { await coroutine.ended() }
        }

        private init(_ task: Task<Void?, Never>) {
            self.cancel = { task.cancel() }
            self.ended = { _ = await task.value }
        }
    }

    enum End: CaseIterable {
        case close
        case cancel
        case closeThenCancel

        func apply(to channel: CoChannel<Element>) {
            switch self {
            case .close: channel.close()
            case .cancel: channel.cancel()
            case .closeThenCancel:
                channel.close()
                channel.cancel()
            }
        }
    }

    /// Ten thousand channels in all, a few side by side.
    @Test(arguments: End.allCases)
    func `the end comes meanwhile`(end: End) async throws {
        let tracker = LifetimeTracker()
        let rounds = StressScale.rounds(3400)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var random = SplitMix(seed: UInt64(worker))
                    for number in 0..<rounds / 4 {
                        let type = BufferingPolicy.kinds[number % BufferingPolicy.kinds.count]
                        await Self.live(type, end, &random, tracker, cancels: false)
                    }
                }
            }
        }
        try await tracker.allReleased()
        #expect(tracker.made > rounds)
    }

    @Test(arguments: BufferingPolicy.kinds)
    func `with random cancellations`(type: BufferingPolicy) async throws {
        let tracker = LifetimeTracker()
        var random = SplitMix(seed: 0xCA)
        for _ in 0..<StressScale.rounds(300) { await Self.live(type, .close, &random, tracker, cancels: true) }
        try await tracker.allReleased()
        #expect(tracker.made > 0)
    }

    private static func live(
        _ type: BufferingPolicy,
        _ end: End,
        _ random: inout SplitMix,
        _ tracker: LifetimeTracker,
        cancels: Bool
    ) async {
        let life = Life(type, tracker)
        // A sender and a receiver at least.
        let others = (0..<(cancels ? 6 : 2)).map { _ in random.next() }
        let kinds = [random.next() % 4 * 2, random.next() % 4 * 2 + 1] + others
        let players = kinds.map { Player.start($0, life) }
        for player in players {
            for _ in 0..<random.next() % 4 { await Task.yield() }
            if cancels, random.next() % 2 == 0 { player.cancel() }
        }
        end.apply(to: life.channel)
        for player in players { await player.ended() }
        // What a closed channel still holds.
        life.poll(life.channel.count)
        let violations = life.violations
        #expect(violations.isEmpty, "\(type), \(end), \(kinds.map { $0 % 8 }): \(violations)")
    }

    /// One channel, many players on either side, all of whom see the same order of one sender's elements.
    @Test(arguments: BufferingPolicy.kinds.filter { $0.overflow == .keep })
    func `many to many`(type: BufferingPolicy) async throws {
        let channel = CoChannel<Int>(buffering: type)
        let count = StressScale.rounds(2000)
        let senders = (0..<4).map { sender in
            if sender.isMultiple(of: 2) {
                return CoFuture { for number in 0..<count { try await channel.send(number * 4 + sender) } }
            }
            return DispatchQueue.global().coroutineFuture {
                for number in 0..<count { try channel.awaitSend(number * 4 + sender) }
            }
        }
        let receivers = (0..<4).map { receiver in
            if receiver.isMultiple(of: 2) {
                return CoFuture { () -> [Int] in
                    var all: [Int] = []
                    for try await element in channel { all.append(element) }
                    return all
                }
            }
            return DispatchQueue.global().coroutineFuture { Array(channel.makeIterator()) }
        }
        for sender in senders { try await sender.value }
        channel.close()
        var all: [Int] = []
        for receiver in receivers {
            let received = try await receiver.value
            for sender in 0..<4 {
                let numbers = received.filter { $0 % 4 == sender }
                #expect(numbers == numbers.sorted())
            }
            all += received
        }
        #expect(all.sorted() == Array(0..<4 * count))
    }
}
