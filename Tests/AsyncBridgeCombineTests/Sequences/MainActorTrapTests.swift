// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine && os(Linux)
import AsyncBridgeCombine
import AsyncBridgeFutures
import Dispatch
import OpenCombineShim
import Testing

/// What the runtime's trap says, which has no words of its own on Linux.
@Suite("A subscriber of the main actor, and a publisher that sends in Swift's pool", .timeLimit(.minutes(10)))
struct MainActorTrapTests {
    @MainActor
    private final class Screen {
        private var heard: [Int] = []
        private var subscriptions: Set<AnyCancellable> = []

        func show(_ publisher: some Publisher<Int, Never>) {
            publisher.sink { value in self.heard.append(value) }.store(in: &self.subscriptions)
        }
    }

    /// Made outside the main actor, where nothing can tell who will subscribe.
    private static func numbers() -> AnyPublisher<Int, Never> { AsyncStream { 1 }.toPublisher() }

    private static func number() -> AnyPublisher<Int, Never> { TaskPublisher { 1 }.eraseToAnyPublisher() }

    private static func output(of result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    private static func expectAdvice(_ result: ExitTest.Result?) {
        let output = Self.output(of: result)
        #expect(output.contains("publisher(on: MainActor.shared)"))
        #expect(output.contains("receive(on: DispatchQueue.main)"))
    }

    @Test
    func `the trap says what to write, for a sequence`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let screen = await Screen()
            await screen.show(Self.numbers())
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        Self.expectAdvice(result)
    }

    @Test
    func `and for a function`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let screen = await Screen()
            await screen.show(Self.number())
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        Self.expectAdvice(result)
    }

    // MARK: Other places than a task of the pool

    private static let future = CoPromise<Int>()

    /// Made outside the main actor: it sends where the future is completed.
    private static func later() -> AnyPublisher<Int, Never> {
        Self.future.publisher(on: nil).replaceError(with: 0).eraseToAnyPublisher()
    }

    @Test
    func `and for a future that is completed on a queue`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let screen = await Screen()
            await screen.show(Self.later())
            DispatchQueue.global().async { Self.future.success(1) }
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        Self.expectAdvice(result)
    }

    @Test
    func `and for a future that is completed in the pool`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let screen = await Screen()
            await screen.show(Self.later())
            Task.detached { Self.future.success(1) }
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        Self.expectAdvice(result)
    }

    private actor Library {
        func numbers() -> Numbers { Numbers(publisher: AsyncStream { 1 }.toPublisher()) }

        func number() -> Numbers { Numbers(publisher: TaskPublisher { self.one() }.eraseToAnyPublisher()) }

        private func one() -> Int { 1 }
    }

    /// Safe: its publishers are Sendable; only the wrapper of OpenCombine is not.
    private struct Numbers: @unchecked Sendable {
        let publisher: AnyPublisher<Int, Never>
    }

    @Test
    func `and for a sequence whose publisher belongs to another actor`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (screen, library) = (await Screen(), Library())
            await screen.show(library.numbers().publisher)
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in withExtendedLifetime(library) {} }
        }
        Self.expectAdvice(result)
    }

    @Test
    func `and for a function of another actor`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (screen, library) = (await Screen(), Library())
            await screen.show(library.number().publisher)
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        Self.expectAdvice(result)
    }

    @Test
    func `and for receive(on:) with a scheduler of coroutines`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let screen = await Screen()
            let queue = DispatchQueue(label: "numbers")
            await screen.show(Just(1).receive(on: QueueScheduler(queue: queue).forPublishers))
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        Self.expectAdvice(result)
    }

    /// As in code of the main actor that makes a publisher for a task elsewhere.
    @MainActor
    private static func doubled() -> Numbers {
        Numbers(publisher: (1...3).publisher.eraseToAnyPublisher().map { $0 * 2 }.eraseToAnyPublisher())
    }

    @Test
    func `and for an operator of a publisher that is consumed elsewhere`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            for await _ in await Self.doubled().publisher.elements(buffering: .unbounded) {}
        }
        Self.expectAdvice(result)
    }

    private struct QueueScheduler: CoroutineScheduler {
        let queue: DispatchQueue

        func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.queue.async(execute: task) }
    }

    /// There the check is made too, and succeeds.
    @Test
    func `code that runs on the main queue gets no words`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let subscriber = HandSubscriber<Int, Never>()
            Self.numbers().subscribe(subscriber)
            subscriber.request(.max(1))
            await until { !subscriber.values.isEmpty }
            await withUnsafeContinuation { continuation in
                DispatchQueue.main.async {
                    MainActor.preconditionIsolated()
                    continuation.resume()
                }
            }
        }
        #expect(!Self.output(of: result).contains("swift-async-bridge"))
    }
}
#endif
