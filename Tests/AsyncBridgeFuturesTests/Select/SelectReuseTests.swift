// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

/// A branch that sends has one element, for one selection.
@Suite("select: a branch that sends is used once", .timeLimit(.minutes(10)))
struct SelectReuseTests {
    /// Two receivers would own it.
    @Test func `a second use after its element was sent`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let channel = CoChannel<Int>()
            let branch: SelectBranch<Bool> = .send(1, to: channel) { true }
            _ = try await select(branch)
            _ = try await select(branch)
        }
        let output = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(output.contains("make a new branch for each 'select'"))
    }

    @Test func `a second use after another branch has happened`() async {
        await #expect(processExitsWith: .failure) {
            let (full, other) = (CoChannel<Int>(buffering: .rendezvous), CoChannel<Int>())
            other.offer(5)
            let branches: [SelectBranch<Int>] = [.send(1, to: full) { 0 }, .receive(from: other) { $0 }]
            #expect(try await select(branches) == 5)
            other.offer(6)
            _ = try await select(branches)
        }
    }

    @Test func `a second use after the selection was cancelled`() async {
        await #expect(processExitsWith: .failure) {
            let channel = CoChannel<Int>(buffering: .rendezvous)
            await Task {
                withUnsafeCurrentTask { unsafe $0?.cancel() }
                let branch: SelectBranch<Int> = .send(1, to: channel) { 0 }
                await #expect(throws: CancellationError.self) { try await select(branch) }
                channel.whenReceive { _ in }
                _ = try? await select(branch)
            }.value
        }
    }

    @Test func `twice in one selection`() async {
        await #expect(processExitsWith: .failure) {
            let channel = CoChannel<Int>()
            let branch: SelectBranch<Int> = .send(1, to: channel) { 0 }
            _ = try await select(branch, branch)
        }
    }

    /// Others hold no element: they may be used again.
    @Test func `a branch that receives`() async throws {
        let channel = CoChannel<Int>()
        let branch: SelectBranch<Int> = .receive(from: channel) { $0 }
        channel.offer(1)
        channel.offer(2)
        #expect(try await [select(branch), select(branch)] == [1, 2])
    }

    // MARK: Where the element is

    @Test func `never used, its element is undelivered`() {
        let world = UndeliveredWorld()
        do {
            let unused: SelectBranch<Int> = .send(1, to: world.channel) { 0 }
            let copy = unused
            withExtendedLifetime(copy) { #expect(world.undelivered.all == []) }
        }
        #expect(world.undelivered.all == [1])
        _ = SelectBranch<Int>.send(2, to: world.channel.sender) { 0 }
        #expect(world.undelivered.all == [1, 2])
    }

    @Test func `not asked because another happens at once, its element is released`() async throws {
        let (world, full) = (UndeliveredWorld(.unbounded), CoChannel<Int>())
        full.offer(5)
        #expect(try await select(.receive(from: full) { $0 }, .send(1, to: world.channel) { 0 }, biased: true) == 5)
        #expect(world.undelivered.all == [])
        #expect(world.channel.isEmpty)
    }

    @Test(arguments: [BufferingPolicy.unbounded, .rendezvous, .newest(capacity: 1)])
    func `a branch does not keep what it has sent`(type: BufferingPolicy) async throws {
        let (channel, tracker) = (CoChannel<LifetimeTracker.Token>(buffering: type), LifetimeTracker())
        if type == .rendezvous { channel.whenReceive { _ in } }
        if type == .newest(capacity: 1) { channel.offer(tracker.token()) }
        let branch: SelectBranch<Bool> = .send(tracker.token(), to: channel) { true }
        #expect(try await select(branch))
        _ = channel.poll()
        withExtendedLifetime(branch) { #expect(tracker.alive == 0) }
    }

    @Test func `a branch does not keep what it has sent after a wait`() async throws {
        let (channel, tracker) = (CoChannel<LifetimeTracker.Token>(buffering: .rendezvous), LifetimeTracker())
        let sent = CoFuture {
            let branch: SelectBranch<Int> = .send(tracker.token(), to: channel) { 0 }
            _ = try await select(branch)
            return withExtendedLifetime(branch) { tracker.alive }
        }
        await until { channel.hasSenders }
        #expect(channel.poll() != nil)
        #expect(try await sent.value == 0)
    }
}
