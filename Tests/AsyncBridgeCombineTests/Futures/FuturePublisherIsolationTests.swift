// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeTesting
import OpenCombineShim
import Testing

@Suite("CoFuture.publisher(): isolation", .timeLimit(.minutes(10)))
struct FuturePublisherIsolationTests {
    private let promise = CoPromise<Int>()

    /// The closures of `sink` belong to the main actor, and end the process elsewhere.
    @MainActor
    private final class Screen {
        private(set) var heard: [Int] = []
        private(set) var isOver = false
        private var subscriptions: Set<AnyCancellable> = []

        func show(_ future: CoFuture<Int>) {
            future.publisher().map { $0 * 10 }.sink { _ in
                self.isOver = true
            } receiveValue: { value in
                self.heard.append(value)
            }
            .store(in: &self.subscriptions)
        }
    }

    /// Stores its own subscriptions.
    private actor Desk {
        private(set) var heard: [Int] = []
        private var subscriptions: Set<AnyCancellable> = []

        func take(_ future: CoFuture<Int>) {
            future.publisher().sink { _ in
            } receiveValue: { value in
                self.heard.append(value)
            }
            .store(in: &self.subscriptions)
        }

        func listen(to future: CoFuture<Int>) {
            future.publisher(on: self).sink { _ in
            } receiveValue: { [weak self] _ in
                self?.preconditionIsolated()
            }
            .store(in: &self.subscriptions)
        }
    }

    @Test
    func `a result that comes elsewhere arrives on the main actor`() async {
        let screen = await Screen()
        await screen.show(self.promise)
        await Task.detached { [promise] in _ = promise.success(1) }.value
        while await !screen.isOver, !Task.isCancelled { await Task.yield() }
        #expect(await screen.heard == [10])
    }

    @Test
    @MainActor
    func `a result that is there arrives at once`() {
        let screen = Screen()
        screen.show(CoFuture(result: .success(2)))
        #expect(screen.heard == [20] && screen.isOver)
    }

    @Test
    func `it arrives on the actor of the calling code`() async {
        let desk = Desk()
        await desk.take(self.promise)
        self.promise.success(3)
        while await desk.heard.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(await desk.heard == [3])
    }

    @Test
    func `an actor that stores its own subscription is released`() async {
        weak var weakDesk: Desk?
        do {
            let desk = Desk()
            weakDesk = desk
            await desk.listen(to: self.promise)
        }
        await until { weakDesk == nil }
        self.promise.success(1)
    }

    @Test
    @MainActor
    func `nil is the place where the future is completed`() {
        let subscriber = HandSubscriber<Int, any Error>()
        self.promise.publisher(on: nil).subscribe(subscriber)
        subscriber.request(.max(1))
        self.promise.success(4)
        #expect(subscriber.values == [4] && subscriber.hasFinished)
    }

    @Test
    func `cancelled on the actor while the result is on its way: nothing comes`() async {
        let desk = ManualActor()
        let subscriber = HandSubscriber<Int, any Error>()
        self.promise.publisher(on: desk).subscribe(subscriber)
        subscriber.request(.max(1))
        self.promise.success(5)
        await until { desk.executor.count > 0 }
        subscriber.cancel()
        desk.executor.run()
        for _ in 0..<20 { await Task.yield() }
        #expect(subscriber.values.isEmpty && !subscriber.isOver)
    }
}
#endif
